import type { INodeProperties } from 'n8n-workflow';

import { choiceField, idField, optionalField } from './field';
import { filledText } from './types';
import type { InputItem } from '../execution/item';

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

export const notFoundOption = (returned: string, what = 'contact with this External ID') =>
	choiceField('options.onNotFound', 'If Not Found', {
		description: `What to do if the chatbot has no ${what}`,
		choices: {
			error: ['Fail', 'The item fails; On Error in the settings decides what follows'],
			mark: ['Return found: false', returned],
		},
	});

const notFound = notFoundOption('');

/** Whether the item returns `found: false` for a record that does not exist. */
export function readMarksMissing(item: InputItem): boolean {
	return notFound.read(item) === 'mark';
}

/** The three lists of the contract (AI model values), by maker. A service may still accept the earlier ones. */
export const chatModels = wordsIn(`
	gpt-4o gpt-4o-mini o4-mini gpt-oss-120b gpt-oss-20b gpt-5 gpt-5.1 gpt-5.2 gpt-5.4 gpt-5.4-mini
	gpt-5.4-nano gpt-5-mini gpt-5-nano
	claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-5 claude-haiku-4-5 claude-sonnet-4-5
	gemini-2.5-flash gemini-2.5-pro gemini-3-flash gemini-3.1-flash-lite gemini-3.1-pro
	grok-3 grok-3-mini grok-4
	DeepSeek-V3 DeepSeek-R1
	Llama-4-Scout-17B-16E-Instruct Llama-4-Maverick-17B-128E-Instruct-FP8
	kimi-k2
`);

export const settingsModels = wordsIn(`
	gpt-4o-mini gpt-oss-120b gpt-oss-20b gpt-5.2 gpt-5.4-mini gpt-5.4-nano gpt-5.5 gpt-5.6-terra
	gpt-5.6-luna gpt-5-mini gpt-5-nano
	claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-5
	claude-haiku-4-5 claude-sonnet-4-5
	gemini-2.5-pro gemini-3-flash gemini-3.1-flash-lite gemini-3.1-pro gemini-3.5-flash
	gemini-3.5-flash-lite gemini-3.6-flash
	grok-3 grok-3-mini grok-4
	DeepSeek-V3 DeepSeek-R1 DeepSeek-V4-Flash
	Llama-4-Scout-17B-16E-Instruct Llama-4-Maverick-17B-128E-Instruct-FP8
	kimi-k2 mistral-medium-3.5 mistral-small-2603 glm-5.2 auto
`);

export const earlierChatModels = wordsIn(`
	gpt-4-turbo gpt-4 gpt-4.1 gpt-4.1-mini gpt-4.1-nano o3-mini o3
	claude-opus-4-1 claude-sonnet-4 claude-opus-4 claude-3-7-sonnet claude-3-5-sonnet
	claude-3-haiku claude-3-opus
	gemini-1.5-flash gemini-1.5-pro gemini-2.0-flash gemini-2.0-pro
	command-r command-r-plus command-a
`);

function wordsIn(text: string): string[] {
	return text.trim().split(/\s+/);
}
