import type { INodeListSearchResult, INodeProperties } from 'n8n-workflow';

/** Models that a chat message may ask for (contract, AI model values). */
export const chatModels = [
	'gpt-4o',
	'gpt-4o-mini',
	'o4-mini',
	'gpt-oss-120b',
	'gpt-oss-20b',
	'gpt-5',
	'gpt-5.1',
	'gpt-5.2',
	'gpt-5.4',
	'gpt-5.4-mini',
	'gpt-5.4-nano',
	'gpt-5-mini',
	'gpt-5-nano',
	'claude-opus-4-6',
	'claude-sonnet-4-6',
	'claude-opus-4-5',
	'claude-haiku-4-5',
	'claude-sonnet-4-5',
	'gemini-2.5-flash',
	'gemini-2.5-pro',
	'gemini-3-flash',
	'gemini-3.1-flash-lite',
	'gemini-3.1-pro',
	'grok-3',
	'grok-3-mini',
	'grok-4',
	'DeepSeek-V3',
	'DeepSeek-R1',
	'Llama-4-Scout-17B-16E-Instruct',
	'Llama-4-Maverick-17B-128E-Instruct-FP8',
	'kimi-k2',
];

/** Chat models of an earlier listing, which a service may still accept (contract, same section). */
export const earlierChatModels = [
	'gpt-4-turbo',
	'gpt-4',
	'gpt-4.1',
	'gpt-4.1-mini',
	'gpt-4.1-nano',
	'o3-mini',
	'o3',
	'claude-opus-4-1',
	'claude-sonnet-4',
	'claude-opus-4',
	'claude-3-7-sonnet',
	'claude-3-5-sonnet',
	'claude-3-haiku',
	'claude-3-opus',
	'gemini-1.5-flash',
	'gemini-1.5-pro',
	'gemini-2.0-flash',
	'gemini-2.0-pro',
	'command-r',
	'command-r-plus',
	'command-a',
];

/** Models that a chatbot may be set to (contract, same section). */
export const settingsModels = [
	'gpt-4o-mini',
	'gpt-oss-120b',
	'gpt-oss-20b',
	'gpt-5.2',
	'gpt-5.4-mini',
	'gpt-5.4-nano',
	'gpt-5.5',
	'gpt-5.6-terra',
	'gpt-5.6-luna',
	'gpt-5-mini',
	'gpt-5-nano',
	'claude-opus-4-8',
	'claude-opus-4-7',
	'claude-opus-4-6',
	'claude-sonnet-4-6',
	'claude-opus-4-5',
	'claude-haiku-4-5',
	'claude-sonnet-4-5',
	'gemini-2.5-pro',
	'gemini-3-flash',
	'gemini-3.1-flash-lite',
	'gemini-3.1-pro',
	'gemini-3.5-flash',
	'gemini-3.5-flash-lite',
	'gemini-3.6-flash',
	'grok-3',
	'grok-3-mini',
	'grok-4',
	'DeepSeek-V3',
	'DeepSeek-R1',
	'DeepSeek-V4-Flash',
	'Llama-4-Scout-17B-16E-Instruct',
	'Llama-4-Maverick-17B-128E-Instruct-FP8',
	'kimi-k2',
	'mistral-medium-3.5',
	'mistral-small-2603',
	'glm-5.2',
	'auto',
];

/**
 * The model that answers, from a list or as free text, since new models come faster than releases.
 *
 * @param searchListMethod the list that belongs to the operation: chat and settings take different models
 * @param description what choosing a model means there
 */
export function modelField(
	searchListMethod: 'searchChatModels' | 'searchSettingsModels',
	description: string,
): INodeProperties {
	return {
		displayName: 'Model',
		name: 'model',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a model...',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. gpt-5-mini',
				hint: 'For a model that the list does not have',
			},
		],
	};
}

/**
 * Picks the models that contain a text, in the order given.
 *
 * @param models values of the models, each with the name that the list shows
 * @param filter what the user has typed into the search of the list
 */
export function searchModels(
	models: Array<{ name: string; value: string }>,
	filter = '',
): INodeListSearchResult {
	const wanted = filter.trim().toLowerCase();
	return { results: models.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}
