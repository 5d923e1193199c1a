import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { hintedOutput } from '../../mirror/outcome';
import { createInBatches } from './batch';
import type { Contact } from './contact';
import { contactsPath } from './contact';
import { droppedFrom, newContact } from './difference';
import { createAdditionalFields, createMapper } from './fields';
import { readContactItem } from './item';
import { byChatbot, failWork, refusedError, worksOf } from './writer';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create contact',
	description: 'Add contacts, up to 1000 with one request',
	request: { method: 'POST', path: contactsPath },
	fields: [
		chatbotField,
		createMapper,
		createAdditionalFields,
		optionsField([maxConcurrencyOption]),
	],

	async read(item, api) {
		const params = await readContactItem(item, api, 'create');
		if (params.wanted.fields.has('external_id')) return params;
		throw item.error(
			'External ID is empty',
			'A contact is found by this ID later on. Map it to the ID that the contact has in your own system.',
		);
	},

	async sendAll(run) {
		for (const { api, chatbotId, items } of byChatbot(run.items)) {
			const works = worksOf(items, ({ params }) => params.identity.id!);
			const creations = works.map((work) => {
				const externalId = work.items[0].params.identity.id!;
				const data = newContact(work.wanted, true);
				const onCreated = (contact: Contact) =>
					work.items.forEach(({ succeed }) => succeed([{ ...contact }]));
				return {
					externalId,
					data,
					onCreated,
					async onExisting(contact: Contact, mayBeOurs: boolean) {
						const isAsSent = droppedFrom(data, new Map(), contact).length === 0;
						if (mayBeOurs && isAsSent) return onCreated(contact);
						failWork(work, (item) =>
							item.error(
								'The chatbot has a contact with this External ID already',
								`External ID: ${externalId}. Use the operation Create or Update to change contacts that exist.`,
							),
						);
					},
					async onRefused(response: Parameters<typeof refusedError>[1]) {
						const error = await refusedError(api, response, {
							chatbotId,
							contactId: externalId,
							email: data.email,
							isSwap: false,
							canMatchByEmail: false,
						});
						failWork(work, () => error);
					},
					onFailed: (error: unknown) => failWork(work, () => error),
				};
			});
			await createInBatches(api, chatbotId, creations, false);
		}
		return hintedOutput(run, false, true);
	},
});
