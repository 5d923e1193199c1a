import type { INodeProperties } from 'n8n-workflow';

import { idField, optionalField } from './field';
import { filledText } from './values';

/** The look of a field whose value is chosen from a list of the service, or typed. `noun` is such as "a chatbot". */
export function locator(
	searchListMethod: string,
	noun: string,
	typed: { displayName?: string; name?: string; placeholder: string; hint: string },
): Pick<INodeProperties, 'type' | 'default' | 'modes'> {
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose ${noun}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'ID', name: 'id', type: 'string', ...typed },
		],
	};
}

export const chatbotField = idField('chatbotId', 'Chatbot', {
	description: 'The chatbot to work with',
	...locator('searchChatbots', 'a chatbot', {
		placeholder: 'e.g. 4f0jCqZ8T7pXkL2mNbVwR',
		hint: 'Shown in the dashboard under Settings, General',
	}),
});

export const contactField = idField('contactId', 'Contact', {
	description: 'The contact to work with. Its External ID is the ID from your own system.',
	...locator('searchContacts', 'a contact', {
		displayName: 'External ID',
		placeholder: 'e.g. customer-1001',
		hint: 'The ID from your own system, not the internal ID of Chatbase',
	}),
});

export const sourceField = idField('sourceId', 'Source', {
	description: 'The source to work with',
	...locator('searchSources', 'a source', {
		placeholder: 'e.g. 6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
		hint: 'Get Many and Create return it',
	}),
});

/** @param searchListMethod a list of all attributes, or of the active ones of one type */
export function attributeLocator(searchListMethod = 'searchCustomAttributes') {
	return locator(searchListMethod, 'an attribute', {
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. lifetime_value',
		hint: 'The name of the attribute, not its label',
	});
}

/** Chat and settings accept different models, and new ones more often than this package appears. */
export function modelField(
	path: string,
	description: string,
	searchListMethod: 'searchChatModels' | 'searchSettingsModels',
) {
	const model = locator(searchListMethod, 'a model', {
		placeholder: 'e.g. gpt-5-mini',
		hint: 'For a model that is not in the list',
	});
	return optionalField(path, 'Model', filledText, { description, ...model });
}
