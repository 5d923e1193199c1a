import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Contact, ContactsPage } from '../resources/contact/plan/contact';
import { externalIdOf } from '../resources/contact/plan/contact';
import { readContactsPage } from '../resources/contact/requests/pages';
import { pagesAtOnce, panelService, requireChatbot } from './panel';

const listedAtOnce = 100;
const searchedAtOnce = 1000;
const enoughMatches = 50;

/**
 * Lists the contacts of the chosen chatbot: without a search text a page at a time, with one all
 * pages are read until enough match, since the API cannot search.
 *
 * @param filter part of name, e-mail address, phone number or External ID
 * @param paginationToken number of the page to go on with
 */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const chatbotId = requireChatbot(this);
	const service = await panelService(this);
	const wanted = (filter ?? '').trim().toLowerCase();
	const perPage = wanted ? searchedAtOnce : listedAtOnce;
	const readPage = async (page: number) =>
		await readContactsPage(service, chatbotId, page, perPage);

	let next = Number(paginationToken ?? 1);
	let pages = [await readPage(next)];
	const results: INodeListSearchItems[] = [];
	for (;;) {
		const last = pages.reduce((most, page) => Math.max(most, page?.totalPages ?? 0), 0);
		results.push(...pages.flatMap((page) => matchesOf(page, wanted)));
		next += pages.length;
		// Whatever the service counts, a page without contacts is the end.
		if (next > last || !pages[pages.length - 1]?.contacts.length) return { results };
		if (!wanted || results.length >= enoughMatches) {
			return { results, paginationToken: String(next) };
		}
		const count = Math.min(pagesAtOnce, last - next + 1);
		pages = await Promise.all(Array.from({ length: count }, (_, index) => readPage(next + index)));
	}
}

function matchesOf(page: ContactsPage | undefined, wanted: string): INodeListSearchItems[] {
	return (page?.contacts ?? [])
		.filter((contact) => externalIdOf(contact) !== undefined && isMatch(contact, wanted))
		.map((contact) => ({
			name: `${contact.name || contact.email || 'No name'} (${externalIdOf(contact)})`,
			value: externalIdOf(contact)!,
		}));
}

function isMatch({ name, email, phonenumber, external_id }: Contact, wanted: string): boolean {
	const text = [name, email, phonenumber, external_id].join('\n').toLowerCase();
	return text.includes(wanted);
}
