import type { IDataObject } from 'n8n-workflow';

import type { ApiResponse } from '../../../api/response';
import type { ApiClient } from '../../../api/client';
import { isObject } from '../../../values/object';
import { droppedFrom } from '../plan/change';
import type { Contact } from '../plan/contact';
import { pathOfContact } from './paths';

const subject = 'contact';

/** The service has no contact with the ID that was asked for. */
export class ContactMissing {
	/** @param response what the service said about it */
	constructor(readonly response: ApiResponse) {}
}

/** The service has turned the data of a contact down. */
export class ContactRefused {
	/** @param response what the service said about it */
	constructor(readonly response: ApiResponse) {}
}

/**
 * Whether the response says that there is no such contact. The same status stands for a missing chatbot,
 * which only the message tells.
 */
export function isContactMissing({ outcome, body }: ApiResponse): boolean {
	if (outcome !== '404' || !isObject(body)) return false;
	const message = String(body.message);
	return /contact/i.test(message) || !/chatbot/i.test(message);
}

/**
 * Reads one contact.
 *
 * @param contactId its External ID
 * @throws NodeApiError when the service fails, or does not know the chatbot
 */
export async function readContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
): Promise<Contact | ContactMissing> {
	const path = pathOfContact(chatbotId, contactId);
	const response = await api.send({ method: 'GET', path, subject });
	return isContactMissing(response)
		? new ContactMissing(response)
		: api.expectBody<Contact>(response, subject);
}

/**
 * Sends changes to one contact.
 *
 * @param contactId its External ID
 * @param data the fields to change
 * @param existing the contact as it was; undefined when that is not known
 * @returns the contact as it is then, or what kept it from being changed
 * @throws NodeApiError when the service fails, or does not know the chatbot
 */
export async function patchContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
	data: IDataObject,
	existing?: Contact,
): Promise<Contact | ContactMissing | ContactRefused> {
	const path = pathOfContact(chatbotId, contactId);
	const response = await api.send({ method: 'PATCH', path, body: { data }, subject });
	if (response.outcome === '400' || response.outcome === '409') return new ContactRefused(response);
	if (!isContactMissing(response)) return api.expectBody<Contact>(response, subject);
	const newId = data.external_id;
	if (!response.mayHaveRun || typeof newId !== 'string' || newId === contactId) {
		return new ContactMissing(response);
	}
	// An attempt whose response was lost may have given the contact its new ID; or it never existed, and the ID is another's.
	const found = await readContact(api, chatbotId, newId);
	if (found instanceof ContactMissing) return found;
	const isSame =
		existing?.id === undefined
			? droppedFrom(data, new Map(), found).length === 0
			: found.id === existing.id;
	return isSame ? found : new ContactMissing(response);
}
