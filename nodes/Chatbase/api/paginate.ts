import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import type { ApiResource } from './errorTexts';
import type { ApiResponse } from './response';

/** Position of a page in its list: its number, or a cursor. */
export type Position = number | string;

export interface Page<Item> {
	items: Item[];
	/** Position of the next page; undefined at the end. */
	next?: Position;
	/** Number of the last page, if the service returns it. Pages up to it can be read at the same time. */
	lastPage?: number;
}

export interface PagedList<Item, ItemPage extends Page<Item> = Page<Item>> {
	first: Position;
	read(position: Position): Promise<ItemPage>;
	/** Identifies an item, so that it counts once; undefined for an item without an identity. */
	keyOf(item: Item): unknown;
	/** Most pages at the same time; 1 if absent. */
	maxConcurrency?: number;
	/** Whether to request one more page while `pending` pages are being read and `left` follow after them. */
	wantsMore?(pending: number, left: number): boolean;
}

/**
 * Reads a list up to its end: a page without `next`, or an empty or repeated page.
 *
 * @returns each page in order, with its new items
 */
export async function* walkPages<Item, ItemPage extends Page<Item>>({
	first,
	read,
	keyOf,
	maxConcurrency = 1,
	wantsMore = () => true,
}: PagedList<Item, ItemPage>): AsyncGenerator<{ page: ItemPage; fresh: Item[] }> {
	const seen = new Set<unknown>();
	const pending: Array<Promise<ItemPage>> = [];
	let next: Position | undefined = first;
	let last: number | undefined;
	const isBeyond = (position: Position) => last !== undefined && Number(position) > last;
	try {
		while (next !== undefined || pending.length > 0) {
			while (next !== undefined && pending.length < maxConcurrency) {
				const left = last === undefined ? Infinity : last - Number(next) + 1;
				if (!wantsMore(pending.length, left)) break;
				const reading = read(next);
				// A failure is handled when the page is its turn, if it still is.
				reading.catch(() => undefined);
				pending.push(reading);
				next = last !== undefined && !isBeyond(Number(next) + 1) ? Number(next) + 1 : undefined;
			}
			const page: ItemPage | undefined = await pending.shift();
			if (!page) return;
			const fresh = takeFresh(page.items, keyOf, seen);
			last ??= page.lastPage;
			if (pending.length === 0 && page.next !== undefined && !isBeyond(page.next)) {
				next ??= page.next;
			}
			yield { page, fresh };
			if (fresh.length === 0) return;
		}
	} finally {
		await Promise.allSettled(pending);
	}
}

/** Items without an identity are compared by content, and only with earlier pages: a page may have equal items. */
function takeFresh<Item>(
	items: Item[],
	keyOf: (item: Item) => unknown,
	seen: Set<unknown>,
): Item[] {
	const anonymous: string[] = [];
	const fresh = items.filter((item) => {
		const key = keyOf(item);
		if (key === undefined) {
			const content = JSON.stringify(item);
			anonymous.push(content);
			return !seen.has(content);
		}
		const isFresh = !seen.has(key);
		seen.add(key);
		return isFresh;
	});
	anonymous.forEach((content) => seen.add(content));
	return fresh;
}

/**
 * A list without a total or a number of pages. A service may return fewer records per page than requested, so only an
 * empty or repeated page is the end.
 *
 * @param recordsIn finds the records in the body of a response; undefined if it is not a page
 */
export function numberedPages(
	api: ApiClient,
	{ path, resource, query }: { path: string; resource: ApiResource; query: IDataObject },
	recordsIn: (body: IDataObject) => IDataObject[] | undefined,
): PagedList<IDataObject> {
	return {
		first: 1,
		keyOf: ({ id }) =>
			(typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined,
		async read(page) {
			const qs = { ...query, page };
			const response = await api.send({ method: 'GET', path, qs, resource });
			if (page !== 1 && isPageMissing(response)) return { items: [] };
			return { items: api.expectBody(response, recordsIn), next: Number(page) + 1 };
		},
	};
}

/** Whether the list got shorter, so that the requested page does not exist. */
export function isPageMissing({ outcome, body, version }: ApiResponse): boolean {
	return outcome === '400' && version.saysPageIsMissing(body);
}

/**
 * @param limit number of wanted records; Infinity for all
 * @param maximum most records of the list; for a longer list, one more is returned
 */
export async function readList<Item>(
	list: PagedList<Item>,
	limit: number,
	maximum: number,
): Promise<Item[]> {
	const wanted = Math.min(limit, maximum + 1);
	const items: Item[] = [];
	for await (const { fresh } of walkPages(list)) {
		items.push(...fresh);
		if (items.length >= wanted) break;
	}
	return items.slice(0, wanted);
}
