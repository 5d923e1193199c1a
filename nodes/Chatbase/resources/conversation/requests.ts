import type { PagedList } from '../../transport/pages';
import { pagedList } from '../../transport/pages';
import type { Service } from '../../transport/service';
import { asObjects } from '../../values/object';

/** The saved conversations of a chatbot. */
export const conversationsPath = '/get-conversations';

/** Conversations a page, at most (public reference, 4.7). */
export const largestPage = 100;

/**
 * The saved conversations of a chatbot.
 *
 * @param size conversations a page, 1 to 100
 */
export function conversationList(service: Service, chatbotId: string, size: number): PagedList {
	const fixed = { chatbotId, size };
	return pagedList(service, conversationsPath, fixed, 'conversation', ({ data }) =>
		asObjects(data),
	);
}
