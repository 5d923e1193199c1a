import type { Service } from '../../../transport/service';
import type { Contact } from '../plan/contact';
import { addressOf, externalIdOf } from '../plan/contact';
import { ListAssembly } from '../plan/list';
import type { KnownContacts } from '../plan/match';
import { pagesToRead } from '../plan/pagesToRead';
import { mostPagesAhead, readContactsPages } from './pages';
import { largestPage } from './paths';
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
		const address = addressOf(contact.email);
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
	service: Service,
	chatbotId: string,
	ids: ReadonlySet<string>,
	needsList: boolean,
	onFailed: (id: string, error: unknown) => void,
): Promise<FoundContacts> {
	const found = new FoundContacts();
	if (ids.size > 1 || needsList) await searchList(service, chatbotId, ids, needsList, found);
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

/** Looks through the list, to its end where that is worth it. */
async function searchList(
	service: Service,
	chatbotId: string,
	ids: ReadonlySet<string>,
	needsList: boolean,
	found: FoundContacts,
): Promise<void> {
	const assembly = new ListAssembly(1, largestPage);
	let missing = ids.size;
	let next = 1;
	let last = 1;
	for (let count = 1; count > 0;) {
		const isFirst = next === 1;
		const pages = await readContactsPages(service, chatbotId, next, count, largestPage);
		const fresh = pages.flatMap((page) => assembly.add(page));
		for (const contact of fresh) {
			const id = externalIdOf(contact);
			if (id !== undefined && ids.has(id) && !found.byId.has(id)) missing--;
			found.add(contact);
		}
		if (isFirst) last = pages[0]?.totalPages ?? 1;
		next += count;
		// Whatever the service counts, it has nothing more to show.
		if (fresh.length === 0) break;
		const left = Math.max(0, last - next + 1);
		count = needsList ? Math.min(left, mostPagesAhead) : pagesToRead(missing, left, largestPage);
	}
	found.isWhole = next > last && assembly.isComplete;
}
