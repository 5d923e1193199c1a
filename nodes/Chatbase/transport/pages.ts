import type { IDataObject } from 'n8n-workflow';

import { mostItems } from './ceiling';
import type { Subject } from './errorTexts';
import type { Service } from './service';

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
	/** How many records a page has that may be followed by another one. */
	fullPage: number;
}

/**
 * A list of the service.
 *
 * @param service the way to the service
 * @param path path of the list below the Base URL
 * @param fixed what every request for a page has in its query: the chatbot and the size of a page
 * @param subject what the list is about, which decides the words of an error
 * @param fullPage how many records a page has that may be followed by another one
 * @param recordsIn finds the records in a response, or undefined where it is not a page
 */
export function pagedList(
	service: Service,
	path: string,
	fixed: { chatbotId: string; size: number },
	subject: Subject,
	fullPage: number,
	recordsIn: (body: unknown) => IDataObject[] | undefined,
): PagedList {
	return {
		fullPage,
		async readPage(query) {
			const qs = { ...fixed, ...query };
			const response = await service.send({ method: 'GET', path, qs, subject });
			// The page before was fine with the same query, so what is wrong with this one is its number.
			if (response.status === 400 && query.page !== 1) return [];
			if (response.outcome) throw service.failure(response, subject);
			const records = recordsIn(response.body);
			if (records) return records;
			throw service.unexpected(response, subject);
		},
	};
}

/**
 * Reads a list in order, until a page is not full or brings nothing new. A record that moves to the
 * next page meanwhile counts once.
 *
 * @param list the list
 * @param query what narrows it down
 * @param limit how many records are wanted; Infinity for all
 * @returns the records as they came, unique by `id` where they have one
 */
export async function readPages(
	{ readPage, fullPage }: PagedList,
	query: IDataObject,
	limit: number,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const seen = new Set<string>();
	// One more than n8n can take is enough to know that it cannot take them all.
	const most = Math.min(limit, mostItems + 1);
	for (let page = 1; records.length < most; page++) {
		const read = await readPage({ page, ...query });
		const fresh = read.filter((record) => !seen.has(identify(record)));
		for (const record of fresh) {
			const identity = identify(record);
			// Without an ID two records of a page may be alike and still be two.
			if (hasId(record) && seen.has(identity)) continue;
			seen.add(identity);
			records.push(record);
		}
		if (fresh.length === 0 || read.length < fullPage) break;
	}
	return records.slice(0, most);
}

function identify(record: IDataObject): string {
	return hasId(record) ? `id ${String(record.id)}` : JSON.stringify(record);
}

function hasId({ id }: IDataObject): boolean {
	return (typeof id === 'string' && id !== '') || typeof id === 'number';
}
