import type { ApiClient } from '../../../api/client';
import type { Contact } from '../plan/contact';
import { ListAssembly } from '../plan/list';
import { mostPagesAhead, readContactsPages } from './pages';

const mostReads = 3;

/** What to read of a contact list. */
export interface ListQuery {
	chatbotId: string;
	/** Contacts a page, 10 to 1000. */
	perPage: number;
	/** Number of the page to begin with, from 1. */
	startPage: number;
	/** How many contacts are wanted; Infinity for all. */
	limit: number;
	/** Which contacts are wanted; absent for all. */
	isWanted?: (contact: Contact) => boolean;
	/** Called with the number of contacts to come, once it is known; throws where they are too many. */
	checkLength?: (length: number) => void;
}

/** What a list came to. */
export interface ListResult {
	/** The wanted contacts, no more than the limit. */
	contacts: Contact[];
	/** Whether no wanted contact can be missing. */
	complete: boolean;
	/** How many contacts were read, wanted or not. */
	read: number;
	/** How many there should have been. */
	expected: number;
}

/**
 * Reads a contact list until enough contacts are found or its end is reached. A list that was read
 * to its end and does not add up is read again, up to three times.
 *
 * @throws NodeApiError when the service fails
 */
export async function readContactList(api: ApiClient, query: ListQuery): Promise<ListResult> {
	for (let reads = 1; ; reads++) {
		const result = await readOnce(api, query);
		if (result.complete || reads === mostReads) return result;
	}
}

/** Why a list is not passed on that could not be read completely. */
export function incompleteListText({ read, expected }: ListResult): string {
	return `The node read ${read} of ${expected} contacts, in the last of three tries. The list kept changing, or its pages do not match its total. Nothing was passed on, so that no later step takes a part for the whole. Run the node again at a quieter time.`;
}

async function readOnce(api: ApiClient, query: ListQuery): Promise<ListResult> {
	const { startPage, limit, isWanted = () => true, checkLength } = query;
	let found = 0;
	const assembly = await walkThroughList(api, query, {
		take(fresh, length) {
			checkLength?.(length);
			found += fresh.filter(isWanted).length;
		},
		pagesAhead: () => pagesAhead(query, found),
	});
	const { contacts, expected, isComplete } = assembly;
	// Services differ in what they answer beyond the end; there is nothing to find in any case.
	if (startPage > 1 && expected === 0) return { contacts: [], complete: true, read: 0, expected };
	return {
		contacts: contacts.filter(isWanted).slice(0, limit),
		complete: found >= limit || isComplete,
		read: contacts.length,
		expected,
	};
}

/**
 * Walks through a contact list: its first page, then as many as are asked for, until there are no more or one walk
 * brings nothing new, whatever the service counts.
 *
 * @param take called with the contacts of each page that came for the first time, in the order of the list, and with
 *   the number of contacts that there should be
 * @param pagesAhead how many pages to read next, of so many that are left
 * @throws NodeApiError when the service fails
 */
export async function walkThroughList(
	api: ApiClient,
	{ chatbotId, perPage, startPage }: Pick<ListQuery, 'chatbotId' | 'perPage' | 'startPage'>,
	walk: {
		take: (fresh: Contact[], expected: number) => void;
		pagesAhead: (pagesLeft: number) => number;
	},
): Promise<ListAssembly> {
	const assembly = new ListAssembly(startPage, perPage);
	let last: number | undefined;
	let next = startPage;
	let fresh: number;
	let count = 1;
	do {
		fresh = 0;
		await readContactsPages(api, chatbotId, next, count, perPage, (page) => {
			last ??= page?.totalPages ?? 0;
			const added = assembly.add(page);
			fresh += added.length;
			walk.take(added, assembly.expected);
		});
		next += count;
		const left = Math.max(0, last! - next + 1);
		count = Math.min(walk.pagesAhead(left), left);
	} while (count > 0 && fresh > 0);
	return assembly;
}

/** How many pages can be read at once without reading one too many. */
function pagesAhead({ limit, perPage, isWanted }: ListQuery, found: number): number {
	if (limit === Infinity) return mostPagesAhead;
	if (found >= limit) return 0;
	return isWanted ? 1 : Math.min(Math.ceil((limit - found) / perPage), mostPagesAhead);
}
