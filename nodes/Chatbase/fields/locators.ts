import type { INodeProperties } from 'n8n-workflow';

type DisplayOptions = INodeProperties['displayOptions'];

/** The chatbot that an operation works on. */
export function chatbotField(displayOptions: DisplayOptions): INodeProperties {
	return {
		displayName: 'Chatbot',
		name: 'chatbotId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The chatbot to work with',
		displayOptions,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a chatbot...',
				typeOptions: { searchListMethod: 'searchChatbots', searchable: true },
			},
			{
				displayName: 'ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 4f0jCqZ8T7pXkL2mNbVwR',
				hint: 'Shown in the dashboard under Settings, General',
			},
		],
	};
}

/** The contact that an operation works on, by the ID that the user's own system gave it. */
export function contactField(displayOptions: DisplayOptions): INodeProperties {
	return {
		displayName: 'Contact',
		name: 'contactId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The contact to work with, by its External ID: the ID it has in your own system',
		displayOptions,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a contact...',
				typeOptions: { searchListMethod: 'searchContacts', searchable: true },
			},
			{
				displayName: 'External ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. customer-1001',
				hint: 'The ID from your own system, not the internal ID of the service',
			},
		],
	};
}

/**
 * A custom attribute of the chatbot.
 *
 * @param displayName label of the field
 * @param name name of the parameter
 * @param description what the attribute is for there
 */
export function attributeLocator(
	displayName: string,
	name: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose an attribute...',
				typeOptions: { searchListMethod: 'searchCustomAttributes', searchable: true },
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. lifetime_value',
				hint: 'The name as it was created, not the label',
			},
		],
	};
}
