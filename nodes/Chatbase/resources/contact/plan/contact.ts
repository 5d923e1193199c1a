import type { IDataObject } from 'n8n-workflow';

import { isPathSegment } from '../../../api/path';

/**
 * A contact as the service returns it. Only what the package reads is named here; everything else
 * is passed on as it came, and whatever comes may be of another type than the contract says.
 */
export interface Contact extends IDataObject {
	/** Internal ID, assigned by the service. */
	id?: string | number;
	/** ID in the user's own system, which paths use. */
	external_id?: string | number | null;
	name?: string | null;
	email?: string | null;
	phonenumber?: string | null;
	custom_attributes?: IDataObject | null;
	/** Unix timestamps; seconds by public documentation, though the contract leaves the unit open. */
	created_at?: number | string;
	updated_at?: number | string;
}

/** One page of the contact list. */
export interface ContactsPage {
	contacts: Contact[];
	/** How many contacts the chatbot has, as of this page. */
	total: number;
	/** How many pages there are at this page size, as of this page. */
	totalPages: number;
}

/** The External ID of a contact as text, or undefined where it has none. */
export function externalIdOf({ external_id: id }: Contact): string | undefined {
	if (typeof id === 'number') return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a path can name the contact, so that it can be changed. */
export function isAddressable(contact: Contact): boolean {
	const id = externalIdOf(contact);
	return id !== undefined && isPathSegment(id);
}

/** An e-mail address in the form in which addresses are the same, or undefined where there is none. */
export function normalizeEmail(email: unknown): string | undefined {
	return typeof email === 'string' ? email.trim().toLowerCase() || undefined : undefined;
}
