import type { INodeProperties } from 'n8n-workflow';

import { leadGetAllFields, getAllLeads } from './getAll';
import { leadsPath } from './requests';

export const leadOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['lead'] } },
	default: 'getAll',
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many leads',
			description: 'Read the contact details that visitors left in the form of a chatbot',
			routing: { request: { method: 'GET', url: leadsPath } },
		},
	],
};

export const leadRunners = {
	getAll: getAllLeads,
};

export const leadFields: INodeProperties[] = [...leadGetAllFields];
