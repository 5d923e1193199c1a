import type { ApiClient } from '../../../api/client';
import type { ApiResponse } from '../../../api/response';
import { abbreviate } from '../../../values/text';
import {
	assertIsContact,
	isContactMissing,
	readContact,
	sendToContact,
} from '../contact';
import type { Contact } from '../plan/contactRecord';
import { contactAfter, type Difference, droppedFrom } from '../plan/difference';
import { contactValuesOf, dataOf } from '../plan/values';
import type { WantedContact } from '../plan/wantedContact';
import type { Done, DoneOutcome } from './outcomes';

interface ContactUpdate {
	readonly chatbotId: string;
	readonly contactId: string;
	/** Undefined if the contact was not read. */
	readonly existing?: Contact;
	readonly wanted: WantedContact;
	readonly change: Difference;
}

/** The result for a contact without a request, because nothing differs or because of a Dry Run. */
export function doneWithoutRequest(
	existing: Contact,
	wanted: WantedContact,
	change: Difference,
): DoneOutcome {
	const { current, changed, before, kept } = change;
	const { notSent, attributes } = wanted;
	const done: Done = {
		contact: contactAfter(existing, change),
		action: changed.length > 0 ? 'wouldUpdate' : 'unchanged',
		changed,
		before,
		dropped: droppedFrom(current, { notSent, attributes }),
		kept,
	};
	return { written: 'no', done };
}

/** The contact after an update, or the response of a service that has refused it or does not have the contact. */
type UpdateResult =
	{ readonly done: Done } | { readonly response: ApiResponse; readonly isGone: boolean };

/**
 * Sends an update. Throws if it is not known whether the service has written, or if another contact was
 * changed.
 */
export async function sendUpdate(
	api: ApiClient,
	update: ContactUpdate,
): Promise<UpdateResult> {
	const { chatbotId, contactId, change } = update;
	const response = await sendToContact(api, {
		method: 'PATCH',
		chatbotId,
		contactId,
		body: { data: dataOf(change.sent) },
	});
	if (response.outcome === '400' || response.outcome === '409') {
		return { response, isGone: false };
	}

	const newId = change.sent.get('external_id');
	if (!isContactMissing(response)) {
		assertIsContact(api, response, [contactId, String(newId ?? contactId)]);
		return { done: doneBy(update, api.expectBody<Contact>(response)) };
	}

	if (response.mayHaveRun && typeof newId === 'string') {
		const { contact } = await readContact(api, chatbotId, newId);
		return { done: doneBy(update, renamed(api, update, { response, contact })) };
	}
	return { response, isGone: true };
}

/**
 * The contact under its new ID, after an attempt whose response was lost. Throws unless it is the same contact: the contact
 * may never have been changed, and another one may have the new ID.
 */
function renamed(
	api: ApiClient,
	{ existing, contactId }: ContactUpdate,
	{ response, contact }: { response: ApiResponse; contact?: Contact },
): Contact {
	if (contact?.id !== undefined && contact.id === existing?.id) return contact;

	const fact = `It is not known whether contact ${abbreviate(contactId)} got its new External ID.`;
	throw api.failure(response).with({ written: 'unknown' }).and(fact);
}

/** The result of an update. */
function doneBy({ wanted, change }: ContactUpdate, contact: Contact): Done {
	const { current, sent, changed, before, kept } = change;
	const { notSent, attributes } = wanted;
	const held = contactValuesOf(contact);
	const dropped = droppedFrom(held, { sent, notSent, attributes, before: current });
	return { contact, action: 'updated', changed, before, dropped, kept };
}
