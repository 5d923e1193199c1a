import type { INodeProperties } from 'n8n-workflow';

import { toolNotice } from '../../fields/toolNotice';
import { createAttribute, customAttributeCreateFields } from './create';
import { customAttributeGetAllFields, getAllAttributes } from './getAll';
import { attributePath, attributesPath } from './requests';
import { customAttributeUpdateFields, updateAttribute } from './update';

export const customAttributeOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['customAttribute'] } },
	default: 'getAll',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create custom attribute',
			description:
				'Define a new property that contacts can have. Its name and type are permanent, and it can never be deleted.',
			routing: { request: { method: 'POST', url: attributesPath } },
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many custom attributes',
			description: 'List the properties that contacts of a chatbot can have',
			routing: { request: { method: 'GET', url: attributesPath } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update custom attribute',
			description: 'Change label or description of an attribute, archive it or bring it back',
			routing: {
				request: { method: 'PUT', url: attributePath },
			},
		},
	],
};

export const customAttributeRunners = {
	create: createAttribute,
	getAll: getAllAttributes,
	update: updateAttribute,
};

export const customAttributeFields: INodeProperties[] = [
	toolNotice(
		{ resource: ['customAttribute'], operation: ['create'] },
		'What an agent creates with this tool stays: a custom attribute can be archived, but never deleted or renamed.',
	),
	...customAttributeCreateFields,
	...customAttributeGetAllFields,
	...customAttributeUpdateFields,
];
