import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { WantedContact } from '../../contacts/change';
import { changeOf, newContact } from '../../contacts/change';
import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import { refuse } from '../../fields/read';
import { escapeHtml } from '../../transport/html';
import type { ItemContext, JointOperation } from '../../transport/operation';
import { AttributeSchemas } from './attributeSchemas';
import { byChatbot } from './byChatbot';
import type { Creation } from './createContacts';
import { createContacts } from './createContacts';
import { writeOptions } from './fields';
import type { ContactTask } from './prepare';
import { prepare, readContactTask } from './prepare';
import type { ContactUnit } from './units';
import { failUnit, succeedUnit, unitsOf } from './units';

/** Creates contacts, as many as possible with each request. */
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
	if (wanted.fields.has('external_id')) return wanted;
	throw refuse(
		context,
		'External ID is empty',
		'A contact is found by this ID later on. Map it to the ID that the contact has in your own system.',
	);
}

function externalIdOf(wanted: WantedContact): string {
	return String(wanted.fields.get('external_id'));
}

function creationOf(unit: ContactUnit<ContactTask>): Creation {
	const { wanted } = unit;
	const externalId = externalIdOf(wanted);
	return {
		externalId,
		data: newContact(wanted),
		onCreated: (contact) => succeedUnit(unit, contact),
		async onExisting(contact, mayBeOurs) {
			const isAsWanted = changeOf(contact, wanted, 'merge', []).changed.length === 0;
			if (mayBeOurs && isAsWanted) succeedUnit(unit, contact);
			else failUnit(unit, exists(unit, externalId));
		},
		onFailed: (error) => failUnit(unit, error),
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
	optionsField({ resource: ['contact'], operation: ['create'] }, [
		writeOptions.emptyValues,
		maxConcurrencyOption,
	]),
];
