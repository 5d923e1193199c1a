import type { IDataObject } from 'n8n-workflow';

import { inOrder, recordOf, type Sync, type SyncAction } from '../../../sync/records';
import { type Contact, contactFieldOrder } from '../plan/contactRecord';
import type { Done } from '../write/outcomes';

/** The output for a contact. `_sync` says what was done. */
export function recordFor({
	contact,
	action,
	changed = [],
	before = {},
	dropped = [],
	kept = [],
}: Done): IDataObject {
	return contactRecord(contact, {
		action,
		changed: [...changed],
		before,
		dropped: [...dropped],
		kept: [...kept],
	});
}

/** A contact in the form of the output. */
export function contactRecord(contact: Contact, sync: Sync | SyncAction): IDataObject {
	return recordOf(inOrder(contact, contactFieldOrder), sync);
}
