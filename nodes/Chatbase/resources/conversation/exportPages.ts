import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages, type PagedList } from '../../api/paginate';
import type { Endpoint } from '../../api/subjects';
import { exportPath } from './conversations';

export const exportRequest = {
	method: 'GET',
	path: exportPath,
	resource: 'agentConversations',
} as const satisfies Endpoint;

/** Conversations a page, at most (reference of version 2). */
const maxPageSize = 20;

export interface ExportWish {
	chatbotId: string;
	/** Filters, and `include` if messages are not wanted. */
	query: IDataObject;
	/** How many conversations to read, at most; Infinity for all. */
	limit: number;
}

/** When conversations began, as ISO 8601 text. Both ends are included. A missing end means no limit. */
export interface TimeRange {
	startDate?: IDataObject[string];
	endDate?: IDataObject[string];
}

/** @param part a time range that replaces the one of the wish */
export function exportPages(
	api: ApiClient,
	wish: ExportWish,
	part: TimeRange = {},
): PagedList<IDataObject> {
	const { chatbotId, query, limit } = wish;
	const pageSize = Math.min(limit, maxPageSize);

	return cursorPages(api, {
		...exportRequest,
		params: { chatbotId },
		query: { limit: pageSize, include: 'messages', ...query, ...part },
		canBeMissing: 'conversationId' in query,
	});
}

/** Whether a conversation came with its messages, if they were asked for. */
export function hasWantedMessages(
	{ query }: ExportWish,
	{ messages }: IDataObject,
): boolean {
	return query.include !== undefined || Array.isArray(messages);
}
