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
