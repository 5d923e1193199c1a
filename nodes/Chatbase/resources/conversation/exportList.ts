import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { Page, PagedList } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import {
	assertWithinOutputLimit,
	outputLimit,
	readComplete,
} from '../../execution/lists';
import { newestFirst } from '../../values/time';
import { assertChatbotKnown } from '../../chatbots/chatbots';
import { isSameConversation } from './conversations';
import { exportPages, type ExportWish, hasWantedMessages } from './exportPages';
import { isLong, readInParts } from './exportParts';

/**
 * Reads conversations, newest first. Throws if there are fewer than both the total and the limit, or if messages are missing.
 */
export async function readExport(
	item: InputItem,
	api: ApiClient,
	wish: ExportWish,
): Promise<IDataObject[]> {
	const conversations = newestFirst(await readPagesOrParts(item, api, wish), 'createdAt');
	if (conversations.length === 0) await assertChatbotKnown(api, wish.chatbotId);

	const incomplete = conversations.find((one) => !hasWantedMessages(wish, one));
	if (!incomplete) return conversations;

	const nextStep = `The service left out the messages of conversation ${String(incomplete.id)}. Run the node again.`;
	throw item.error('A conversation came without its messages', nextStep);
}

interface ConversationWish {
	chatbotId: string;
	conversationId: string;
}

/** Reads one conversation of any source. Undefined if the chatbot has none with this ID. */
export async function readConversation(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, conversationId }: ConversationWish,
): Promise<IDataObject | undefined> {
	const wish = { chatbotId, query: { conversationId }, limit: 1 };
	const [found] = await readExport(item, api, wish);
	if (!found || isSameConversation(found.id, conversationId)) return found;

	const nextStep = `The node asked for ${conversationId} and got ${String(found.id)}. Nothing was passed on.`;
	throw item.error('The service returned another conversation', nextStep);
}

/** Reads the first page, and what follows it: in parts if the list is long, otherwise page by page. */
async function readPagesOrParts(
	item: InputItem,
	api: ApiClient,
	wish: ExportWish,
): Promise<IDataObject[]> {
	const { query, limit } = wish;
	const list = exportPages(api, wish);
	const first = await list.read(list.first);

	const { total } = first;
	// A page has 20 conversations, so reading up to the limit would take thousands of requests.
	if (limit > outputLimit) assertWithinOutputLimit(item, total ?? 0);

	if (isLong(total) && total <= Math.min(limit, outputLimit)) {
		const all = await readInParts(api, wish, { ...first, total });
		if (all) return all;
	}

	return await readComplete(item, 'conversations', startingWith(first, list), {
		limit,
		maximum: outputLimit,
		advice: `Run the node again${narrowerThan(query)}.`,
	});
}

/** A list whose first page was read before. The page is read again only if the whole list is read again. */
function startingWith(
	first: Page<IDataObject>,
	list: PagedList<IDataObject>,
): PagedList<IDataObject> {
	const unused = [first];
	return {
		...list,
		read: async (position) => unused.pop() ?? (await list.read(position)),
	};
}

function narrowerThan(query: IDataObject): string {
	const isOne = 'conversationId' in query;
	return isOne ? '' : ', or read a shorter time with Start Date and End Date';
}
