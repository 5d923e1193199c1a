import type { PagedList } from '../../api/paginate';
import { pagedList } from '../../api/paginate';
import type { ApiClient } from '../../api/client';
import { asObjects } from '../../values/object';

/** The saved conversations of a chatbot. */
export const conversationsPath = '/get-conversations';

/** Conversations a page, at most (public reference, 4.7). */
export const maxPageSize = 100;

/**
 * The saved conversations of a chatbot.
 *
 * @param size conversations a page, 1 to 100
 */
export function conversationList(api: ApiClient, chatbotId: string, size: number): PagedList {
	const fixed = { chatbotId, size };
	return pagedList(api, conversationsPath, fixed, 'conversation', ({ data }) => asObjects(data));
}
