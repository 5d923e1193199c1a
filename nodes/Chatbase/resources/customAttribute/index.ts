import type { INodeProperties } from 'n8n-workflow';

import { routed } from '../../transport/operation';
import { createAttribute, customAttributeCreateFields } from './create';
import { customAttributeGetAllFields, getAllAttributes } from './getAll';
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
			description: 'Define a new property that contacts can have. Its name and type are permanent.',
			routing: routed('POST', '/chatbots/{chatbotId}/custom-attributes', createAttribute),
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many custom attributes',
			description: 'List the properties that contacts of a chatbot can have',
			routing: routed('GET', '/chatbots/{chatbotId}/custom-attributes', getAllAttributes),
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update custom attribute',
			description: 'Change label or description of an attribute, archive it or bring it back',
			routing: routed('PUT', '/chatbots/{chatbotId}/custom-attributes/{name}', updateAttribute),
		},
	],
};

export const customAttributeFields: INodeProperties[] = [
	...customAttributeCreateFields,
	...customAttributeGetAllFields,
	...customAttributeUpdateFields,
];
