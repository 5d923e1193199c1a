import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import type { Failure } from './failure';
import type { ApiRequest } from './request';
import { asObjects, isObject } from '../values/json';
import { append } from '../values/list';
import { textIn } from '../values/text';
import { type ApiResponse, codeOf } from './response';

/** Position of a page in its list: its number, or a cursor. */
export type Position = number | string;

export interface Page<Item> {
	items: Item[];
	/** Position of the next page; undefined at the end. */
	next?: Position;
	/** Number of the last page, if the service returns it. Pages up to it can be read at the same time. */
	lastPage?: number;
	/** Number of items of the list, if the service returns it. */
	total?: number;
	/** The failure of a list if the `next` of this page leads to no new page. */
	unexpected?(): Failure;
}

export interface PagedList<Item> {
	first: Position;
	read(position: Position): Promise<Page<Item>>;
	/** Whether pages without anything new can come before the end. */
	mayHaveEmptyPages?: boolean;
	/** Identifies an item, so that it counts once; undefined for an item without an identity. */
	keyOf(item: Item): unknown;
	/** How many pages can be read at the same time; 1 if absent. */
	maxConcurrency?: number;
	/** Whether to request one more page while `pending` pages are not yet taken and `left` follow after them. */
	wantsMore?(pending: number, left: number): boolean;
}

/** A page of a list that is being read. */
interface WalkedPage<Item> {
	page: Page<Item>;
	/** The items that no earlier page had. */
	fresh: Item[];
	/** Whether the list ends here, whatever the service states about further pages. */
	isEnd: boolean;
}

/** How many pages in a row can have nothing new. This stops the reading if a service never ends its list. */
const maxEmptyPages = 200;

/** The same for a list whose end is an empty page. A single page may repeat, because new items have moved the others down. */
const maxRepeatedPages = 2;

/**
 * Reads a list up to a page without `next`, an empty page, or two repeated pages in a row, unless such pages can come
 * before its end. Throws if the pages go in circles, unless all items of the total were read.
 *
 * @param seen the keys of items that count as read
 */
export async function* walkPages<Item>(
	list: PagedList<Item>,
	seen = new Set<unknown>(),
): AsyncGenerator<WalkedPage<Item>> {
	const named = new Set<Position>([list.first]);
	let stalePages = 0;

	for await (const page of readAhead(list)) {
		const fresh = takeUnseen(page.items, list.keyOf, seen);
		stalePages = fresh.length > 0 ? 0 : stalePages + 1;

		const isStale = page.items.length === 0 || stalePages === maxRepeatedPages;
		const isEnd = isStale && !list.mayHaveEmptyPages;
		yield { page, fresh, isEnd };

		if (isEnd) return;
		if (page.next === undefined) continue;

		const leadsNowhere = named.has(page.next) || stalePages === maxEmptyPages;
		if (leadsNowhere) {
			const isAllRead = seen.size >= (page.total ?? Infinity);
			if (page.unexpected && !isAllRead) throw page.unexpected();
			return;
		}
		named.add(page.next);
	}
}

/** Reads pages in order, several at the same time once the number of the last page is known. */
async function* readAhead<Item>(list: PagedList<Item>): AsyncGenerator<Page<Item>> {
	const { maxConcurrency = 1, wantsMore = () => true } = list;
	const pending: Array<Promise<Page<Item>>> = [];
	/** What to request next; undefined at the end, or if only the page before says it. */
	let next: Position | undefined = list.first;
	/** Number of the last page, once a page has stated it. */
	let last: number | undefined;

	/** @param untaken how many pages are read, but not yet taken by the caller */
	const requestAhead = (untaken: number) => {
		while (next !== undefined && pending.length < maxConcurrency) {
			const left = leftFrom(next, last);
			if (!wantsMore(pending.length + untaken, left)) return;

			const reading = list.read(next);
			// A failure is handled when its turn comes.
			reading.catch(() => undefined);
			pending.push(reading);
			const isFollowedByNumber = left > 1 && left < Infinity;
			next = isFollowedByNumber ? Number(next) + 1 : undefined;
		}
	};

	try {
		for (;;) {
			requestAhead(0);
			const page: Page<Item> | undefined = await pending.shift();
			if (!page) return;

			last ??= page.lastPage;
			const isBeyond = last !== undefined && Number(page.next) > last;
			if (pending.length === 0 && !isBeyond) next ??= page.next;
			// The service need not wait until the caller has taken this page.
			if (pending.length > 0) requestAhead(1);

			yield page;
		}
	} finally {
		await Promise.allSettled(pending);
	}
}

/** How many pages are left, including the next one; Infinity if the last one is not known. */
function leftFrom(next: Position, last: number | undefined): number {
	if (last === undefined) return Infinity;
	return last - Number(next) + 1;
}

/**
 * The items that no earlier page had. Items without an identity are compared by content, and only with earlier pages: one
 * page may have equal items.
 */
function takeUnseen<Item>(
	items: Item[],
	keyOf: (item: Item) => unknown,
	seen: Set<unknown>,
): Item[] {
	const fresh: Item[] = [];
	const anonymous: string[] = [];

	for (const item of items) {
		const key = keyOf(item);
		if (key !== undefined) {
			if (!seen.has(key)) fresh.push(item);
			seen.add(key);
			continue;
		}

		const content = JSON.stringify(item);
		if (!seen.has(content)) fresh.push(item);
		anonymous.push(content);
	}

	anonymous.forEach((content) => seen.add(content));
	return fresh;
}

interface ListRequest extends Pick<ApiRequest, 'path' | 'params' | 'resource'> {
	query: IDataObject;
}

/** A list without a total. Pages may be shorter than requested, so only an empty page or two repeated ones are the end. */
export function numberedPages(
	api: ApiClient,
	{ query, ...list }: ListRequest,
	recordsIn: (body: IDataObject) => IDataObject[] | undefined,
): PagedList<IDataObject> {
	return {
		first: 1,
		keyOf: idOf,
		async read(page) {
			const qs = { ...query, page };
			const response = await api.send({ ...list, method: 'GET', qs });
			if (page !== 1 && isPageMissing(response)) return { items: [] };

			return { items: api.expectBody(response, recordsIn), next: Number(page) + 1 };
		},
	};
}

function idOf({ id }: IDataObject): string | undefined {
	if (typeof id === 'number') return String(id);
	return textIn(id) || undefined;
}

interface CursorRequest extends ListRequest {
	/** Whether a 404 means an empty list, if it is about the records and not about the chatbot. */
	canBeMissing?: boolean;
	keyOf?: PagedList<IDataObject>['keyOf'];
}

/** A list of version 2. Pages may be short or empty before its end. */
export function cursorPages(
	api: ApiClient,
	{ query, canBeMissing = false, keyOf = idOf, ...list }: CursorRequest,
): PagedList<IDataObject> {
	const first = '';
	return {
		first,
		mayHaveEmptyPages: true,
		keyOf,
		async read(cursor) {
			const qs = { ...query, ...(cursor !== first && { cursor }) };
			const response = await api.send({ ...list, method: 'GET', qs });
			if (canBeMissing && cursor === first && isMissing(response)) return { items: [] };

			const { hasMore, next = first, ...page } = api.expectBody(response, cursorPageIn);
			const unexpected = () => api.unexpected(response);
			return { ...page, unexpected, next: hasMore ? next : undefined };
		},
	};
}

function isMissing(response: ApiResponse): boolean {
	return response.status === 404 && codeOf(response) === 'RESOURCE_NOT_FOUND';
}

interface CursorPageBody {
	items: IDataObject[];
	hasMore: boolean;
	/** The cursor of the next page. */
	next?: string;
	/** Number of items of the list, if the service states it. */
	total?: number;
}

function cursorPageIn({ data, pagination }: IDataObject): CursorPageBody | undefined {
	const items = asObjects(data);
	if (!items || !isObject(pagination) || typeof pagination.hasMore !== 'boolean')
		return undefined;

	const { hasMore, cursor, total } = pagination;
	return {
		items,
		hasMore,
		next: textIn(cursor) || undefined,
		total: Number.isSafeInteger(total) ? Number(total) : undefined,
	};
}

/** Whether the list got shorter: the requested page of version 1 does not exist (reference of version 1). */
export function isPageMissing({ outcome, body, version }: ApiResponse): boolean {
	const { message, issues } = version.wordsIn(body);
	const words = issues.length > 0 ? issues.flat() : [message];
	return outcome === '400' && words.some((word) => /\bpage\b/i.test(word));
}

/** Reads a list to its end. Whether it adds up to its total is not checked. */
export async function readToEnd<Item>(list: PagedList<Item>): Promise<Item[]> {
	const items: Item[] = [];
	for await (const { fresh } of walkPages(list)) append(items, fresh);
	return items;
}

export const maxListReads = 3;
