import type { IDataObject } from 'n8n-workflow';

interface List {
	/** Reads a page, counted from 1; no records where there is no such page. */
	readPage(page: number): Promise<IDataObject[]>;
	/** How many records a page has that may be followed by another one. */
	fullPage: number;
	/** How many records are wanted. */
	limit: number;
}

/**
 * Reads a list that tells neither how long it is nor how many pages it has: in order, until a page
 * is not full or brings nothing new. A record that moves to the next page meanwhile counts once.
 *
 * @returns the records as they came, unique by `id` where they have one
 */
export async function readPages({ readPage, fullPage, limit }: List): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const seen = new Set<string>();
	for (let page = 1; records.length < limit; page++) {
		const read = await readPage(page);
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
	return records.slice(0, limit);
}

function identify(record: IDataObject): string {
	return hasId(record) ? `id ${String(record.id)}` : JSON.stringify(record);
}

function hasId({ id }: IDataObject): boolean {
	return (typeof id === 'string' && id !== '') || typeof id === 'number';
}
