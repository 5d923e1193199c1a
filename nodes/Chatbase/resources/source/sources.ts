import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import type { ApiResponse } from '../../api/response';
import type { RunContext } from '../../execution/context';
import { readComplete } from '../../execution/lists';
import { kindOf } from '../../sync/outcome';
import { isObject } from '../../values/json';
import { assertChatbotKnown } from '../chatbot/chatbots';

export const sourcesPath = '/agents/{chatbotId}/sources';
export const sourcePath = `${sourcesPath}/{sourceId}`;
export const nouns = kindOf({ one: 'source', many: 'sources', title: 'Sources', ids: 'names' });

/** As the service returns it, without its content. */
export interface Source extends IDataObject {
	id: string;
	type?: string;
	name?: string | null;
	/** In bytes. A service may state it only after the training. */
	size?: number;
	status?: string;
	metadata?: IDataObject | null;
}

/** What an item and its source have in common. */
export function keyOf(source: Pick<Source, 'type' | 'name'>): string {
	return `${source.type} ${nameOf(source)}`;
}

/** A service may remove spaces around a name, and store it in another Unicode form. */
export function nameOf({ name }: Pick<Source, 'name'>): string {
	return (name ?? '').trim().normalize('NFC');
}

export function isGone({ status }: Source): boolean {
	return status === 'toBeDeleted' || status === 'deleted';
}

/** @param query `limit` can be up to 100 (reference of version 2, 2.3) */
export function sourcePages(api: ApiClient, chatbotId: string, query: IDataObject) {
	return cursorPages(api, {
		path: sourcesPath,
		resource: 'agentSources',
		params: { chatbotId },
		query: { limit: 100, ...query },
	});
}

interface SourceQuery {
	chatbotId: string;
	/** Filters of the service. All sources, if absent. */
	filters?: IDataObject;
	/** Most sources to read. */
	limit?: number;
}

/** Reads a whole list, or its first sources. Throws if the list is not complete, or there is no such chatbot. */
export async function readSources(
	place: Pick<RunContext, 'error'>,
	api: ApiClient,
	{ chatbotId, filters = {}, limit = Infinity }: SourceQuery,
): Promise<Source[]> {
	const list = sourcePages(api, chatbotId, { limit: Math.min(limit, 100), ...filters });
	const items = await readComplete(place, 'sources', list, { limit });
	if (items.length === 0) await assertChatbotKnown(api, chatbotId, 'agentSources');
	return items as Source[];
}

/** Where a source is. */
export interface SourceAddress {
	chatbotId: string;
	sourceId: string;
}

export async function sendToSource(
	api: ApiClient,
	{ chatbotId, sourceId }: SourceAddress,
	request: { method: 'GET' | 'PUT' | 'DELETE'; body?: IDataObject },
): Promise<ApiResponse> {
	const params = { chatbotId, sourceId };
	return await api.send({ ...request, path: sourcePath, resource: 'agentSource', params });
}

export function sourceOf(body: unknown): Source | undefined {
	if (!isObject(body)) return undefined;
	// The service is said to wrap a file that was sent.
	const source = isObject(body.data) ? body.data : body;
	return typeof source.id === 'string' ? (source as Source) : undefined;
}

/** @throws NodeApiError if the request failed, or the response has another source */
export function sourceIn(api: ApiClient, response: ApiResponse, sourceId: string): Source {
	return api.expectBody(response, (body) => {
		const source = sourceOf(body);
		return source?.id.toLowerCase() === sourceId.toLowerCase() ? source : undefined;
	});
}
