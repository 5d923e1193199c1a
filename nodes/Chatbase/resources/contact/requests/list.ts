import type { Service } from '../../../transport/service';
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
export async function readContactList(service: Service, query: ListQuery): Promise<ListResult> {
	for (let reads = 1; ; reads++) {
		const result = await readOnce(service, query);
		if (result.complete || reads === mostReads) return result;
	}
}

/** Why a list is not passed on that could not be read completely. */
export function incompleteListText({ read, expected }: ListResult): string {
	return `The node read ${read} of ${expected} contacts, in the last of three tries. The list kept changing, or its pages do not match its total. Nothing was passed on, so that no later step takes a part for the whole. Run the node again at a quieter time.`;
}

async function readOnce(service: Service, query: ListQuery): Promise<ListResult> {
	const { chatbotId, perPage, startPage, limit, isWanted = () => true } = query;
	const assembly = new ListAssembly(startPage, perPage);
	let found = 0;
	let next = startPage;
	let last = startPage;
	while (found < limit && next <= last) {
		const isFirst = next === startPage;
		const count = isFirst ? 1 : Math.min(pagesAhead(query, found), last - next + 1);
		const pages = await readContactsPages(service, chatbotId, next, count, perPage);
		const fresh = pages.flatMap((page) => assembly.add(page));
		found += fresh.filter(isWanted).length;
		next += count;
		if (!isFirst) {
			// Whatever the service counts, it has nothing more to show.
			if (fresh.length === 0) break;
			continue;
		}
		last = pages[0]?.totalPages ?? 0;
		// Services differ in what they answer beyond the end; there is nothing to find in any case.
		if (last < startPage && assembly.expected === 0 && startPage > 1) {
			return { contacts: [], complete: true, read: 0, expected: 0 };
		}
		query.checkLength?.(assembly.expected);
	}
	const { contacts, expected, isComplete } = assembly;
	return {
		contacts: contacts.filter(isWanted).slice(0, limit),
		complete: found >= limit || isComplete,
		read: contacts.length,
		expected,
	};
}

/** How many pages can be read at once without reading one too many. */
function pagesAhead({ limit, perPage, isWanted }: ListQuery, found: number): number {
	if (limit === Infinity) return mostPagesAhead;
	return isWanted ? 1 : Math.min(Math.ceil((limit - found) / perPage), mostPagesAhead);
}
