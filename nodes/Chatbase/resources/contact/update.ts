import { chatbotField } from '../../chatbots/chatbots';
import { unwritten } from '../../execution/results';
import { optionsField } from '../../panel/collections';
import { dryRunOption } from '../../panel/dryRun';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notFoundOption } from '../../panel/notFound';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { plainOutcome } from '../../sync/outcomeOptions';
import { outcomeOutput } from '../../sync/runOutput';
import { answerOf } from './answer/answers';
import { contactFailure } from './answer/problems';
import { contactPath, readContact } from './contact';
import { contactField, missingContact, readChosenContact } from './panel/contactField';
import { updateMapper, updateMapperNotice } from './panel/mapper';
import { contactNouns, updateAdditionalFields, writeOptions } from './panel/options';
import { differenceOf } from './plan/difference';
import { hasAttributes } from './plan/values';
import { readContactInput } from './read/contactInput';
import { warnOfInput } from './read/warnings';
import { doneWithoutRequest, sendUpdate } from './write/updates';

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
		...updateMapperNotice,
		updateMapper,
		updateAdditionalFields,
		optionsField([
			...writeOptions,
			dryRunOption,
			notFoundOption('Returns found: false for the External ID'),
		]),
	],

	async read(item, api) {
		const chosen = readChosenContact(item);
		item.identity = { id: chosen.contactId };
		item.name = `Contact ${chosen.contactId}`;
		return { chosen, ...(await readContactInput(item, api, 'update')) };
	},

	sequenceKeys({ chosen, input }) {
		const { chatbotId, contactId } = chosen;
		const newId = input.values.get('external_id') ?? contactId;
		return [`${chatbotId} ${contactId}`, `${chatbotId} ${String(newId)}`];
	},

	async send({ item, params, api }) {
		const { chosen, input } = params;
		const { chatbotId, contactId } = chosen;

		// Custom attributes are sent together, so they are read before. A new ID needs to know which contact gets it.
		const mustLook =
			input.settings.dryRun ||
			hasAttributes(input.values) ||
			input.notSent.size > 0 ||
			input.values.has('external_id');
		const found = mustLook ? await readContact(api, chatbotId, contactId) : undefined;
		const existing = found?.contact;
		if (found && !existing) {
			return unwritten(
				missingContact(item, api, { ...chosen, response: found.response }),
			);
		}

		const change = differenceOf(existing, input, input.settings);
		const update = { chatbotId, contactId, existing, wanted: input, change };
		const isUnsent = input.settings.dryRun || change.changed.length === 0;

		if (existing && isUnsent) {
			return answerOf(item, doneWithoutRequest(existing, input, change), input);
		}

		const result = await sendUpdate(api, update);
		if ('done' in result) {
			return answerOf(item, { written: 'yes', done: result.done }, input);
		}
		if (result.isGone)
			return unwritten(
				missingContact(item, api, { ...chosen, response: result.response }),
			);
		throw contactFailure(api, result.response, { id: contactId });
	},

	async buildOutput(run) {
		await warnOfInput(run, 'update');
		return outcomeOutput(run, contactNouns, plainOutcome);
	},
});
