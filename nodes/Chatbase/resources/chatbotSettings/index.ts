import type { INodeProperties } from 'n8n-workflow';

import { chatbotSettingsUpdateFields } from './fields';
import { updateSettings } from './update';

export const chatbotSettingsOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['chatbotSettings'] } },
	default: 'update',
	options: [
		{
			name: 'Update',
			value: 'update',
			action: 'Update chatbot settings',
			description: 'Change how a chatbot behaves, looks and collects leads',
			routing: { request: { method: 'POST', url: '/update-chatbot-settings' } },
		},
	],
};

export const chatbotSettingsRunners = {
	update: updateSettings,
};

export const chatbotSettingsFields: INodeProperties[] = [...chatbotSettingsUpdateFields];
