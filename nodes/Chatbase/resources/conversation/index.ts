import type { INodeProperties } from 'n8n-workflow';

import { conversationGetAllFields, getAllConversations } from './getAll';
import { conversationsPath } from './requests';

export const conversationOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['conversation'] } },
	default: 'getAll',
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many conversations',
			description: 'Read the saved conversations of a chatbot with the messages of each',
			routing: { request: { method: 'GET', url: conversationsPath } },
		},
	],
};

export const conversationRunners = {
	getAll: getAllConversations,
};

export const conversationFields: INodeProperties[] = [...conversationGetAllFields];
