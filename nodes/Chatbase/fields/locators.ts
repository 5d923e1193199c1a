import type { INodeProperties } from 'n8n-workflow';

import { idField } from './field';

/**
 * A field whose value is chosen from a list of the service, or typed.
 *
 * @param typed the mode for a typed value
 */
function locator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'required'>,
	searchListMethod: string,
	typed: { displayName?: string; name?: string; placeholder: string; hint: string },
	listPlaceholder = `Choose a ${field.displayName.toLowerCase()}...`,
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
			{ displayName: 'ID', name: 'id', type: 'string', ...typed },
		],
	};
}

export const chatbotField = idField(
	locator(
		{
			displayName: 'Chatbot',
			name: 'chatbotId',
			required: true,
			description: 'The chatbot to work with',
		},
		'searchChatbots',
		{
			placeholder: 'e.g. 4f0jCqZ8T7pXkL2mNbVwR',
			hint: 'Shown in the dashboard under Settings, General',
		},
	),
);

export const contactField = idField(
	locator(
		{
			displayName: 'Contact',
			name: 'contactId',
			required: true,
			description: 'The contact to work with. Its External ID is the ID from your own system.',
		},
		'searchContacts',
		{
			displayName: 'External ID',
			placeholder: 'e.g. customer-1001',
			hint: 'The ID from your own system, not the internal ID of Chatbase',
		},
	),
);

export const sourceField = idField(
	locator(
		{
			displayName: 'Source',
			name: 'sourceId',
			required: true,
			description: 'The source to work with',
		},
		'searchSources',
		{
			placeholder: 'e.g. 6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
			hint: 'Get Many and Create return it',
		},
	),
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
	return locator(
		{ displayName, name, description },
		searchListMethod,
		{
			displayName: 'Name',
			name: 'name',
			placeholder: 'e.g. lifetime_value',
			hint: 'The name of the attribute, not its label',
		},
		'Choose an attribute...',
	);
}

export function teamLocator(name: string, description: string): INodeProperties {
	return locator({ displayName: 'Team', name, description }, 'searchTeams', {
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
	'searchTicketStatuses',
	{
		displayName: 'Category or ID',
		placeholder: 'e.g. on_you',
		hint: 'new, on_you, on_customer, on_hold, closed, cancelled, or the ID of a status',
	},
);

/** Chat and settings accept different models, and new ones more often than this package appears. */
export function modelField(
	searchListMethod: 'searchChatModels' | 'searchSettingsModels',
	description: string,
): INodeProperties {
	return locator({ displayName: 'Model', name: 'model', description }, searchListMethod, {
		placeholder: 'e.g. gpt-5-mini',
		hint: 'For a model that is not in the list',
	});
}
