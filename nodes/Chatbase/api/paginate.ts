import type { IDataObject } from 'n8n-workflow';

import type { ApiResource } from './errorTexts';
import type { ApiResponse } from './response';
import type { ApiClient } from './client';
import { isObject } from '../values/object';

/** A page of a list, and what narrows the list down. */
export interface PageQuery extends IDataObject {
	/** Number of the page, from 1. */
	page: number;
}

/** A list that tells neither how long it is nor how many pages it has. */
export interface PagedList {
	/**
	 * @returns no records where there is no such page
	 * @throws NodeApiError when the service fails, or the response is not a page
	 */
	readPage(query: PageQuery): Promise<IDataObject[]>;
}

/**
 * Whether a response says that there is no page of the number that was asked for, as the list has become shorter: a 400
 * whose words are about the page (public reference, 4.9). Any other refusal is no end of the list.
 */
export function saysPageIsMissing({ outcome, body }: ApiResponse): boolean {
	if (outcome !== '400' || !isObject(body)) return false;
	const issues = Array.isArray(body.issues) ? body.issues.filter(isObject) : [];
	const words =
		issues.length > 0 ? issues.flatMap(({ field, message }) => [field, message]) : [body.message];
	return words.some((word) => typeof word === 'string' && /\bpage\b/i.test(word));
}

/**
 * A list of the service.
 *
 * @param api the way to the service
 * @param path path of the list below the Base URL
 * @param fixed what every request for a page has in its query: the chatbot and the size of a page
 * @param subject what the list is about, which decides the words of an error
 * @param recordsIn finds the records in the body of a response, or undefined where it is not a page
 */
export function pagedList(
	api: ApiClient,
	path: string,
	fixed: { chatbotId: string; size: number },
	subject: ApiResource,
	recordsIn: (body: IDataObject) => IDataObject[] | undefined,
): PagedList {
	return {
		async readPage(query) {
			const qs = { ...fixed, ...query };
			const response = await api.send({ method: 'GET', path, qs, subject });
			if (query.page > 1 && saysPageIsMissing(response)) return [];
			return api.expectBody(response, subject, recordsIn);
		},
	};
}

/**
 * Reads a list in order, until a page is empty or brings nothing new. A service may give fewer records a page than it
 * is asked for. A record that moves to the next page meanwhile counts once.
 *
 * @param list the list
 * @param query what narrows it down
 * @param limit how many records are wanted; Infinity for all
 * @param longest how many records the list may have
 * @returns the records as they came, unique by `id` where they have one
 */
export async function readPages(
	{ readPage }: PagedList,
	query: IDataObject,
	limit: number,
	longest: number,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const seen = new Set<string>();
	// One more is enough to know that there are too many.
	const most = Math.min(limit, longest + 1);
	for (let page = 1; records.length < most; page++) {
		const read = await readPage({ page, ...query });
		const fresh = read.filter((record) => !seen.has(identify(record)));
		if (fresh.length === 0) break;
		for (const record of fresh) {
			const identity = identify(record);
			// Without an ID two records of a page may be alike and still be two.
			if (hasId(record) && seen.has(identity)) continue;
			seen.add(identity);
			records.push(record);
		}
	}
	return records.slice(0, most);
}

function identify(record: IDataObject): string {
	return hasId(record) ? `id ${String(record.id)}` : JSON.stringify(record);
}

function hasId({ id }: IDataObject): boolean {
	return (typeof id === 'string' && id !== '') || typeof id === 'number';
}

/** One page of a list. */
export interface Page<Item> {
	items: Item[];
	/** Where the list goes on: a page number or a cursor; undefined at its end. */
	next?: number | string;
	/** Number of the last page, if pages are numbered and the service tells it: pages up to it can be on their way at the same time. */
	lastPage?: number;
}

/** Walks a list to its end: an empty page, or one that brings nothing new. Yields each page with its items that came for the first time. */
export async function* walkPages<Item, Of extends Page<Item>>(list: {
	first: number | string;
	read(position: number | string): Promise<Of>;
	keyOf(item: Item): unknown;
	/** Pages on their way at the same time; 1 by default. */
	maxConcurrency?: number;
	/** Whether to ask for one more page while `pending` pages are on their way and `left` follow after them. Default: always. */
	wantsMore?(pending: number, left: number): boolean;
}): AsyncGenerator<{ page: Of; fresh: Item[] }> {
	const { first, read, keyOf, maxConcurrency = 1, wantsMore = () => true } = list;
	const seen = new Set<unknown>();
	const pending: Array<Promise<Of>> = [];
	let next: number | string | undefined = first;
	let lastPage = -Infinity;
	while (next !== undefined || pending.length > 0) {
		while (next !== undefined && pending.length < maxConcurrency) {
			const left = typeof next === 'number' && lastPage > 0 ? lastPage - next + 1 : Infinity;
			if (!wantsMore(pending.length, left)) break;
			const reading = read(next);
			// The failure of a page is thrown when its turn comes.
			reading.catch(() => {});
			pending.push(reading);
			next = typeof next === 'number' && next < lastPage ? next + 1 : undefined;
		}
		const page: Of | undefined = await pending.shift();
		if (!page) return;
		lastPage = Math.max(lastPage, page.lastPage ?? -Infinity);
		if (pending.length === 0) next ??= page.next;
		const fresh = page.items.filter((item) => {
			const key = keyOf(item) ?? JSON.stringify(item);
			return !seen.has(key) && seen.add(key);
		});
		yield { page, fresh };
		if (fresh.length === 0) return;
	}
}
