import type { INodeListSearchItems } from 'n8n-workflow';

import type { FieldLook } from './field';
import { type ListSearch, locator, matching } from './locators';

/** The current lists of the contract (AI model values), each sorted by maker. */
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

/** Version 2 lacks two of them. */
export const agentModels = settingsModels.filter(
	(model) => !['gpt-5.4-mini', 'gpt-5.4-nano'].includes(model),
);

function wordsIn(text: string): string[] {
	return text.trim().split(/\s+/);
}

const searchChatModels: ListSearch = async function (filter) {
	return matching(modelChoices(chatModels), filter);
};

const searchSettingsModels: ListSearch = async function (filter) {
	return matching(modelChoices(settingsModels), filter);
};

/** For a new chatbot, which version 2 makes. */
const searchAgentModels: ListSearch = async function (filter) {
	return matching(modelChoices(agentModels), filter);
};

function modelChoices(models: readonly string[]): INodeListSearchItems[] {
	return models.map((value) => ({ name: value, value }));
}

const listFor = {
	agent: { searchAgentModels },
	chat: { searchChatModels },
	settings: { searchSettingsModels },
};

/**
 * The field for a model. Chat and settings accept different models. A model can be typed, because new ones appear more often
 * than versions of this package.
 */
export function modelLook(use: keyof typeof listFor, description: string): FieldLook {
	const list = locator(listFor[use], 'a model', {
		placeholder: 'e.g. gpt-5-mini',
		hint: 'For a model that is not in the list',
	});
	return { description, ...list };
}
