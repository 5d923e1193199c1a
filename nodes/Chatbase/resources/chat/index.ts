import type { INodeProperties } from 'n8n-workflow';

import { chatSendFields } from './fields';
import { sendMessage } from './send';

export const chatOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['chat'] } },
	default: 'send',
	options: [
		{
			name: 'Send Message',
			value: 'send',
			action: 'Send message',
			description:
				'Ask a chatbot something and get its answer. Use it for what the chatbot was trained on; each answer costs message credits.',
			routing: { request: { method: 'POST', url: '/chat' } },
		},
	],
};

export const chatRunners = {
	send: sendMessage,
};

export const chatFields: INodeProperties[] = [...chatSendFields];
