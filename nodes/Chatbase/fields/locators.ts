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
