/** The contacts of one chatbot, in the order of their creation. */
import { e164Of } from './phone';

export interface PaymentAccount {
	label?: string | null;
	payment_id?: string;
	payment_email?: string;
}

export type AttributeValue = string | number | boolean | null | object;

/** A contact as the store holds it: the contract's names, null for a field without a value. */
export interface Contact {
	id: string;
	/** Empty for a contact without one. */
	external_id: string;
	name: string | null;
	email: string | null;
	phonenumber: string | null;
	payment_accounts: PaymentAccount[];
	custom_attributes: Record<string, AttributeValue>;
	/** Unix seconds. */
	created_at: number;
	/** Unix seconds. */
	updated_at: number;
}

export class ContactBook implements Iterable<Contact> {
	private readonly list: Contact[] = [];
	/** Contacts that share an ID, which a switch allows, in the order of their creation. */
	private readonly byExternalId = new Map<string, Contact[]>();
	/** Number of contacts that share an email, which a switch allows. */
	private readonly addresses = new Map<string, number>();
	/** Number of contacts that share a phone number in E.164, which a switch allows. */
	private readonly phones = new Map<string, number>();

	get size(): number {
		return this.list.length;
	}

	[Symbol.iterator](): Iterator<Contact> {
		return this.list[Symbol.iterator]();
	}

	/** Contacts from `start` on, at most `count`, oldest first. */
	slice(start: number, count: number): Contact[] {
		return this.list.slice(start, start + count);
	}

	/** @param externalId the ID in the client's own system; an empty one finds no contact */
	find(externalId: string): Contact | undefined {
		return this.byExternalId.get(externalId)?.[0];
	}

	/** Whether a contact other than `owner` has the email. Blank emails are ignored. */
	isTaken(email: string | null | undefined, owner?: Contact): boolean {
		if (!email) return false;
		const holders = this.addresses.get(email) ?? 0;
		return holders > (owner?.email === email ? 1 : 0);
	}

	/** Whether a contact other than `owner` has the phone number, in any form. Blank ones are ignored. */
	isPhoneTaken(phone: string | null | undefined, owner?: Contact): boolean {
		if (!phone) return false;
		const number = e164Of(phone);
		const own = owner?.phonenumber;
		const holders = this.phones.get(number) ?? 0;
		return holders > (own && e164Of(own) === number ? 1 : 0);
	}

	/** Adds a contact at the end. */
	add(contact: Contact): Contact {
		this.list.push(contact);
		this.index(contact);
		return contact;
	}

	/** Overwrites fields of a contact, which keeps its place in the list. */
	change(contact: Contact, changes: Partial<Contact>): Contact {
		this.unindex(contact);
		Object.assign(contact, changes);
		this.index(contact);
		return contact;
	}

	/** Removes a contact. The search starts at the end, where an undone creation is. */
	remove(contact: Contact): void {
		this.unindex(contact);
		this.list.splice(this.list.lastIndexOf(contact), 1);
	}

	private index(contact: Contact): void {
		const { external_id: id } = contact;
		if (id) this.byExternalId.set(id, [...(this.byExternalId.get(id) ?? []), contact]);
		this.count(contact, 1);
	}

	private unindex(contact: Contact): void {
		const { external_id: id } = contact;
		const others = (this.byExternalId.get(id) ?? []).filter((other) => other !== contact);
		if (others.length > 0) this.byExternalId.set(id, others);
		else this.byExternalId.delete(id);
		this.count(contact, -1);
	}

	private count({ email, phonenumber }: Contact, step: 1 | -1): void {
		if (email) this.addresses.set(email, (this.addresses.get(email) ?? 0) + step);
		if (!phonenumber) return;

		const number = e164Of(phonenumber);
		this.phones.set(number, (this.phones.get(number) ?? 0) + step);
	}
}
