import { addTo } from '../../../values/list';
import { clean, normalizeEmail } from '../../../values/clean';
import { asStored, type Contact, type StoredContact } from './contactRecord';

/** The contacts that a run has read. */
export class KnownContacts {
	private readonly byId = new Map<string, StoredContact[]>();

	private readonly byVisibleId = new Map<string, StoredContact[]>();

	/** Contacts without an External ID have emails, too. */
	private readonly byEmail = new Map<string, Contact[]>();

	/**
	 * @param coversAllContacts whether the list was read completely, so that what is not found does not exist
	 * @param unread the errors of IDs that could not be looked up
	 */
	constructor(
		contacts: readonly Contact[] = [],
		readonly coversAllContacts = false,
		readonly unread: ReadonlyMap<string, unknown> = new Map(),
	) {
		contacts.forEach((contact) => this.add(contact));
	}

	withId(id: string): readonly StoredContact[] {
		return this.byId.get(id) ?? [];
	}

	/** Contacts whose ID looks the same, this one included. */
	withVisibleId(id: string): readonly StoredContact[] {
		return this.byVisibleId.get(clean(id)) ?? [];
	}

	/** @param email in the form for comparisons */
	withEmail(email: string): readonly Contact[] {
		return this.byEmail.get(email) ?? [];
	}

	private add(contact: Contact): void {
		const stored = asStored(contact);
		const email = normalizeEmail(contact.email);
		if (stored) {
			const seenAs = clean(stored.id);
			addTo(this.byId, stored.id, stored);
			addTo(this.byVisibleId, seenAs, stored);
		}
		if (email !== undefined) addTo(this.byEmail, email, contact);
	}
}
