import type { Contact } from '../../contacts/contact';
import { ListAssembly } from '../../contacts/list';
import { pagesToRead } from '../../contacts/upsertPlan';
import type { Service } from '../../transport/service';
import {
	ContactMissing,
	largestPage,
	mostPagesAhead,
	readContact,
	readContactsPages,
} from './requests';

/** The contacts that exist among those looked for. */
export interface FoundContacts {
	byId: Map<string, Contact>;
	/** By e-mail address in lower case; only those on the pages that were read. */
	byEmail: Map<string, Contact>;
	/** Whether the whole list was read and adds up, so that an address not found belongs to nobody. */
	isWhole: boolean;
	/** IDs that could not be looked up. */
	failed: Set<string>;
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
	service: Service,
	chatbotId: string,
	ids: Set<string>,
	needsList: boolean,
	onFailed: (id: string, error: unknown) => void,
): Promise<FoundContacts> {
	const found: FoundContacts = {
		byId: new Map(),
		byEmail: new Map(),
		isWhole: false,
		failed: new Set(),
	};
	if (ids.size > 1 || needsList) {
		found.isWhole = await searchList(service, chatbotId, ids, needsList, found);
	}
	if (found.isWhole) return found;
	const missing = [...ids].filter((id) => !found.byId.has(id));
	await Promise.all(
		missing.map(async (id) => {
			try {
				const contact = await readContact(service, chatbotId, id);
				if (!(contact instanceof ContactMissing)) found.byId.set(id, contact);
			} catch (error) {
				found.failed.add(id);
				onFailed(id, error);
			}
		}),
	);
	return found;
}

/**
 * Looks through the list.
 *
 * @returns whether the list was read to its end and adds up, so that what was not found does not exist
 */
async function searchList(
	service: Service,
	chatbotId: string,
	ids: Set<string>,
	needsList: boolean,
	found: FoundContacts,
): Promise<boolean> {
	const assembly = new ListAssembly(1, largestPage);
	let missing = ids.size;
	let next = 1;
	let last = 1;
	for (let count = 1; count > 0;) {
		const isFirst = next === 1;
		const pages = await readContactsPages(service, chatbotId, next, count, largestPage);
		const fresh = pages.flatMap((page) => assembly.add(page));
		for (const contact of fresh) {
			const id = String(contact.external_id ?? '');
			if (ids.has(id) && !found.byId.has(id)) missing--;
			if (id !== '') found.byId.set(id, contact);
			if (contact.email) found.byEmail.set(contact.email.toLowerCase(), contact);
		}
		if (isFirst) last = pages[0]?.totalPages ?? 1;
		next += count;
		// Whatever the service counts, it has nothing more to show.
		if (fresh.length === 0) break;
		const left = Math.max(0, last - next + 1);
		count = needsList ? Math.min(left, mostPagesAhead) : pagesToRead(missing, left, largestPage);
	}
	return next > last && assembly.isComplete;
}
