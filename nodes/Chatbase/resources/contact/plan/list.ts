import type { Contact, ContactsPage } from './contact';

/**
 * Puts the pages of one read of a list together and holds them against the total that the service
 * states. Nothing can be missing when the total stood still and that many contacts were read.
 */
export class ListAssembly {
	private readonly byKey = new Map<unknown, Contact>();

	private total?: number;

	private totalMoved = false;

	/**
	 * @param startPage number of the first page, from 1
	 * @param perPage contacts a page
	 */
	constructor(
		private readonly startPage: number,
		private readonly perPage: number,
	) {}

	/**
	 * Adds the next page.
	 *
	 * @param page undefined where the service said that there is no such page
	 * @returns the contacts that came for the first time
	 */
	add(page: ContactsPage | undefined): Contact[] {
		if (!page) return [];
		this.totalMoved ||= this.total !== undefined && this.total !== page.total;
		this.total = page.total;
		return page.contacts.filter((contact) => {
			// A contact that moved to a later page during the read comes twice; one without IDs is its own key.
			const key = contact.id ?? contact.external_id ?? contact;
			const isNew = !this.byKey.has(key);
			this.byKey.set(key, contact);
			return isNew;
		});
	}

	/** Contacts in the order of the list, each once, as they were read last. */
	get contacts(): Contact[] {
		return [...this.byKey.values()];
	}

	/** How many contacts there should be, by the newest page. */
	get expected(): number {
		return Math.max(0, (this.total ?? 0) - (this.startPage - 1) * this.perPage);
	}

	/** Whether nothing can be missing. */
	get isComplete(): boolean {
		return !this.totalMoved && this.byKey.size === this.expected;
	}
}
