import type { ApiClient } from '../../../api/client';
import type { Contact } from '../plan/contact';
import { normalizeEmail, externalIdOf } from '../plan/contact';
import type { KnownContacts } from '../plan/match';
import { pagesToRead } from '../plan/pagesToRead';
import { readContactList, walkThroughList } from './list';
import { maxPageSize } from './paths';
import { ContactMissing, readContact } from './single';

/** The contacts that exist among those looked for. */
export class FoundContacts implements KnownContacts {
	readonly byId = new Map<string, Contact>();

	readonly byAddress = new Map<string, Contact[]>();

	isWhole = false;

	/** IDs that could not be looked up. */
	readonly failed = new Set<string>();

	/** Adds a contact of the list, under its ID and its address. */
	add(contact: Contact) {
		const id = externalIdOf(contact);
		const address = normalizeEmail(contact.email);
		if (id !== undefined) this.byId.set(id, contact);
		if (address === undefined) return;
		const holders = this.byAddress.get(address);
		if (holders) holders.push(contact);
		else this.byAddress.set(address, [contact]);
	}
}

/**
 * Finds contacts in the cheapest way: one by itself; several in the list, as long as no more pages are left
 * than contacts are missing, and the rest one by one.
 *
 * @param ids External IDs to look for
 * @param needsList whether e-mail addresses have to be looked up too, which only the whole list tells
 * @param onFailed called with each ID that could not be looked up by itself, and why
 * @throws NodeApiError when the list cannot be read
 */
export async function findContacts(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
	needsList: boolean,
	onFailed: (id: string, error: unknown) => void,
): Promise<FoundContacts> {
	const found = new FoundContacts();
	if (needsList) await readWholeList(api, chatbotId, found);
	else if (ids.size > 1) await searchList(api, chatbotId, ids, found);
	if (found.isWhole) {
		knowList(api, chatbotId, found);
		return found;
	}
	const missing = [...ids].filter((id) => !found.byId.has(id));
	await Promise.all(
		missing.map(async (id) => {
			try {
				const contact = await readContact(api, chatbotId, id);
				if (!(contact instanceof ContactMissing)) found.byId.set(id, contact);
			} catch (error) {
				found.failed.add(id);
				onFailed(id, error);
			}
		}),
	);
	return found;
}

/** Keeps the whole contact list of a chatbot for those of the run who need it later. */
export function knowList(api: ApiClient, chatbotId: string, list: FoundContacts) {
	api.state.cache(listName(chatbotId), list);
}

/** The whole contact list of a chatbot as the run has read it, or undefined where it has not. */
export async function knownList(
	api: ApiClient,
	chatbotId: string,
): Promise<FoundContacts | undefined> {
	return await api.state.memoize<FoundContacts | undefined>(
		listName(chatbotId),
		async () => undefined,
	);
}

function listName(chatbotId: string): string {
	return `contact list ${chatbotId}`;
}

async function readWholeList(api: ApiClient, chatbotId: string, found: FoundContacts) {
	const { contacts, complete } = await readContactList(api, {
		chatbotId,
		perPage: maxPageSize,
		startPage: 1,
		limit: Infinity,
	});
	contacts.forEach((contact) => found.add(contact));
	found.isWhole = complete;
}

/** Looks through the list, to its end where that is worth it. */
async function searchList(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
	found: FoundContacts,
): Promise<void> {
	let missing = ids.size;
	let isAtEnd = false;
	const list = { chatbotId, perPage: maxPageSize, startPage: 1 };
	const { isComplete } = await walkThroughList(api, list, {
		take(fresh) {
			for (const contact of fresh) {
				const id = externalIdOf(contact);
				if (id !== undefined && ids.has(id) && !found.byId.has(id)) missing--;
				found.add(contact);
			}
		},
		pagesAhead(left) {
			isAtEnd = left === 0;
			return pagesToRead(missing, left, maxPageSize);
		},
	});
	found.isWhole = isAtEnd && isComplete;
}
