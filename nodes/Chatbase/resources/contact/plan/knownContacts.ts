import { clean, normalizeEmail } from '../../../values/clean';
import { addTo } from '../../../values/list';
import { asStored, type Contact, type StoredContact } from './contactRecord';

/** The contacts that a run has read: all of them, or those with the IDs that it looked for. */
export class KnownContacts {
	/** By the cleaned External ID. */
	private readonly byId = new Map<string, StoredContact[]>();

	/** Contacts without an External ID have emails, too. */
	private readonly byEmail = new Map<string, Contact[]>();

	/** @param unread the errors of IDs that could not be looked up */
	constructor(
		contacts: readonly Contact[] = [],
		readonly unread: ReadonlyMap<string, unknown> = new Map(),
	) {
		for (const contact of contacts) {
			const stored = asStored(contact);
			const email = normalizeEmail(contact.email);
			if (stored) addTo(this.byId, clean(stored.id), stored);
			if (email !== undefined) addTo(this.byEmail, email, contact);
		}
	}

	/** The contacts that an External ID means: those of exactly this spelling, else those that differ only in what is cleaned. */
	withId(id: string): readonly StoredContact[] {
		const alike = this.byId.get(clean(id)) ?? [];
		const [first, ...others] = alike;
		// Most IDs are those of one contact.
		if (others.length === 0 && first?.id === id) return alike;

		const exact = alike.filter((contact) => contact.id === id);
		return exact.length > 0 ? exact : alike;
	}

	/** Whether several contacts have exactly this External ID, so that a request could be about any of them. */
	isShared(id: string): boolean {
		const alike = this.byId.get(clean(id)) ?? [];
		return alike.length > 1 && alike.filter((contact) => contact.id === id).length > 1;
	}

	/** @param email in the form for comparisons */
	withEmail(email: string): readonly Contact[] {
		return this.byEmail.get(email) ?? [];
	}
}
