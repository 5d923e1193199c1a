import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { CursorPage, PagedList } from '../api/paginate';

/** A function that fills a list to choose from, as n8n calls it. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Most pages without a match that one call reads. */
const maxPagesWithoutMatch = 10;

export function matching(
	choices: INodeListSearchItems[],
	filter?: string,
): INodeListSearchResult {
	return { results: choices.filter(({ name }) => hasWords(name, filter)) };
}

export function hasWords(words: string, filter = ''): boolean {
	return words.toLowerCase().includes(filter.trim().toLowerCase());
}

export function byName(one: INodeListSearchItems, other: INodeListSearchItems): number {
	return one.name.localeCompare(other.name);
}

/** The next page of a list that the service searches, or of which `filter` picks. Goes on while pages have no match. */
export async function choicesOn(
	{ read, first }: PagedList<IDataObject, CursorPage>,
	token: string | undefined,
	choiceOf: (record: IDataObject) => INodeListSearchItems,
	filter?: string,
): Promise<INodeListSearchResult> {
	let position = token ?? first;
	for (let count = 1; ; count++) {
		const { items, next } = await read(position);
		const { results } = matching(items.map(choiceOf), filter);
		const isEnd = next === undefined || next === position;
		const paginationToken = isEnd ? undefined : String(next);
		if (results.length > 0 || isEnd || count === maxPagesWithoutMatch)
			return { results, paginationToken };
		position = next;
	}
}
