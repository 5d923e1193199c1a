import type { Contact } from '../../contacts/contact';
import { ListAssembly } from '../../contacts/list';
import { pagesToRead } from '../../contacts/upsertPlan';
import type { Service } from '../../transport/service';
import { ContactMissing, largestPage, readContact, readContactsPage } from './requests';

/** The contacts that exist among those looked for. */
export interface FoundContacts {
	byId: Map<string, Contact>;
	/** By e-mail address in lower case; only those on the pages that were read. */
	byEmail: Map<string, Contact>;
}

/**
 * Finds contacts in the cheapest way: one by itself; several in the list, as long as no more pages are left
 * than contacts are missing, and the rest one by one.
 *
 * @param ids External IDs to look for
 * @param needsList whether e-mail addresses have to be looked up too, which only the whole list tells
 * @throws NodeApiError when the service fails
 */
export async function findContacts(
	service: Service,
	chatbotId: string,
	ids: Set<string>,
	needsList: boolean,
): Promise<FoundContacts> {
	const found: FoundContacts = { byId: new Map(), byEmail: new Map() };
	const isWholeListKnown =
		(ids.size > 1 || needsList) && (await searchList(service, chatbotId, ids, needsList, found));
	if (isWholeListKnown) return found;
	const missing = [...ids].filter((id) => !found.byId.has(id));
	await Promise.all(
		missing.map(async (id) => {
			const contact = await readContact(service, chatbotId, id);
			if (!(contact instanceof ContactMissing)) found.byId.set(id, contact);
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
		const first = next;
		const pages = await Promise.all(
			Array.from(
				{ length: count },
				async (_, index) => await readContactsPage(service, chatbotId, first + index, largestPage),
			),
		);
		for (const contact of pages.flatMap((page) => assembly.add(page))) {
			const id = String(contact.external_id ?? '');
			if (ids.has(id) && !found.byId.has(id)) missing--;
			if (id !== '') found.byId.set(id, contact);
			if (contact.email) found.byEmail.set(contact.email.toLowerCase(), contact);
		}
		if (first === 1) last = pages[0]?.totalPages ?? 1;
		next += count;
		const left = last - next + 1;
		count = needsList ? Math.max(0, left) : pagesToRead(missing, left, largestPage);
	}
	return next > last && assembly.isComplete;
}
