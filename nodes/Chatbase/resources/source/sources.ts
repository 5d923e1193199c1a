import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type CursorPage, cursorPages, type PagedList } from '../../api/paginate';
import type { RunContext } from '../../execution/context';
import { readComplete } from '../../execution/lists';
import { kindOf } from '../../sync/outcome';
import { assertChatbotKnown } from '../chatbot/chatbots';

export const sourcesPath = '/agents/{chatbotId}/sources';
export const nouns = kindOf({
	one: 'source',
	many: 'sources',
	title: 'Sources',
	ids: 'names',
});

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
export function sourcePages(
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
): PagedList<IDataObject, CursorPage> {
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

/** The sources of a chatbot that have a name to be recognized by. */
export async function readMatchable(
	place: Pick<RunContext, 'error'>,
	api: ApiClient,
	chatbotId: string,
): Promise<Source[]> {
	const filters = { type: 'text,qna,file' };
	const sources = await readSources(place, api, { chatbotId, filters });
	return sources.filter((source) => !isGone(source));
}
