import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { BatchOperation } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import type { WriteTask } from './input/writeTask';
import { readWriteTask } from './input/writeTask';
import type { WantedContact } from './plan/change';
import { droppedFrom, newContact } from './plan/change';
import { showRunHint } from './report/hint';
import type { Creation } from './requests/create';
import { createContacts } from './requests/create';
import { refusedError } from './write/conflict';
import { byChatbot, entriesOf, writableUnits } from './write/entries';
import type { ContactUnit } from './write/unitWriter';
import { failUnit } from './write/unitWriter';

/** Creates contacts, as many as possible with each request. */
export const createContact: BatchOperation<WriteTask> = {
	read: (item) => readWriteTask(item, false, check),

	async sendAll(run) {
		const entries = await entriesOf(run, check);
		const groups = byChatbot(entries).map((group) => ({
			...group,
			units: writableUnits(group.entries, ({ claim }) => claim.id!),
		}));
		await Promise.all(
			groups.map(async ({ api, chatbotId, units }) => {
				await createContacts(
					api,
					chatbotId,
					units.map((unit): Creation => {
						const [{ wanted }] = unit.items;
						const externalId = wanted.fields.get('external_id') as string;
						const data = newContact(wanted, true);
						const onCreated = (contact: object) =>
							unit.items.forEach(({ open }) => open.succeed([{ ...contact }]));
						return {
							externalId,
							data,
							onCreated,
							async onExisting(contact, mayBeOurs) {
								const isAsSent = droppedFrom(data, new Map(), contact).length === 0;
								if (mayBeOurs && isAsSent) onCreated(contact);
								else failUnit(unit, ({ open }) => exists(open.item, unit));
							},
							async onRefused(response) {
								const error = await refusedError(api, {
									chatbotId,
									response,
									contactId: externalId,
									email: data.email,
									isSwap: false,
									canMatchByEmail: false,
								});
								failUnit(unit, () => error);
							},
							onFailed: (error) => failUnit(unit, () => error),
						};
					}),
					false,
				);
			}),
		);
		return showRunHint(run, { action: 'created' });
	},
};

function check(item: InputItem, { fields }: WantedContact) {
	if (fields.has('external_id')) return;
	throw item.refusal(
		'External ID is empty',
		'A contact is found by this ID later on. Map it to the ID that the contact has in your own system.',
	);
}

function exists(item: InputItem, { items: [{ claim }] }: ContactUnit) {
	return item.failure(
		'The chatbot has a contact with this External ID already',
		`External ID: ${claim.id}. Use the operation Create or Update to change contacts that exist.`,
	);
}

export const contactCreateFields: INodeProperties[] = [
	optionsField({ resource: ['contact'], operation: ['create'] }, [maxConcurrencyOption]),
];
