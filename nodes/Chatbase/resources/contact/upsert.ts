import { dryRunOption } from '../../fields/dryRun';
import type { ReadyItem } from '../../execution/run';
import { operation, optionsField, writeNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { outcomeOutput } from '../../sync/outcome';
import { planThenWrite } from '../../sync/plan';
import { giveWay } from '../../values/list';
import { contactsPath } from './contact';
import {
	contactNouns,
	matchByField,
	updateAdditionalFields,
	updateMapper,
	upsertOptions,
} from './fields';
import { type ContactParams, readContactItem, warnOfInput } from './item';
import { findContacts } from './list';
import { decide, reserveIdentities } from './plan';
import { ContactWriter } from './writer';

export const upsert = operation<ContactParams>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update contact (upsert)',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	fields: [
		chatbotField,
		writeNotice,
		updateMapper,
		matchByField,
		updateAdditionalFields,
		optionsField([...upsertOptions, dryRunOption]),
	],

	read: async (item, api) => await readContactItem(item, api, 'upsert'),

	async sendAll(run) {
		// Before anything is written, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, contactNouns);
		warnOfInput(run);
		await giveWay();
		await planThenWrite(run, async ({ api, chatbotId, items }) => {
			const { writable, reserved } = await reserveIdentities(run, items);
			await giveWay();
			const ids = new Set(writable.flatMap(({ item }) => item.identity.id ?? []));
			const known = await findContacts(api, chatbotId, ids, writable.some(isMatchedByEmail));
			const { tasks } = await decide(writable, known, reserved);
			return async () => await new ContactWriter(api, chatbotId, known).write(tasks);
		});
		return buildOutput;
	},
});

function isMatchedByEmail({ item, params }: ReadyItem<ContactParams>): boolean {
	const { id, email } = item.identity;
	const { matchBy } = params.settings;
	return email !== undefined && (id === undefined || matchBy === 'externalIdThenEmail');
}
