import type { IDataObject } from 'n8n-workflow';

import { forEachLimited } from '../../api/limits';
import { operation, writeNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { hintedOutput } from '../../sync/outcome';
import { byChatbot } from '../../sync/plan';
import { type Contact, contactsPath } from './contact';
import { newContact } from './difference';
import { contactNouns, createAdditionalFields, createMapper } from './fields';
import { type ContactParams, missingIdError, readContactItem, warnOfInput } from './item';
import { type ContactTask, tasksOf } from './plan';
import { ContactWriter } from './writer';

export const create = operation<ContactParams>({
	value: 'create',
	name: 'Create',
	description: 'Add contacts, up to 1,000 per request',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	fields: [chatbotField, writeNotice, createMapper, createAdditionalFields],

	async read(item, api) {
		const params = await readContactItem(item, api, 'create');
		if (item.identity.id !== undefined) return params;
		throw missingIdError(
			item,
			'Map External ID to the ID that the contact has in your own system.',
		);
	},

	async sendAll(run) {
		const { maxConcurrency } = run.limits;
		warnOfInput(run);
		const groups = byChatbot(run.items);
		await forEachLimited(groups, maxConcurrency, async ({ api, chatbotId, items }) => {
			await new NewContactWriter(api, chatbotId).write(await tasksOf(items));
		});
		return hintedOutput(run, contactNouns, true);
	},
});

/** Creates contacts without a lookup. Existing contacts are not changed. */
class NewContactWriter extends ContactWriter {
	override readonly isLookedUp = false;

	override bodyOf({ wanted }: ContactTask): IDataObject {
		return newContact(wanted, true);
	}

	protected override succeed({ items }: ContactTask, contact: Contact) {
		items.forEach(({ succeed }) => succeed([{ ...contact }]));
	}

	protected override async foundExisting({ items, existing }: ContactTask) {
		const nextStep = `External ID: ${String(existing?.external_id)}. Use Create or Update to change existing contacts.`;
		for (const { item, fail } of items) {
			fail(item.error('A contact with this External ID exists', nextStep));
		}
	}
}
