/** What the panels of several operations have: notices, collections, limits, Dry Run, output and models. */
import type {
	INodeListSearchItems,
	INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import {
	type Look,
	methodsOf,
	optionField,
	type PanelProperty,
	propertyOf,
	type Shown,
} from './field';
import { wholeNumber } from './types';
import { type ListSearch, locator, matching } from './locators';

/** For what is shown only in a tool of an agent, or only outside of one. */
export function shownInTool(isTool: boolean): Pick<INodeProperties, 'displayOptions'> {
	return { displayOptions: { show: { '@tool': [isTool] } } };
}

/** @param displayName the text, which n8n renders as HTML */
export function notice(
	name: string,
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

/** @param show further conditions, under which the notice is true */
export function toolNotice(
	displayName: string,
	show: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): INodeProperties {
	return notice('toolNotice', displayName, { show: { '@tool': [true], ...show } });
}

export const writeNotice = toolNotice(
	'The agent writes to Chatbase. Describe under Tool Description when it should.',
);

/** Shown if the locator is an expression, such as one that the model fills in: n8n 2.41 never hides a field because of one. */
export function deletionNotice(noun: string, locator: string): INodeProperties {
	const text = `The agent can delete any ${noun} that it can name. Choose the ${noun} yourself, or limit use in Tool Description.`;
	return toolNotice(text, { [locator]: [] });
}

export function filtersField(filters: Shown[], description?: string): PanelProperty {
	const placeholder = 'Add Filter';
	return collection(
		{ displayName: 'Filters', name: 'filters', placeholder, description },
		filters,
	);
}

export function optionsField(options: Shown[]): PanelProperty {
	const placeholder = 'Add option';
	return collection({ displayName: 'Options', name: 'options', placeholder }, options);
}

export function additionalFieldsField(
	fields: Shown[],
	description?: string,
): PanelProperty {
	const look = {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add Additional Field',
		description,
	};
	return collection(look, fields);
}

export function updateFieldsField(fields: Shown[]): PanelProperty {
	const look = {
		displayName: 'Update Fields',
		name: 'updateFields',
		placeholder: 'Add Field',
		description: 'Only the fields that you add are changed',
	};
	return collection(look, fields);
}

/** The error of an item without a change. */
export function nothingToUpdate(item: InputItem, advice: string): NodeOperationError {
	const cause = 'If a field is an expression, it has no value for this item.';
	return item.error('Nothing to update', `${advice} ${cause}`);
}

/** n8n's guidelines sort collections by display name. */
const order = new Intl.Collator('en', { sensitivity: 'base' });

interface CollectionLook {
	displayName: string;
	name: string;
	/** The text of the button that adds a field. */
	placeholder: string;
	description?: string;
}

export function collection(look: CollectionLook, fields: Shown[]): PanelProperty {
	const options = fields
		.map(propertyOf)
		.sort((one, other) => order.compare(one.displayName, other.displayName));
	const property: INodeProperties = { ...look, type: 'collection', default: {}, options };

	return { property, methods: methodsOf(fields) };
}

export const maxConcurrencyOption = optionField(
	'maxConcurrency',
	'Max Concurrency',
	wholeNumber(1),
	{
		description:
			'Most requests that the node sends at the same time. Lower it if the service reports too many requests.',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 5,
	},
);

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

/** Models of the earlier list appear only in a search, so that the list stays short. */
const searchChatModels: ListSearch = async function (filter) {
	const earlier = choicesOf(earlierChatModels, ' (older, may be refused)');
	return matching([...choicesOf(chatModels), ...(filter?.trim() ? earlier : [])], filter);
};

const searchSettingsModels: ListSearch = async function (filter) {
	return matching(choicesOf(settingsModels), filter);
};

function choicesOf(models: readonly string[], note = ''): INodeListSearchItems[] {
	return models.map((value) => ({ name: value + note, value }));
}

const listFor = { chat: { searchChatModels }, settings: { searchSettingsModels } };

/** Chat and settings accept different models, and new ones more often than this package appears. */
export function modelLook(use: keyof typeof listFor, description: string): Look {
	const list = locator(listFor[use], 'a model', {
		placeholder: 'e.g. gpt-5-mini',
		hint: 'For a model that is not in the list',
	});
	return { description, ...list };
}
