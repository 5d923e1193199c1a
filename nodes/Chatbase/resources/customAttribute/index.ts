import type { INodeProperties } from 'n8n-workflow';

import { routed } from '../../transport/operation';
import { createAttribute, customAttributeCreateFields } from './create';

export const customAttributeOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['customAttribute'] } },
	default: 'create',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create custom attribute',
			description: 'Define a new property that contacts can have. Its name and type are permanent.',
			routing: routed('POST', '/chatbots/{chatbotId}/custom-attributes', createAttribute),
		},
	],
};

export const customAttributeFields: INodeProperties[] = [...customAttributeCreateFields];
