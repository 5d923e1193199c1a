import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { Page, PagedList } from '../../api/paginate';
import { isPageMissing, maxListReads, walkPages } from '../../api/paginate';
import { fillPath } from '../../api/address';
import { asObjects, isObject } from '../../values/object';
import type { Contact } from './contact';
import { ContactMissing, contactsPath, externalIdOf, readContact } from './contact';
import { KnownContacts } from './match';

/** Contacts a page, at least (contract, Limits). */
export const minPageSize = 10;

/** Contacts a page, and contacts that are created with one request, at most (contract, Limits; public reference, 4.9). */
export const maxPageSize = 1000;

interface ContactsPage extends Page<Contact> {
	/** How many contacts the chatbot has, as of this page; undefined if there is no such page. */
	total?: number;
}

/** The contact list of a chatbot. A page beyond its end is empty: the list may become shorter while it is read. */
export function contactPages(
	api: ApiClient,
	chatbotId: string,
	perPage: number,
	first = 1,
): PagedList<Contact, ContactsPage> {
	const path = fillPath(contactsPath, { chatbotId });
	return {
		first,
		keyOf: ({ id, external_id }) => id ?? external_id ?? undefined,
		maxConcurrency: api.maxConcurrency,
		async read(position) {
			const page = Number(position);
			const qs = { page, per_page: perPage };
			const response = await api.send({ method: 'GET', path, qs, resource: 'contacts' });
			// Whether that is the end of the list, its total tells.
			if (page > first ? response.outcome === '400' : page > 1 && isPageMissing(response)) {
				return { items: [] };
			}
			return api.expectBody(response, (body) => pageIn(body, page, perPage));
		},
	};
}

function pageIn(
	{ data, total, pages }: IDataObject,
	page: number,
	perPage: number,
): ContactsPage | undefined {
	const items = asObjects(data);
	const stated = isObject(pages) ? pages.total_pages : undefined;
	if (!items || !isCount(total)) return undefined;
	if (stated !== undefined && !isCount(stated)) return undefined;
	const lastPage = stated ?? Math.ceil(total / perPage);
	return { items, total, lastPage, next: page < lastPage ? page + 1 : undefined };
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

export interface ListQuery {
	chatbotId: string;
	/** Contacts a page. */
	perPage: number;
	/** Number of the first page, from 1. */
	startPage: number;
	/** How many contacts are wanted; Infinity for all. */
	limit: number;
	/** Which contacts are wanted; absent for all. */
	isWanted?: (contact: Contact) => boolean;
	/** Called with the number of contacts to come, once it is known; throws if they are too many. */
	checkLength?: (length: number) => void;
}

interface ListResult {
	/** The wanted contacts, no more than the limit. */
	contacts: Contact[];
	/** Whether no wanted contact can be missing. */
	isComplete: boolean;
	/** How many contacts were read, wanted or not. */
	read: number;
	/** How many there should have been. */
	expected: number;
}

export function wholeList(chatbotId: string): ListQuery {
	return { chatbotId, perPage: maxPageSize, startPage: 1, limit: Infinity };
}

/**
 * Reads a contact list until enough contacts are found or its end is reached. A list that does not add up at its end is
 * read again, up to three times.
 */
export async function readContactList(api: ApiClient, query: ListQuery): Promise<ListResult> {
	const { limit, isWanted = () => true, checkLength, startPage, perPage } = query;
	for (let reads = 1; ; reads++) {
		let found = 0;
		const result = await readOnce(api, query, {
			take(fresh, expected) {
				checkLength?.(expected);
				found += fresh.filter(isWanted).length;
			},
			wantsMore: (pending) =>
				// With a filter, no page can be known to be needed before the one before it is read.
				limit === Infinity || found + (query.isWanted ? limit : perPage) * pending < limit,
		});
		// Services differ in what they answer beyond the end; there is nothing to find in any case.
		if (startPage > 1 && result.expected === 0) {
			return { contacts: [], isComplete: true, read: 0, expected: 0 };
		}
		const isComplete = found >= limit || result.isComplete;
		if (!isComplete && reads < maxListReads) continue;
		const contacts = result.contacts.filter(isWanted).slice(0, limit);
		return { ...result, contacts, isComplete };
	}
}

/** Why a list is not passed on that could not be read completely. */
export function incompleteListText({ read, expected }: ListResult): string {
	return `The node read ${read} of ${expected} contacts, in the last of three tries. The list kept changing, or its pages do not match its total. Nothing was passed on, so that no later step takes a part for the whole. Run the node again at a quieter time.`;
}

/** Reads the pages in order and holds the contacts against the total: nothing is missing if it stood still and was reached. */
async function readOnce(
	api: ApiClient,
	{ chatbotId, perPage, startPage }: Pick<ListQuery, 'chatbotId' | 'perPage' | 'startPage'>,
	{
		take,
		wantsMore,
	}: {
		/** Called with the contacts of each page that came for the first time, and the number that there should be. */
		take: (fresh: Contact[], expected: number) => void;
		wantsMore: (pending: number, left: number) => boolean;
	},
): Promise<ListResult> {
	// As they were read last: a contact that moves to a later page meanwhile comes twice.
	const contacts = new Map<unknown, Contact>();
	const list = contactPages(api, chatbotId, perPage, startPage);
	let total: number | undefined;
	let hasMoved = false;
	let expected = 0;
	for await (const { page, fresh } of walkPages({ ...list, wantsMore })) {
		for (const contact of page.items) contacts.set(list.keyOf(contact) ?? contact, contact);
		hasMoved ||= total !== undefined && page.total !== undefined && total !== page.total;
		total = page.total ?? total;
		expected = Math.max(0, (total ?? 0) - (startPage - 1) * perPage);
		take(fresh, expected);
	}
	const isComplete = !hasMoved && contacts.size === expected;
	return { contacts: [...contacts.values()], isComplete, read: contacts.size, expected };
}

/**
 * Finds contacts in the cheapest way: one by itself; several in the list, as long as no more pages are left than
 * contacts are missing, and the rest one by one.
 *
 * @param needsList whether email addresses have to be looked up too, which only the whole list tells
 * @param onFailed called with each ID that could not be looked up by itself
 */
export async function findContacts(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
	needsList: boolean,
	onFailed: (id: string, error: unknown) => void,
): Promise<KnownContacts> {
	const known = needsList
		? await knowWholeList(api, chatbotId)
		: ids.size > 1
			? await searchList(api, chatbotId, ids)
			: new KnownContacts();
	if (known.isWhole) {
		api.state.cache(listName(chatbotId), known);
		return known;
	}
	const missing = [...ids].filter((id) => known.withId(id).length === 0);
	await Promise.all(
		missing.map(async (id) => {
			try {
				const contact = await readContact(api, chatbotId, id);
				if (!(contact instanceof ContactMissing)) known.add(contact, id);
			} catch (error) {
				known.failed.add(id);
				onFailed(id, error);
			}
		}),
	);
	return known;
}

/** The whole contact list of a chatbot as the run has read it, or undefined if it has not. */
export async function knownList(
	api: ApiClient,
	chatbotId: string,
): Promise<KnownContacts | undefined> {
	return await api.state.memoize<KnownContacts | undefined>(
		listName(chatbotId),
		async () => undefined,
	);
}

function listName(chatbotId: string): string {
	return `contact list ${chatbotId}`;
}

/** Keeps the whole contact list of a chatbot for those of the run who need it later. */
export function knowList(
	api: ApiClient,
	chatbotId: string,
	contacts: Contact[],
	readAt: number,
): KnownContacts {
	const known = new KnownContacts(readAt);
	contacts.forEach((contact) => known.add(contact));
	known.isWhole = true;
	api.state.cache(listName(chatbotId), known);
	return known;
}

async function knowWholeList(api: ApiClient, chatbotId: string): Promise<KnownContacts> {
	const known = new KnownContacts();
	const { contacts, isComplete } = await readContactList(api, wholeList(chatbotId));
	contacts.forEach((contact) => known.add(contact));
	known.isWhole = isComplete;
	return known;
}

/** Looks through the list, to its end if that is worth it. A list that moved meanwhile is read again. */
async function searchList(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
): Promise<KnownContacts> {
	for (let reads = 1; ; reads++) {
		const known = new KnownContacts();
		const missing = new Set(ids);
		let isAtEnd = true;
		const { contacts, isComplete } = await readOnce(api, wholeList(chatbotId), {
			take: (fresh) => fresh.forEach((contact) => missing.delete(externalIdOf(contact) ?? '')),
			wantsMore(pending, left) {
				const stillMissing = missing.size - pending * maxPageSize;
				const isWorth = left === Infinity || (stillMissing > 0 && left <= stillMissing);
				isAtEnd = isWorth;
				return isWorth;
			},
		});
		if (isAtEnd && !isComplete && missing.size > 0 && reads < maxListReads) continue;
		contacts.forEach((contact) => known.add(contact));
		known.isWhole = isAtEnd && isComplete;
		return known;
	}
}
