import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import type { Contact, ContactsPage } from '../resources/contact/plan/contact';
import { externalIdOf, isAddressable } from '../resources/contact/plan/contact';
import { readContactsPages } from '../resources/contact/requests/pages';
import { pagesAtOnce, panelService, requireChatbot } from './panel';

const listedAtOnce = 100;
const searchedAtOnce = 1000;
const enoughMatches = 50;

/** After so many pages a search hands over what it has found: a total can be beyond belief. */
const mostPages = 200;

/** Where to go on with the list. */
interface Position {
	/** Number of the page, from 1. */
	page: number;
	/** What the page before began with, to notice a service that gives the same page again and again. */
	previous?: string;
}

/**
 * Lists the contacts of the chosen chatbot: without a search text a page at a time, with one pages
 * are read until enough contacts match, since the API cannot search.
 *
 * @param filter part of name, e-mail address, phone number or External ID
 * @param paginationToken where to go on, as the call before has returned it
 */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const chatbotId = requireChatbot(this);
	const api = await panelService(this);
	const wanted = (filter ?? '').trim().toLowerCase();
	const perPage = wanted ? searchedAtOnce : listedAtOnce;
	const start: Position = paginationToken ? jsonParse(paginationToken) : { page: 1 };
	const beginnings = new Set([start.previous]);
	const results = new Map<string, INodeListSearchItems>();
	let { page: next, previous } = start;
	let count = 1;
	const end = start.page + mostPages;
	while (next < end) {
		const pages: Array<ContactsPage | undefined> = [];
		await readContactsPages(api, chatbotId, next, count, perPage, (page) => pages.push(page));
		next += count;
		for (const page of pages) {
			previous = page && beginningOf(page);
			// Whatever the service counts, a page that is empty or has come before is the end.
			if (!page || previous === undefined || beginnings.has(previous)) return listOf(results);
			beginnings.add(previous);
			for (const item of matchesOf(page, wanted)) results.set(item.value as string, item);
		}
		const last = Math.max(...pages.map((page) => page?.totalPages ?? 0));
		if (next > last) return listOf(results);
		if (!wanted || results.size >= enoughMatches) break;
		count = Math.min(pagesAtOnce, last - next + 1, end - next);
	}
	return listOf(results, { page: next, previous });
}

function listOf(
	results: Map<string, INodeListSearchItems>,
	goOn?: Position,
): INodeListSearchResult {
	return { results: [...results.values()], paginationToken: goOn && JSON.stringify(goOn) };
}

function beginningOf({ contacts: [first] }: ContactsPage): string | undefined {
	return first && String(first.id ?? first.external_id ?? JSON.stringify(first));
}

function matchesOf({ contacts }: ContactsPage, wanted: string): INodeListSearchItems[] {
	return contacts
		.filter((contact) => isAddressable(contact) && isMatch(contact, wanted))
		.map((contact) => ({
			name: `${contact.name || contact.email || 'No name'} (${externalIdOf(contact)})`,
			value: externalIdOf(contact)!,
		}));
}

function isMatch({ name, email, phonenumber, external_id }: Contact, wanted: string): boolean {
	const text = [name, email, phonenumber, external_id].join('\n').toLowerCase();
	return text.includes(wanted);
}
