import type { INodeProperties } from 'n8n-workflow';

import { toolNotice } from '../../fields/toolNotice';
import { contactCreateFields, createContact } from './create';
import { contactDeleteFields, deleteContact } from './delete';
import { contactDataFields } from './description/fields';
import { contactGetFields, getContact } from './get';
import { contactGetAllFields, getAllContacts } from './getAll';
import { contactPath, contactsPath } from './requests/paths';
import { contactSyncFields, contactSyncOptions, syncContacts } from './sync';
import { contactUpdateFields, updateContact } from './update';
import { contactUpsertFields, upsertContact } from './upsert';

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
			routing: { request: { method: 'POST', url: contactsPath } },
		},
		{
			name: 'Create or Update',
			value: 'upsert',
			action: 'Create or update contact',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			routing: { request: { method: 'POST', url: contactsPath } },
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete contact',
			description: 'Remove a contact for good. This cannot be undone.',
			routing: { request: { method: 'DELETE', url: contactPath } },
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get contact',
			description: 'Read one contact by its External ID',
			routing: { request: { method: 'GET', url: contactPath } },
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many contacts',
			description: 'Read the whole contact list, or those that match filters',
			routing: { request: { method: 'GET', url: contactsPath } },
		},
		{
			name: 'Sync List',
			value: 'sync',
			action: 'Sync contact list',
			description:
				'Make the contacts become the list that comes in: create and update those in it, and deal with those who left it',
			routing: { request: { method: 'POST', url: contactsPath } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update contact',
			description: 'Change fields and custom attributes of one contact',
			routing: { request: { method: 'PATCH', url: contactPath } },
		},
	],
};

export const contactRunners = {
	create: createContact,
	delete: deleteContact,
	get: getContact,
	getAll: getAllContacts,
	sync: syncContacts,
	update: updateContact,
	upsert: upsertContact,
};

export const contactFields: INodeProperties[] = [
	toolNotice(
		{ resource: ['contact'], operation: ['delete'] },
		'An agent can delete any contact permanently with this tool, if it may name the contact. Say under Tool Description when it may.',
	),
	...contactSyncFields,
	...contactDataFields,
	...contactCreateFields,
	...contactDeleteFields,
	...contactGetFields,
	...contactGetAllFields,
	...contactSyncOptions,
	...contactUpdateFields,
	...contactUpsertFields,
];
