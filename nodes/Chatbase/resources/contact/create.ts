import type { IDataObject } from 'n8n-workflow';

import { operation, writeNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { outcomeOutput, plainOutcome } from '../../sync/outcome';
import { planThenWrite } from '../../sync/plan';
import { noteSync, type Sync } from '../../sync/summary';
import { type Contact, contactsPath } from './contact';
import { newContact } from './difference';
import { contactNouns, createAdditionalFields, createMapper } from './fields';
import { type ContactParams, readContactItem, warnOfInput } from './item';
import { type ContactTask, tasksOf } from './plan';
import { ContactWriter } from './writer';

export const create = operation<ContactParams>({
	value: 'create',
	name: 'Create',
	description: 'Add contacts, up to 1,000 per request',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	fields: [chatbotField, writeNotice, createMapper, createAdditionalFields],

	read: async (item, api) => await readContactItem(item, api, 'create'),

	async sendAll(run) {
		warnOfInput(run);
		await planThenWrite(run, async ({ api, chatbotId, items }) => {
			const tasks = await tasksOf(items);
			return async () => await new NewContactWriter(api, chatbotId).write(tasks);
		});
		return outcomeOutput(run, contactNouns, plainOutcome);
	},
});

/** Creates contacts without a lookup. Existing contacts are not changed. */
class NewContactWriter extends ContactWriter {
	override readonly isLookedUp = false;

	override bodyOf({ wanted }: ContactTask): IDataObject {
		return newContact(wanted, true);
	}

	protected override succeed({ items }: ContactTask, contact: Contact, sync: Sync) {
		items.forEach(({ succeed }) => succeed([noteSync({ ...contact }, sync)]));
	}

	protected override async foundExisting({ items, existing }: ContactTask) {
		const nextStep = `External ID: ${String(existing?.external_id)}. Use Create or Update to change existing contacts.`;
		for (const { item, fail } of items) {
			fail(item.error('A contact with this External ID exists', nextStep));
		}
	}
}
