import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { walkPages } from '../api/paginate';
import type { Contact } from '../resources/contact/contact';
import { externalIdOf, isAddressable } from '../resources/contact/contact';
import { contactPages } from '../resources/contact/list';
import { panelClient, requireChatbot } from './lists';

const listedPageSize = 100;
const searchedPageSize = 1000;
const enoughMatches = 50;

/** Most pages of a search, since the total of a service can be wrong. */
const maxPages = 200;

interface Position {
	/** Number of the page, from 1. */
	page: number;
	/** Key of the first contact of the page before, to notice a service that repeats a page. */
	previous?: string;
}

/**
 * Lists the contacts of the chosen chatbot, a page at a time. With a search text it reads pages until enough contacts
 * match, since the API can't search.
 *
 * @param filter part of name, email, phone number or External ID
 */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const chatbotId = requireChatbot(this);
	const api = await panelClient(this);
	const wanted = (filter ?? '').trim().toLowerCase();
	const perPage = wanted ? searchedPageSize : listedPageSize;
	const start: Position = paginationToken ? jsonParse(paginationToken) : { page: 1 };
	const list = contactPages(api, chatbotId, perPage, start.page);
	const maxPage = start.page + maxPages - 1;
	const pages = walkPages({
		...list,
		async read(position) {
			const page = await list.read(position);
			const next = Number(position) < maxPage ? page.next : undefined;
			const lastPage = Math.min(page.lastPage ?? 0, maxPage);
			return { ...page, next, lastPage, hasMore: page.next !== undefined };
		},
	});
	const results: INodeListSearchItems[] = [];
	let number = start.page;
	let position: Position | undefined;
	for await (const { page, fresh } of pages) {
		position = undefined;
		const previous = page.items.length > 0 ? beginningOf(page.items[0]) : undefined;
		// An empty or repeated page is the end, even if the total says otherwise.
		if (fresh.length === 0 || previous === start.previous) break;
		results.push(...matchesOf(fresh, wanted));
		number++;
		if (page.hasMore) position = { page: number, previous };
		if (!wanted || results.length >= enoughMatches) break;
	}
	return { results, paginationToken: position && JSON.stringify(position) };
}

function beginningOf(contact: Contact): string {
	return String(contact.id ?? contact.external_id ?? JSON.stringify(contact));
}

function matchesOf(contacts: Contact[], wanted: string): INodeListSearchItems[] {
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
