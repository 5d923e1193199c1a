import { maxConcurrencyOption, optionsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { dryRunOption } from '../../panel/dryRun';
import { notFoundOption } from '../../panel/locators';
import { operation } from '../../panel/operation';
import { outcomeOutput, plainOutcome } from '../../sync/outcome';
import { chatbotField } from '../chatbot/chatbots';
import { allowedRecord, writeChange } from './change';
import { contactPath, failureOf, isContactMissing, readContact } from './contact';
import { contactField, missingContact, readChosenContact } from './contactField';
import { hasAttributes } from './contactValues';
import { contactNouns, updateAdditionalFields, writeOptions } from './fields';
import { completeContactItem, readContactItem, warnOfInput } from './item';
import { updateMapper } from './mappedFields';

export const update = operation({
	value: 'update',
	description: 'Change fields and custom attributes of one contact',
	request: { method: 'PATCH', path: contactPath, resource: 'contact' },
	dryRun: dryRunOption,
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		writeNotice,
		contactField,
		updateMapper,
		updateAdditionalFields,
		optionsField([
			...writeOptions,
			dryRunOption,
			notFoundOption('Returns found: false for the External ID'),
		]),
	],

	read: (item) => ({ ...readChosenContact(item), ...readContactItem(item, 'update') }),

	complete: completeContactItem,

	sequenceKeys: ({ chatbotId, contactId, wanted }) =>
		[contactId, wanted.values.get('external_id') ?? contactId].map(
			(id) => `${chatbotId} ${String(id)}`,
		),

	async send({ item, params, api }) {
		const { chatbotId, contactId, settings, wanted } = params;
		// Custom attributes are sent together. Other fields need no read before.
		const mustLook =
			settings.dryRun || hasAttributes(wanted.values) || wanted.unknown !== undefined;
		const found = mustLook ? await readContact(api, chatbotId, contactId) : undefined;
		const existing = found?.contact;
		const result =
			found && !existing
				? found
				: await writeChange(api, contactId, { wanted, settings, existing });

		if ('sync' in result) return [allowedRecord(item, result, settings)];
		const { response } = result;
		if (!isContactMissing(response)) throw failureOf(api, response, contactId);
		return [missingContact(api, params, response)];
	},

	buildOutput(run) {
		warnOfInput(run);
		return outcomeOutput(run, contactNouns, plainOutcome);
	},
});
