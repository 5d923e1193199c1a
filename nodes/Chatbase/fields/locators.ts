import type { INodeProperties } from 'n8n-workflow';

/**
 * A field whose value is chosen from a list of the service, or typed.
 *
 * @param listPlaceholder text of the empty list
 * @param typed the mode for a typed value
 */
function locator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & Partial<INodeProperties>,
	listPlaceholder: string,
	searchListMethod: string,
	typed: { displayName: string; name: string; placeholder: string; hint: string },
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: listPlaceholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ ...typed, type: 'string' },
		],
	};
}

export const chatbotField = locator(
	{
		displayName: 'Chatbot',
		name: 'chatbotId',
		required: true,
		description: 'The chatbot to work with',
	},
	'Choose a chatbot...',
	'searchChatbots',
	{
		displayName: 'ID',
		name: 'id',
		placeholder: 'e.g. 4f0jCqZ8T7pXkL2mNbVwR',
		hint: 'Shown in the dashboard under Settings, General',
	},
);

export const contactField = locator(
	{
		displayName: 'Contact',
		name: 'contactId',
		required: true,
		description: 'The contact to work with. Its External ID is the ID from your own system.',
	},
	'Choose a contact...',
	'searchContacts',
	{
		displayName: 'External ID',
		name: 'id',
		placeholder: 'e.g. customer-1001',
		hint: 'The ID from your own system, not the internal ID of Chatbase',
	},
);

/** @param searchListMethod a list of all attributes, or of the active ones of one type */
export function attributeLocator(
	displayName: string,
	name: string,
	description: string,
	searchListMethod:
		| 'searchCustomAttributes'
		| 'searchDateAttributes'
		| 'searchTextAttributes' = 'searchCustomAttributes',
): INodeProperties {
	return locator({ displayName, name, description }, 'Choose an attribute...', searchListMethod, {
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. lifetime_value',
		hint: 'The name of the attribute, not its label',
	});
}

/** A team of the helpdesk. */
export function teamLocator(name: string, description: string): INodeProperties {
	return locator({ displayName: 'Team', name, description }, 'Choose a team...', 'searchTeams', {
		displayName: 'ID',
		name: 'id',
		placeholder: 'e.g. 7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f',
		hint: 'Tickets have it as teamId',
	});
}

export const ticketStatusField = locator(
	{
		displayName: 'Status',
		name: 'status',
		description: 'Status of the ticket. A category stands for its default status.',
	},
	'Choose a status...',
	'searchTicketStatuses',
	{
		displayName: 'Category or ID',
		name: 'id',
		placeholder: 'e.g. on_you',
		hint: 'new, on_you, on_customer, on_hold, closed, cancelled, or the ID of a status',
	},
);

/**
 * A model, from a list or as free text, since models are new more often than this package.
 *
 * @param searchListMethod the list of the operation: chat and settings accept different models
 */
export function modelField(
	searchListMethod: 'searchChatModels' | 'searchSettingsModels',
	description: string,
): INodeProperties {
	return locator(
		{ displayName: 'Model', name: 'model', description },
		'Choose a model...',
		searchListMethod,
		{
			displayName: 'ID',
			name: 'id',
			placeholder: 'e.g. gpt-5-mini',
			hint: 'For a model that is not in the list',
		},
	);
}
