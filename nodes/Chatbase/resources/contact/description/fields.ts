import type { INodeProperties } from 'n8n-workflow';

import { additionalContactFields } from './additionalFields';
import { contactMapper } from './mapper';

const matchByField: INodeProperties = {
	displayName: 'Match Contacts By',
	name: 'matchBy',
	type: 'options',
	default: 'externalId',
	description:
		'How the node tells whether a contact exists already. In Create or Update, an item without External ID is matched by its Email in either case.',
	displayOptions: { show: { resource: ['contact'], operation: ['sync', 'upsert'] } },
	options: [
		{
			name: 'External ID',
			value: 'externalId',
			description: 'A contact with another ID is another person, even with the same Email',
		},
		{
			name: 'External ID, Then Email',
			value: 'externalIdThenEmail',
			description:
				'Where no contact has the ID, the one with the same Email is updated and given the ID. This reads the whole contact list.',
		},
	],
};

/** The mapper and Additional Fields, of the operations that write the data of contacts. */
export const contactDataFields: INodeProperties[] = [
	matchByField,
	contactMapper('map', { resource: ['contact'], operation: ['sync', 'update', 'upsert'] }),
	contactMapper('add', { resource: ['contact'], operation: ['create'] }),
	additionalContactFields({ resource: ['contact'], operation: ['create'] }, false),
	additionalContactFields({ resource: ['contact'], operation: ['sync', 'update', 'upsert'] }, true),
];
