import type { INodeProperties } from 'n8n-workflow';

/**
 * A field whose value is chosen from a list of the service, or typed.
 *
 * @param listPlaceholder what the list shows before anything is chosen
 * @param typed the mode in which the value is typed
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
		description: 'The contact to work with, by its External ID: the ID it has in your own system',
	},
	'Choose a contact...',
	'searchContacts',
	{
		displayName: 'External ID',
		name: 'id',
		placeholder: 'e.g. customer-1001',
		hint: 'The ID from your own system, not the internal ID of the service',
	},
);

export function attributeLocator(
	displayName: string,
	name: string,
	description: string,
): INodeProperties {
	return locator(
		{ displayName, name, description },
		'Choose an attribute...',
		'searchCustomAttributes',
		{
			displayName: 'Name',
			name: 'name',
			placeholder: 'e.g. lifetime_value',
			hint: 'The name as it was created, not the label',
		},
	);
}

/**
 * The model that answers, from a list or as free text, since new models come faster than releases.
 *
 * @param searchListMethod the list that belongs to the operation: chat and settings take different models
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
			hint: 'For a model that the list does not have',
		},
	);
}
