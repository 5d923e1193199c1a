import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../values/list';
import { cursorPages, type Page, type PagedList, walkPages } from '../../api/paginate';
import type { Endpoint } from '../../api/subjects';
import type { InputItem } from '../../execution/item';
import { outputLimit, readComplete } from '../../execution/lists';
import { newestFirst, readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../chatbot/chatbots';
import { exportPath, isSameConversation } from './conversations';

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
	limit: number;
}

/** Reads conversations, newest first. Throws if they are fewer than their total and than the limit, or lack messages. */
export async function readExport(
	item: InputItem,
	api: ApiClient,
	wish: ExportWish,
): Promise<IDataObject[]> {
	const conversations = newestFirst(await readAll(item, api, wish), 'createdAt');
	if (conversations.length === 0) await assertChatbotKnown(api, wish.chatbotId);

	const incomplete = conversations.find((one) => !isWhole(wish, one));
	if (!incomplete) return conversations;

	const nextStep = `The service left out the messages of conversation ${String(incomplete.id)}. Run the node again.`;
	throw item.error('A conversation came without its messages', nextStep);
}

/** Whether a conversation has what was asked for. */
function isWhole({ query }: ExportWish, { messages }: IDataObject): boolean {
	return query.include !== undefined || Array.isArray(messages);
}

/** Opens the list, or a part of it. */
function exportPages(
	api: ApiClient,
	{ chatbotId, query, limit }: ExportWish,
	part: TimeRange = {},
): PagedList<IDataObject> {
	const pageSize = Math.min(limit, maxPageSize);
	return cursorPages(api, {
		...exportRequest,
		params: { chatbotId },
		query: { limit: pageSize, include: 'messages', ...query, ...part },
		canBeMissing: 'conversationId' in query,
	});
}

async function readAll(
	item: InputItem,
	api: ApiClient,
	wish: ExportWish,
): Promise<IDataObject[]> {
	const { query, limit } = wish;
	const list = exportPages(api, wish);
	const first = await list.read(list.first);

	const { total = 0 } = first;
	if (isLong(total) && total <= Math.min(limit, outputLimit)) {
		const all = await readInParts(api, wish, { ...first, total });
		if (all) return all;
	}

	// The first page was read before. It is read again if the whole list is.
	const held = [first];
	const read: typeof list.read = async (position) =>
		held.pop() ?? (await list.read(position));
	const narrower =
		'conversationId' in query
			? ''
			: ', or read a shorter time with Start Date and End Date';
	const advice = `Run the node again${narrower}.`;
	const known = { ...list, read };
	return await readComplete(item, 'conversations', known, { limit, advice });
}

/** Reads one conversation of any source. Undefined if the chatbot has none with this ID. */
export async function readConversation(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, conversationId }: Record<'chatbotId' | 'conversationId', string>,
): Promise<IDataObject | undefined> {
	const wish = { chatbotId, query: { conversationId }, limit: 1 };
	const [found] = await readExport(item, api, wish);
	if (!found || isSameConversation(found.id, conversationId)) return found;

	const nextStep = `The node asked for ${conversationId} and got ${String(found.id)}. Nothing was passed on.`;
	throw item.error('The service returned another conversation', nextStep);
}

/** When conversations began, as ISO 8601 text; both ends belong to it. */
type TimeRange = Partial<Pick<IDataObject, 'startDate' | 'endDate'>>;

/** Conversations in a part of a long list, on average. In smaller parts, more pages would not be full. */
const partSize = 100;

/** A part that is still long is cut once more: conversations may be close together in time. */
const maxCuts = 2;

/** The first page of a list that says how many conversations the list has. */
type FirstPage = Pick<Page<IDataObject>, 'items'> & { total: number };

/**
 * Reads the parts of a long list of conversations at the same time. Undefined if the rate limit may not leave enough
 * requests, or as soon as there is any doubt about a part: parts only save time.
 */
async function readInParts(
	api: ApiClient,
	wish: ExportWish,
	first: FirstPage,
): Promise<IDataObject[] | undefined> {
	const { items, total } = first;
	// Its pages, one more for each part since its last page may not be full, one for each part that is cut once more, the
	// chatbot, and one since numbers are rounded up.
	const mostRequests = total / items.length + (2.5 * total) / partSize + 2;
	if (mostRequests > api.state.remaining) return undefined;

	const times = items.map(({ createdAt }) => readTimestamp(createdAt) ?? NaN);
	const isSorted = times.every((time, index) => time <= (times[index - 1] ?? Infinity));
	if (!isSorted || !items.every((one) => isWhole(wish, one))) return undefined;

	// The first page has what began in the newest second, and no part has what began since.
	const endDate = new Date(times[0] - 1).toISOString();
	const parts = new PartsReading(api, wish, first);
	await parts.read({ ...wish.query, endDate }, total);
	return parts.result;
}

/** The reading of a list in parts, which all add to the same result. */
class PartsReading {
	private readonly found: Map<unknown, IDataObject>;

	private readonly total: number;

	private count = 0;

	private inDoubt = false;

	constructor(
		private readonly api: ApiClient,
		private readonly wish: ExportWish,
		{ items, total }: FirstPage,
	) {
		this.found = new Map(items.map((one) => [one.id, one]));
		this.total = total;
	}

	/** Undefined if it is not certain that these are all. */
	get result(): IDataObject[] | undefined {
		const isComplete = !this.inDoubt && this.found.size === this.total;
		return isComplete ? [...this.found.values()] : undefined;
	}

	/**
	 * Cuts a time range, and reads its parts. Never throws: a failure is a doubt.
	 *
	 * @param size how many conversations it has
	 * @param cuts how often the list was cut, this time included
	 */
	async read(range: TimeRange, size: number, cuts = 1): Promise<void> {
		try {
			// The newest first, since the list grows there.
			const parts = (await this.partsOf(range, size)).reverse();
			await forEachLimited(parts, this.api.maxConcurrency, async (part) => {
				if (!this.inDoubt) await this.readPart(part, cuts);
			});
		} catch {
			this.inDoubt = true;
		}
	}

	/** The parts of a time range, in their order, all of the same length. */
	private async partsOf(range: TimeRange, size: number): Promise<TimeRange[]> {
		const { chatbotId } = this.wish;
		const start =
			range.startDate ?? (await assertChatbotKnown(this.api, chatbotId)).createdAt;
		const from = readTimestamp(start) ?? NaN;
		const length = Date.parse(String(range.endDate)) - from;
		this.inDoubt ||= !(length > 0);

		const count = Math.ceil(size / partSize);
		const boundAt = (part: number, more = 0) =>
			new Date(Math.round(from + (part * length) / count) + more).toISOString();

		return Array.from({ length: count }, (_, part) => ({
			// Conversations may be older than the chatbot.
			startDate: part === 0 ? range.startDate : boundAt(part, 1),
			endDate: boundAt(part + 1),
		}));
	}

	private async readPart(part: TimeRange, cuts: number) {
		let size: number | undefined;
		for await (const { page, fresh } of walkPages(
			exportPages(this.api, this.wish, part),
		)) {
			size ??= page.total;
			const isSure =
				page.total === size &&
				this.count <= this.total &&
				page.items.every((one) => isWhole(this.wish, one) && !isOutside(one, part));
			this.inDoubt ||= !isSure;
			if (this.inDoubt) return;

			if (cuts < maxCuts && isLong(size)) {
				await this.read(part, size, cuts + 1);
				return;
			}

			this.count += fresh.length;
			for (const one of fresh) this.found.set(one.id, one);
		}
	}
}

function isLong(total?: number): total is number {
	return total !== undefined && total > 2 * partSize;
}

/** Whether a conversation is not of a time range. Its time is in whole seconds. */
function isOutside(
	{ createdAt }: IDataObject,
	{ startDate, endDate }: TimeRange,
): boolean {
	const time = readTimestamp(createdAt) ?? NaN;
	return time + 999 < Date.parse(String(startDate)) || time > Date.parse(String(endDate));
}
