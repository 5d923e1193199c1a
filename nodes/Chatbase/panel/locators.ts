import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type INodeProperties,
} from 'n8n-workflow';

import { type ApiClient, openApiClient } from '../api/client';
import { ownFailure } from '../api/failure';
import type { PagedList } from '../api/paginate';
import { readRequestOptions } from '../api/settings';
import { isObject } from '../values/json';
import { isPathSegment } from '../values/text';
import type { PanelMethods } from './field';
import { text } from './types';

/**
 * Makes a client for the panel. Throws if the credential or an option is not usable. The trigger has no Request Options (n8n
 * 2.41).
 */
export async function panelClient(context: ILoadOptionsFunctions): Promise<ApiClient> {
	const requestOptions = context.getCurrentNodeParameter('requestOptions');
	if (!isObject(requestOptions)) return await openApiClient(context, {});

	// Batching would only delay the few requests of a list.
	const http = readRequestOptions({ ...requestOptions, batching: undefined });
	return await openApiClient(context, {
		http,
		availableSettings: { requestOptions: true },
	});
}

/** The chatbot chosen in the panel; undefined without one, or for an expression without data. */
export function chosenChatbot(context: ILoadOptionsFunctions): string | undefined {
	const chosen = context.getCurrentNodeParameter('chatbotId', { extractValue: true });
	const id = text.read(chosen)?.trim();
	if (id === undefined || id.startsWith('=')) return undefined;
	return isPathSegment(id) ? id : undefined;
}

export function requireChatbot(context: ILoadOptionsFunctions): string {
	const chatbotId = chosenChatbot(context);
	if (chatbotId !== undefined) return chatbotId;
	throw ownFailure('Choose a chatbot first');
}

/** A function that fills a list to choose from, as n8n calls it. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** How many pages without a match one call reads. */
const maxPagesWithoutMatch = 10;

export function matching(
	choices: INodeListSearchItems[],
	filter?: string,
): INodeListSearchResult {
	return { results: choices.filter(({ name }) => hasWords(name, filter)) };
}

export function hasWords(words: string, filter = ''): boolean {
	return words.toLowerCase().includes(filter.trim().toLowerCase());
}

export function compareNames(
	one: INodeListSearchItems,
	other: INodeListSearchItems,
): number {
	return one.name.localeCompare(other.name);
}

/**
 * The next page of choices. Without `filter`, the service has searched the list; otherwise, choices are kept that match the
 * filter. Reads further pages while none has a match.
 */
export async function choicesOn(
	{ read, first }: PagedList<IDataObject>,
	token: string | undefined,
	choiceOf: (record: IDataObject) => INodeListSearchItems,
	filter?: string,
): Promise<INodeListSearchResult> {
	let position = token ?? first;

	for (let count = 1; ; count++) {
		const { items, next } = await read(position);
		const { results } = matching(items.map(choiceOf), filter);
		const isEnd = next === undefined || next === position;
		if (isEnd) return { results };

		const isEnough = results.length > 0 || count === maxPagesWithoutMatch;
		if (isEnough) return { results, paginationToken: String(next) };
		position = next;
	}
}

/** How a user types a value instead of choosing it. */
interface TypedMode {
	/** "ID" if absent. */
	displayName?: string;
	name?: string;
	placeholder: string;
	/** Says where the value is found. */
	hint: string;
}

export type LocatorLook = Pick<INodeProperties, 'type' | 'default' | 'modes'> & {
	methods: PanelMethods;
};

/**
 * The look of a field whose value is chosen from a list of the service, or typed.
 * @param list the function that searches the list, under its name
 * @param noun such as "a chatbot"
 */
export function locator(
	list: Record<string, ListSearch>,
	noun: string,
	typed: TypedMode,
): LocatorLook {
	const [searchListMethod] = Object.keys(list);

	return {
		methods: { listSearch: list },
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
