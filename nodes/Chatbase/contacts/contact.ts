import type { IDataObject } from 'n8n-workflow';

/**
 * A contact as the service returns it. Only what the package reads is named here; everything else
 * is passed on as it came.
 */
export interface Contact extends IDataObject {
	/** Internal ID, assigned by the service. */
	id?: string;
	/** ID in the user's own system, which paths use. */
	external_id?: string;
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

/** Timestamps below this are seconds; a time in milliseconds is beyond it since 1973. */
const smallestMilliseconds = 1e11;

/**
 * Reads a timestamp whose unit is not documented.
 *
 * @param value seconds or milliseconds since 1970, or ISO 8601 text
 * @returns milliseconds since 1970, or undefined when it cannot be read
 */
export function readTimestamp(value: unknown): number | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) {
		return Math.abs(value) < smallestMilliseconds ? value * 1000 : value;
	}
	const parsed = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isNaN(parsed) ? undefined : parsed;
}
