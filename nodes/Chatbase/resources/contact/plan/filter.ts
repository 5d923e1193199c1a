import { readTimestamp } from '../../../values/time';
import type { Contact } from './contact';
import { externalIdOf } from './contact';

/** Conditions on a contact; all that are set must hold. */
export interface ContactFilter {
	/** E-mail address, upper and lower case alike. */
	email?: string;
	externalId?: string;
	/** Part of the name, upper and lower case alike. */
	name?: string;
	/** Telephone number, of which only the digits count. */
	phonenumber?: string;
	/** Earliest creation, in milliseconds since 1970. */
	createdAfter?: number;
	/** Earliest last update, in milliseconds since 1970. */
	updatedAfter?: number;
}

const digits = (text: unknown) => String(text ?? '').replace(/\D/g, '');
const folded = (text: unknown) =>
	String(text ?? '')
		.trim()
		.toLowerCase();

/** Whether a contact meets a filter. A contact without the value in question does not. */
export function matchesFilter(contact: Contact, filter: ContactFilter): boolean {
	const { email, externalId, name, phonenumber, createdAfter, updatedAfter } = filter;
	const isSince = (timestamp: unknown, earliest: number) =>
		(readTimestamp(timestamp) ?? -Infinity) >= earliest;
	return (
		(email === undefined || folded(contact.email) === folded(email)) &&
		(externalId === undefined || externalIdOf(contact) === externalId) &&
		(name === undefined || folded(contact.name).includes(folded(name))) &&
		(phonenumber === undefined || digits(contact.phonenumber) === digits(phonenumber)) &&
		(createdAfter === undefined || isSince(contact.created_at, createdAfter)) &&
		(updatedAfter === undefined || isSince(contact.updated_at, updatedAfter))
	);
}
