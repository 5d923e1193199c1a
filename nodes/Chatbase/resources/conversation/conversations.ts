import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { ApiResource } from '../../api/resources';
import { forEachLimited } from '../../api/limits';
import { cursorPages, type CursorPage } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { outputLimit } from '../../execution/results';
import { readComplete } from '../../fields/paging';
import { readId } from '../../fields/values';
import { readTimestamp } from '../../values/time';

/** The only lists of conversations from every source; the plain ones have those of the API alone. */
export const exportPath = '/agents/{chatbotId}/conversations/export';
export const searchPath = '/agents/{chatbotId}/conversations/search';
export const conversationPath = '/agents/{chatbotId}/conversations/{conversationId}';

/** Conversations a page of an export, at most (reference of version 2, 2.3). */
const maxExportPageSize = 20;

export const conversationIdField: INodeProperties = {
	displayName: 'Conversation ID',
	name: 'conversationId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
	description: 'ID of the conversation. Export, Search and Send Message With Memory return it.',
};

export function readConversationId(item: InputItem): string {
	const advice = 'Enter the ID of a conversation.';
	return readId(item, 'conversationId', 'Conversation ID', advice).trim();
}

export function transcriptOption(more = ''): INodeProperties {
	return {
		displayName: 'Add Transcript',
		name: 'transcript',
		type: 'boolean',
		default: true,
		description: `Whether to add the field transcript to each conversation: its messages as one text, line by line, with who said what and when (in the time zone of the workflow)${more}`,
	};
}

/** The fields of a conversation that an agent needs, of those that an operation returns. */
export const simplifiedFields = [
	'id',
	'title',
	'createdAt',
	'updatedAt',
	'userId',
	'source',
	'status',
	'snippet',
	'transcript',
];

export function isSameConversation(id: unknown, conversationId: string): boolean {
	return String(id).toLowerCase() === conversationId.toLowerCase();
}

/** Conversations in a part of a long list, on average. In smaller parts, more pages would not be full. */
const partSize = 100;

/** A part that is still long is cut once more: conversations may be close together in time. */
const maxCuts = 2;

type TimeRange = Pick<IDataObject, 'startDate' | 'endDate'>;

/**
 * Reads conversations, newest first, with their messages unless `query` asks for a summary. Throws if they are fewer
 * than their total and than `wanted`.
 */
export async function readExport(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
	wanted: number,
): Promise<IDataObject[]> {
	const advice = 'Run the node again, or read a shorter time with Start Date and End Date.';
	const open = (range: TimeRange) => {
		const limit = Math.min(wanted, maxExportPageSize);
		return cursorPages(api, {
			path: exportPath,
			resource: 'agentConversations',
			params: { chatbotId },
			query: { limit, include: 'messages', ...query, ...range },
			canBeMissing: 'conversationId' in query,
		});
	};

	const read = async (range: TimeRange, cuts: number): Promise<IDataObject[]> => {
		const list = open(range);
		const first = await list.read(list.first);
		// The service does not keep to the range, so every part would be the whole list.
		if (cuts > 0 && first.items.some((one) => isOutside(one, range))) return [];
		const { total = 0 } = first;
		if (cuts < maxCuts && total > 2 * partSize && total <= Math.min(wanted, outputLimit)) {
			// Parts only save time: without them, or if one fails, the list is read page by page.
			const parts = await readParts(range, first, total, cuts + 1).catch(() => []);
			if (parts.length === total) return parts;
		}
		const resumed: typeof list = {
			...list,
			read: async (position) => (position === list.first ? first : await list.read(position)),
		};
		const reopen = (since?: number) =>
			since === undefined ? resumed : open({ ...range, endDate: earlier(range.endDate, since) });
		return await readComplete(item, 'conversations', reopen, wanted, advice);
	};

	const readParts = async (range: TimeRange, first: CursorPage, total: number, cuts: number) => {
		const start = range.startDate ?? (await assertChatbotKnown(api, chatbotId)).createdAt;
		const from = readTimestamp(start) ?? NaN;
		const to = Date.parse(earlier(range.endDate, first.sentAt));
		if (!(from < to)) return [];
		const count = Math.ceil(total / partSize);
		const boundAt = (part: number) => new Date(from + (part * (to - from)) / count).toISOString();
		const parts = Array.from({ length: count }, (): IDataObject[] => []);
		await forEachLimited([...parts.keys()], api.maxConcurrency, async (index) => {
			const part = count - 1 - index;
			// Conversations may be older than the chatbot.
			const startDate = part === 0 ? range.startDate : boundAt(part);
			parts[index] = await read({ startDate, endDate: boundAt(part + 1) }, cuts);
		});
		// What began while page 1 was read counts in the total but is in no part, so page 1 is added.
		const found = [...first.items, ...parts.flat()];
		return [...new Map(found.map((one) => [one.id, one])).values()];
	};

	const items = await read({ startDate: query.startDate, endDate: query.endDate }, 0);
	items.sort((a, b) => (readTimestamp(b.createdAt) ?? 0) - (readTimestamp(a.createdAt) ?? 0));
	if (items.length === 0) await assertChatbotKnown(api, chatbotId);
	const withoutMessages = items.find(({ messages }) => !Array.isArray(messages));
	if (withoutMessages && query.include === undefined) {
		throw item.error(
			'A conversation came without its messages',
			`The service left out the messages of conversation ${String(withoutMessages.id)}. Run the node again.`,
		);
	}
	return items;
}

/** Leaves out what began while the list was read: a chatbot that is in use would never have a steady total. */
export function earlier(endDate: unknown, since: number): string {
	const now = new Date(since).toISOString();
	return typeof endDate === 'string' && endDate < now ? endDate : now;
}

/** Whether a conversation is not of a time range. Its time is in whole seconds. */
function isOutside({ createdAt }: IDataObject, { startDate, endDate }: TimeRange): boolean {
	const time = readTimestamp(createdAt) ?? NaN;
	return time + 999 < Date.parse(String(startDate)) || time > Date.parse(String(endDate));
}

/** Returns the chatbot. Throws if version 2 does not know it: lists of such a chatbot are empty. */
export async function assertChatbotKnown(
	api: ApiClient,
	chatbotId: string,
	resource: ApiResource = 'agentConversations',
): Promise<IDataObject> {
	return await api.state.memoize(`agent ${chatbotId}`, async () => {
		const endpoint = { method: 'GET', path: '/agents/{chatbotId}', resource } as const;
		const response = await api.send({ ...endpoint, params: { chatbotId } });
		return api.expectBody(response, (body) => ('id' in body ? body : undefined));
	});
}

/** Reads one conversation of any source. Undefined if the chatbot has none with this ID. */
export async function readConversation(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	conversationId: string,
): Promise<IDataObject | undefined> {
	const [found] = await readExport(item, api, chatbotId, { conversationId }, 1);
	if (!found || isSameConversation(found.id, conversationId)) return found;
	throw item.error(
		'The service returned another conversation',
		`The node asked for ${conversationId} and got ${String(found.id)}. Nothing was passed on.`,
	);
}
