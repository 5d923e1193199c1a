import type { IDataObject } from 'n8n-workflow';

import type { Contact } from './contact';

/** What the node did with a contact, or would have done. */
export type SyncAction =
	| 'created'
	| 'updated'
	| 'unchanged'
	| 'wouldCreate'
	| 'wouldUpdate'
	/** Another sync manages the contact, so it was left as it is. */
	| 'unmanaged'
	/** The contact has left the list; nothing was done about it. */
	| 'left'
	| 'marked'
	| 'removed'
	/** The contact has left the list and would have been marked or removed, but stays. */
	| 'kept'
	| 'wouldMark'
	| 'wouldRemove';

/** What became of a contact. */
export interface Written {
	contact: Contact;
	action: SyncAction;
	/** Names of fields and attributes (`custom_attributes.name`) that differed. */
	changed: string[];
	/** Names of those that differed and were left alone. */
	kept: string[];
	/** Names of those that the service did not keep. */
	dropped: string[];
}

/** What the node did about a contact, as its record tells. */
export interface Sync extends IDataObject {
	action: SyncAction;
	changed: string[];
	dropped: string[];
	/** Only where something was left alone. */
	kept?: string[];
}

/** The output for a contact: as the service returned it, and what the node did about it. */
export function recordOf({ contact, action, changed, kept, dropped }: Written): IDataObject {
	const sync: Sync = { action, changed, dropped, ...(kept.length > 0 && { kept }) };
	return { ...contact, _sync: sync };
}

/** What `recordOf` has said about a contact; undefined for other records. */
export function syncOf(record: IDataObject): Sync | undefined {
	return record._sync as Sync | undefined;
}
