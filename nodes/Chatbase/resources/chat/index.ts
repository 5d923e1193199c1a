import type { INodeProperties } from 'n8n-workflow';

import { routed } from '../../transport/operation';
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
			action: 'Send message and get answer that costs message credits',
			description:
				'Ask a chatbot something and get its answer. Use it for what the chatbot was trained on; each answer costs message credits.',
			routing: routed('POST', '/chat', sendMessage),
		},
	],
};

export const chatFields: INodeProperties[] = [...chatSendFields];
