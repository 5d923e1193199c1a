import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type CursorPage, cursorPages, type PagedList } from '../../api/paginate';
import type { Endpoint } from '../../api/subjects';
import type { InputItem } from '../../execution/item';
import { outputLimit, readComplete } from '../../execution/lists';
import { newestFirst } from '../../values/time';
import { assertChatbotKnown } from '../chatbot/chatbots';
import { exportPath, isSameConversation } from './conversations';
import { readInParts, type TimeRange } from './exportParts';

export const exportRequest = {
	method: 'GET',
	path: exportPath,
	resource: 'agentConversations',
} as const satisfies Endpoint;

/** Conversations a page, at most (reference of version 2, 2.3). */
const maxPageSize = 20;

export interface ExportWish {
	chatbotId: string;
	/** Filters, and `include` if messages are not wanted. */
	query: IDataObject;
	/** Most conversations; Infinity for all. */
	wanted: number;
}

/** Reads conversations, newest first. Throws if they are fewer than their total and than `wanted`, or lack messages. */
export async function readExport(
	item: InputItem,
	api: ApiClient,
	wish: ExportWish,
): Promise<IDataObject[]> {
	const { chatbotId, query } = wish;
	const wantsMessages = query.include === undefined;
	const isWhole = ({ messages }: IDataObject) =>
		!wantsMessages || Array.isArray(messages);

	const conversations = newestFirst(await readAll(item, api, wish, isWhole), 'createdAt');
	if (conversations.length === 0) await assertChatbotKnown(api, chatbotId);

	const incomplete = conversations.find((one) => !isWhole(one));
	if (!incomplete) return conversations;

	const nextStep = `The service left out the messages of conversation ${String(incomplete.id)}. Run the node again.`;
	throw item.error('A conversation came without its messages', nextStep);
}

async function readAll(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, query, wanted }: ExportWish,
	isWhole: (conversation: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const isOne = 'conversationId' in query;
	const limit = Math.min(wanted, maxPageSize);
	const open = (range: TimeRange) =>
		cursorPages(api, {
			...exportRequest,
			params: { chatbotId },
			query: { limit, include: 'messages', ...query, ...range },
			canBeMissing: isOne,
		});

	const list = open({});
	const first = await list.read(list.first);
	const { total = 0 } = first;

	if (total <= Math.min(wanted, outputLimit)) {
		const all = await readInParts(api, { chatbotId, range: query, first, open, isWhole });
		if (all) return all;
	}

	const narrower = isOne ? '' : ', or read a shorter time with Start Date and End Date';
	return await readComplete(item, 'conversations', withFirst(list, first), {
		limit: wanted,
		advice: `Run the node again${narrower}.`,
	});
}

/** The list whose first page was read before. It is read again if the whole list is. */
function withFirst(
	list: PagedList<IDataObject, CursorPage>,
	first: CursorPage,
): PagedList<IDataObject, CursorPage> {
	let held: CursorPage | undefined = first;
	return {
		...list,
		async read(position) {
			const page = held ?? (await list.read(position));
			held = undefined;
			return page;
		},
	};
}

/** Reads one conversation of any source. Undefined if the chatbot has none with this ID. */
export async function readConversation(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, conversationId }: { chatbotId: string; conversationId: string },
): Promise<IDataObject | undefined> {
	const wish = { chatbotId, query: { conversationId }, wanted: 1 };
	const [found] = await readExport(item, api, wish);
	if (!found || isSameConversation(found.id, conversationId)) return found;

	const nextStep = `The node asked for ${conversationId} and got ${String(found.id)}. Nothing was passed on.`;
	throw item.error('The service returned another conversation', nextStep);
}
