import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { text } from '../fields/values';
import { isPathSegment } from '../api/address';
import { readRequestOptions } from '../api/settings';
import type { ApiClient } from '../api/client';
import { openApiClient } from '../api/client';
import { isObject } from '../values/object';

/** How many pages a list in the panel reads at the same time. */
export const pagesAtOnce = 5;

/**
 * The way to the service for a list or a mapper in the panel, by the Request Options of the node. The trigger has none
 * (n8n 2.41 adds them to declarative nodes alone).
 *
 * @throws NodeOperationError when the credential or one of the options cannot work
 */
export async function panelService(context: ILoadOptionsFunctions): Promise<ApiClient> {
	const requestOptions = context.getCurrentNodeParameter('requestOptions');
	const hasRequestOptions = isObject(requestOptions);
	// Batching is for runs: a list has few requests, and somebody is waiting for it.
	const http = hasRequestOptions
		? readRequestOptions(context.getNode(), { ...requestOptions, batching: undefined })
		: {};
	const place = { requestOptions: hasRequestOptions, maxConcurrency: false };
	return await openApiClient(context, pagesAtOnce, { http, availableSettings: place });
}

/** The chatbot chosen in the panel, or undefined where none can be meant: an expression may have no data yet. */
export function chosenChatbot(context: ILoadOptionsFunctions): string | undefined {
	const id = text.read(context.getCurrentNodeParameter('chatbotId', { extractValue: true }));
	return id !== undefined && isPathSegment(id.trim()) && !id.startsWith('=') ? id : undefined;
}

/** Like `chosenChatbot`, for lists that are nothing without one. */
export function requireChatbot(context: ILoadOptionsFunctions): string {
	const id = chosenChatbot(context);
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), 'Choose a chatbot first', {
		description: 'The list depends on the field Chatbot.',
	});
}

/**
 * Picks what contains the text that the user has typed into the search of a list, in the order given.
 *
 * @param textOf what of a choice is searched; without it the name that the list shows
 */
export function matching(
	choices: INodeListSearchItems[],
	filter = '',
	textOf = ({ name }: INodeListSearchItems) => name,
): INodeListSearchResult {
	const wanted = filter.trim().toLowerCase();
	return { results: choices.filter((choice) => textOf(choice).toLowerCase().includes(wanted)) };
}

/** Sorts choices by the names that a list shows. */
export function byName(one: INodeListSearchItems, other: INodeListSearchItems): number {
	return one.name.localeCompare(other.name);
}
