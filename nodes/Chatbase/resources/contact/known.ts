import type { ApiClient } from '../../api/client';
import { maxListReads } from '../../api/paginate';
import { addTo } from '../../values/list';
import type { Contact } from './contact';
import { ContactMissing, externalIdOf, normalizeEmail, readContact } from './contact';
import { type ListResult, maxPageSize, readContactList, readOnce } from './list';

/** The contacts that a run has read. */
export class KnownContacts {
	readonly byId = new Map<string, Contact[]>();

	private readonly byEmail = new Map<string, Contact[]>();

	/** Whether the list was read completely, so that what is not found does not exist. */
	isWhole = false;

	/** The errors of IDs that could not be looked up. */
	readonly failed = new Map<string, unknown>();

	constructor(readonly readAt = performance.now()) {}

	/** @param id the requested ID, if the service returned it in another spelling */
	add(contact: Contact, id = externalIdOf(contact)) {
		const email = normalizeEmail(contact.email);
		if (id !== undefined) addTo(this.byId, id, contact);
		if (email !== undefined) addTo(this.byEmail, email, contact);
	}

	withId(id: string): Contact[] {
		return this.byId.get(id) ?? [];
	}

	withEmail(email: string): Contact[] {
		return this.byEmail.get(email) ?? [];
	}
}

/**
 * Finds contacts with the fewest requests: a single one by its ID; several in the list, as long as fewer pages are left
 * than contacts are missing, and the rest by ID. Only the whole list has the emails of others.
 */
export async function findContacts(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
	needsEmails = false,
): Promise<KnownContacts> {
	let known = new KnownContacts();
	if (needsEmails) known = knowList(await readContactList(api, { chatbotId }));
	else if (ids.size > 1) known = await searchList(api, chatbotId, ids);

	const isMissing = (id: string) => !known.isWhole && known.withId(id).length === 0;
	const missing = [...ids].filter(isMissing);
	await Promise.all(
		missing.map(async (id) => {
			try {
				const contact = await readContact(api, chatbotId, id);
				if (!(contact instanceof ContactMissing)) known.add(contact);
			} catch (error) {
				known.failed.set(id, error);
			}
		}),
	);
	return known;
}

/** Makes the contacts of a list findable. */
export function knowList({ contacts, isComplete }: ListResult): KnownContacts {
	const known = new KnownContacts();
	contacts.forEach((contact) => known.add(contact));
	known.isWhole = isComplete;
	return known;
}

/** Searches the list, as long as that saves requests. A list that changed meanwhile is read again. */
async function searchList(
	api: ApiClient,
	chatbotId: string,
	ids: ReadonlySet<string>,
): Promise<KnownContacts> {
	for (let reads = 1; ; reads++) {
		const missing = new Set(ids);
		let isAtEnd = true;

		const take = (fresh: Contact[]) =>
			fresh.forEach((contact) => missing.delete(externalIdOf(contact) ?? ''));
		const wantsMore = (pending: number, left: number) => {
			const stillMissing = missing.size - pending * maxPageSize;
			isAtEnd = left === Infinity || (stillMissing > 0 && left <= stillMissing);
			return isAtEnd;
		};

		const list = await readOnce(api, { chatbotId }, take, wantsMore);
		if (isAtEnd && !list.isComplete && missing.size > 0 && reads < maxListReads) continue;
		return knowList({ ...list, isComplete: isAtEnd && list.isComplete });
	}
}
