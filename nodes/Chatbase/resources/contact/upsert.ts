import { maxConcurrencyOption, optionsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { dryRunOption } from '../../panel/dryRun';
import { operation } from '../../panel/operation';
import { outcomeOutput } from '../../sync/outcome';
import { planThenWrite } from '../../sync/plan';
import { chatbotField } from '../chatbot/chatbots';
import { contactsPath } from './contact';
import {
	contactNouns,
	matchByField,
	updateAdditionalFields,
	upsertOptions,
} from './fields';
import {
	completeContactItem,
	type ContactParams,
	readContactItem,
	warnOfInput,
} from './item';
import { findContacts } from './list';
import { updateMapper } from './mappedFields';
import { decide, isMatchedByEmail, reserveIdentities } from './match';
import { ContactWriter } from './writer';

export const upsert = operation<ContactParams>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update contact (upsert)',
	description:
		'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	dryRun: dryRunOption,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: contactNouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		writeNotice,
		updateMapper,
		matchByField,
		updateAdditionalFields,
		optionsField([...upsertOptions, dryRunOption]),
	],

	read: (item) => readContactItem(item, 'upsert'),

	complete: completeContactItem,

	async sendAll(run) {
		// Before anything is written, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, contactNouns);
		warnOfInput(run);
		await planThenWrite(run, async ({ api, chatbotId, items }) => {
			const { tasks: wanted, reserved } = reserveIdentities(run, items);
			const first = wanted.map((task) => task.items[0]);
			const ids = new Set(first.flatMap(({ item }) => item.identity.id ?? []));
			const known = await findContacts(api, chatbotId, ids, first.some(isMatchedByEmail));
			const { tasks } = decide(wanted, known, reserved);
			return async () => await new ContactWriter(api, chatbotId, known).write(tasks);
		});
		return buildOutput;
	},
});
