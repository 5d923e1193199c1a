import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { WantedContact } from '../../contacts/change';
import { changeOf, newContact } from '../../contacts/change';
import { maxConcurrencyOption } from '../../fields/paging';
import { assertWholeCharacters, refuse } from '../../fields/read';
import { escapeHtml } from '../../transport/html';
import type { ItemContext, JointOperation } from '../../transport/operation';
import { AttributeSchemas } from './attributeSchemas';
import { byChatbot } from './byChatbot';
import type { ContactUnit } from './conflicts';
import { unitsOf } from './conflicts';
import type { Creation } from './createContacts';
import { createContacts } from './createContacts';
import { writeOptions } from './fields';
import type { ContactTask } from './prepare';
import { prepare, readContactTask } from './prepare';

export const createContact: JointOperation<ContactTask> = {
	read: (context) => readContactTask(context, false, checked),

	async sendTogether(items) {
		const { service } = items[0];
		const ready = await prepare(items, new AttributeSchemas(service), checked);
		await Promise.all(
			byChatbot(ready).map(async ({ chatbotId, items: ofChatbot }) => {
				const units = unitsOf(ofChatbot, ({ wanted }) => externalIdOf(wanted));
				await createContacts(service, chatbotId, units.map(creationOf));
			}),
		);
	},
};

function checked(context: ItemContext, wanted: WantedContact): WantedContact {
	checkExternalId(context, wanted);
	if (wanted.fields.has('external_id')) return wanted;
	throw refuse(
		context,
		'External ID is empty',
		'A contact is found by this ID later on. Map it to the ID that the contact has in your own system.',
	);
}

/** Refuses IDs that no path could name later on. */
export function checkExternalId(context: ItemContext, { fields }: WantedContact) {
	const id = fields.get('external_id');
	if (typeof id === 'string') assertWholeCharacters(context, id, 'External ID');
	if (id !== '.' && id !== '..') return;
	throw refuse(context, 'External ID is not valid', `"${id}" cannot stand in an address.`);
}

function externalIdOf(wanted: WantedContact): string {
	return String(wanted.fields.get('external_id'));
}

function creationOf(unit: ContactUnit<ContactTask>): Creation {
	const { items, wanted } = unit;
	const succeed = (contact: IDataObject) => items.forEach(({ item }) => item.succeed([contact]));
	const fail = (error: unknown) => items.forEach(({ item }) => item.fail(error));
	const externalId = externalIdOf(wanted);
	return {
		externalId,
		data: newContact(wanted),
		onCreated: succeed,
		async onExisting(contact, mayBeOurs) {
			const isAsWanted = changeOf(contact, wanted, 'merge', []).changed.length === 0;
			if (mayBeOurs && isAsWanted) succeed(contact);
			else fail(exists(unit, externalId));
		},
		onFailed: fail,
	};
}

function exists({ items: [{ item }] }: ContactUnit<ContactTask>, externalId: string) {
	return new NodeOperationError(
		item.service.node,
		'The chatbot has a contact with this External ID already',
		{
			description: escapeHtml(
				`External ID: ${externalId}. Use the operation Create or Update to change contacts that exist.`,
			),
			itemIndex: item.index,
		},
	);
}

export const contactCreateFields: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { resource: ['contact'], operation: ['create'] } },
		options: [writeOptions.emptyValues, maxConcurrencyOption],
	},
];
