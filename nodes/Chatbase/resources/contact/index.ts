import type { INodeProperties } from 'n8n-workflow';

import { routed } from '../../transport/operation';
import { contactCreateFields, createContact } from './create';
import { contactDeleteFields, deleteContact } from './delete';
import { contactDataFields } from './fields';
import { contactGetFields, getContact } from './get';
import { contactGetAllFields, getAllContacts } from './getAll';
import { contactUpdateFields, updateContact } from './update';
import { contactUpsertFields, upsertContact } from './upsert';

const list = '/chatbots/{chatbotId}/contacts';
const single = '/chatbots/{chatbotId}/contacts/{contactId}';

export const contactOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['contact'] } },
	default: 'upsert',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create contact',
			description: 'Add contacts, up to 1000 with one request',
			routing: routed('POST', list, createContact),
		},
		{
			name: 'Create or Update',
			value: 'upsert',
			action: 'Create or update contact',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			routing: routed('POST', list, upsertContact),
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete contact permanently',
			description: 'Remove a contact permanently',
			routing: routed('DELETE', single, deleteContact),
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get contact',
			description: 'Read one contact by its External ID',
			routing: routed('GET', single, getContact),
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many contacts',
			description: 'Read the whole contact list, or those that match filters',
			routing: routed('GET', list, getAllContacts),
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update contact',
			description: 'Change fields and custom attributes of one contact',
			routing: routed('PATCH', single, updateContact),
		},
	],
};

export const contactFields: INodeProperties[] = [
	...contactDataFields,
	...contactCreateFields,
	...contactDeleteFields,
	...contactGetFields,
	...contactGetAllFields,
	...contactUpdateFields,
	...contactUpsertFields,
];
