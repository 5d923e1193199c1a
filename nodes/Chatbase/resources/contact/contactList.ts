import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import {
	isPageMissing,
	maxListReads,
	type PagedList,
	walkPages,
} from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { asObjects, countFormat, isObject } from '../../values/json';
import { clean } from '../../values/clean';
import { append, groupBy } from '../../values/list';
import { contactsPath, readContact } from './contact';
import { type Contact, externalIdOf } from './plan/contactRecord';
import { KnownContacts } from './plan/knownContacts';

/** Minimum number of contacts per page (API document of version 1, Limits). */
export const minPageSize = 10;

/** Maximum number of contacts per page, and per request that creates contacts (API document of version 1, Limits). */
export const maxPageSize = 1000;

interface ContactPages {
	readonly chatbotId: string;
	readonly perPage: number;
	/** Number of the first page that is read. */
	readonly first?: number;
}

/** The contact list of a chatbot. A page beyond its end is empty, since the list may get shorter while it is read. */
export function contactPages(
	api: ApiClient,
	{ chatbotId, perPage, first = 1 }: ContactPages,
): PagedList<Contact> {
	return {
		first,
		keyOf: ({ id, external_id }) => id ?? external_id ?? undefined,
		maxConcurrency: api.maxConcurrency,
		async read(position) {
			const page = Number(position);
			const response = await api.send({
				method: 'GET',
				path: contactsPath,
				resource: 'contacts',
				params: { chatbotId },
				qs: { page, per_page: perPage },
			});

			// The total says whether this is the end of the list.
			const isRefused = page > first && response.outcome === '400';
			const isMissing = page === first && page > 1 && isPageMissing(response);
			if (isRefused || isMissing) return { items: [] };

			return api.expectBody(response, (body) => pageIn(body, page, perPage));
		},
	};
}

function pageIn({ data, total, pages }: IDataObject, page: number, perPage: number) {
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

interface ListQuery {
	chatbotId: string;
	perPage?: number;
	startPage?: number;
	limit?: number;
	isWanted?: (contact: Contact) => boolean;
	/** Called with the length of the list as soon as it is known; throws if it is too long. */
	checkLength?: (length: number) => void;
}

/** What was read of a list. */
interface ListResult {
	contacts: Contact[];
	isComplete: boolean;
	/** Number of contacts that were read, wanted or not. `expected` is how many there should be. */
	read: number;
	expected: number;
}

/** A list whose length differs from its total is read again, up to three times. */
export async function readContactList(
	api: ApiClient,
	query: ListQuery,
): Promise<ListResult> {
	const {
		limit = Infinity,
		isWanted = () => true,
		checkLength,
		perPage = maxPageSize,
	} = query;
	for (let reads = 1; ; reads++) {
		let found = 0;
		const take = (fresh: Contact[], expected: number) => {
			checkLength?.(expected);
			found += fresh.filter(isWanted).length;
		};

		// A page that is still being read may have as many wanted contacts as fit on it.
		const wantsMore = (pending: number) =>
			limit === Infinity || found + perPage * pending < limit;

		const result = await readContactListOnce(api, query, { take, wantsMore });
		const isComplete = found >= limit || result.isComplete;
		if (!isComplete && reads < maxListReads) continue;
		return { ...result, contacts: result.contacts.filter(isWanted), isComplete };
	}
}

export function assertComplete(
	place: Pick<InputItem, 'error'>,
	{ isComplete, read, expected }: ListResult,
): void {
	if (isComplete) return;
	throw place.error(
		'The contact list could not be read completely',
		`The node read ${countFormat.format(read)} of ${countFormat.format(expected)} contacts in the last of three tries. The list changed meanwhile, or its pages do not match its total. Run the node again at a quieter time.`,
	);
}

/** Gets the pages while they are being read. */
interface PageReader extends Pick<PagedList<Contact>, 'wantsMore'> {
	/** Gets the contacts that no earlier page had, and how many contacts the list should have. */
	take(fresh: Contact[], expected: number): void;
}

/** Reads the pages in order. The list is complete if its total stayed the same and was reached. */
async function readContactListOnce(
	api: ApiClient,
	{ chatbotId, perPage = maxPageSize, startPage = 1 }: ListQuery,
	{ take, wantsMore }: PageReader,
): Promise<ListResult> {
	const contacts: Contact[] = [];
	const list = contactPages(api, { chatbotId, perPage, first: startPage });
	let total: number | undefined;
	let hasMoved = false;
	let expected = 0;

	for await (const { page, fresh } of walkPages({ ...list, wantsMore })) {
		append(contacts, fresh);
		const stated = page.total ?? total;
		hasMoved ||= total !== undefined && stated !== total;
		total = stated;
		expected = Math.max(0, (total ?? 0) - (startPage - 1) * perPage);
		take(fresh, expected);
	}

	// Services differ in how they answer for a page beyond the end.
	const isBeyond = startPage > 1 && expected === 0;
	return {
		contacts: isBeyond ? [] : contacts,
		isComplete: isBeyond || (!hasMoved && contacts.length === expected),
		read: contacts.length,
		expected,
	};
}

interface ContactQuery {
	readonly chatbotId: string;
	readonly ids: ReadonlySet<string>;
}

/** Reads the whole list, in which contacts can also be found by their emails. Throws if it can't be read completely. */
export async function readAllContacts(
	api: ApiClient,
	place: Pick<InputItem, 'error'>,
	chatbotId: string,
): Promise<KnownContacts> {
	const list = await readContactList(api, { chatbotId });
	assertComplete(place, list);
	return new KnownContacts(list.contacts);
}

/**
 * Finds contacts by their IDs with the fewest requests: a single one by its ID; several in the whole list, unless it has more
 * pages than contacts that its first page lacks. Only the whole list has IDs in other spellings than that of the item and the
 * cleaned one.
 */
export async function findContacts(
	api: ApiClient,
	{ chatbotId, ids }: ContactQuery,
): Promise<KnownContacts> {
	const list = ids.size > 1 ? await readListIfShort(api, chatbotId, ids) : undefined;
	const { contacts = [], isComplete = false } = list ?? {};
	if (isComplete) return new KnownContacts(contacts);

	const listed = groupBy(contacts, (contact) => externalIdOf(contact) ?? '');
	const lookedUp = await Promise.all(
		[...ids].map(async (id) => await lookFor(api, { chatbotId, id, listed })),
	);

	const found = lookedUp.flatMap((each) => each.contacts ?? []);
	const unread = lookedUp.filter((each) => 'error' in each);
	return new KnownContacts(found, new Map(unread.map(({ id, error }) => [id, error])));
}

/** The result of looking for one External ID. */
interface LookedUpContact {
	readonly id: string;
	/** Empty if none exists, absent if that could not be read. */
	readonly contacts?: readonly Contact[];
	/** Why it could not be read. */
	readonly error?: unknown;
}

interface ContactSearch {
	readonly chatbotId: string;
	readonly id: string;
	/** The contacts that were read with the list, by their IDs. */
	readonly listed: ReadonlyMap<string, readonly Contact[]>;
}

/** Looks for the contact with this ID, then for the one with the cleaned ID. */
async function lookFor(
	api: ApiClient,
	{ chatbotId, id, listed }: ContactSearch,
): Promise<LookedUpContact> {
	try {
		for (const spelling of new Set([id, clean(id)])) {
			const known = listed.get(spelling);
			if (known) return { id, contacts: known };

			const { contact } = await readContact(api, chatbotId, spelling);
			if (contact) return { id, contacts: [contact] };
		}
		return { id, contacts: [] };
	} catch (error) {
		return { id, error };
	}
}

/** Reads the first page, and the others if that saves requests. A list that changed meanwhile is read again. */
async function readListIfShort(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
): Promise<ListResult> {
	for (let reads = 1; ; reads++) {
		const missing = new Set(ids);
		let isShort: boolean | undefined;

		const take = (fresh: Contact[]) =>
			fresh.forEach((contact) => missing.delete(externalIdOf(contact) ?? ''));
		const wantsMore = (_pending: number, left: number) => {
			// The first page says how many follow.
			if (left === Infinity) return true;
			isShort ??= left <= missing.size;
			return isShort;
		};

		const list = await readContactListOnce(api, { chatbotId }, { take, wantsMore });
		const isDone = list.isComplete || isShort === false || missing.size === 0;
		if (isDone || reads === maxListReads) return list;
	}
}
