import type { INodeProperties } from 'n8n-workflow';

import { routed } from '../../transport/operation';
import { contactGetFields, getContact } from './get';

export const contactOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['contact'] } },
	default: 'get',
	options: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get contact',
			description: 'Read one contact by its External ID',
			routing: routed('GET', '/chatbots/{chatbotId}/contacts/{contactId}', getContact),
		},
	],
};

export const contactFields: INodeProperties[] = [...contactGetFields];
