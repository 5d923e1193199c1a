/** The requests about one contact. */
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type ApiResponse, dataIn } from '../../api/response';
import { isObject } from '../../values/json';
import { type NonEmpty } from '../../values/list';
import { abbreviate } from '../../values/text';
import { type Contact, externalIdOf } from './plan/contactRecord';

export const contactsPath = '/chatbots/{chatbotId}/contacts';
export const contactPath = `${contactsPath}/{contactId}`;

/** Whether a 404 is about the contact. A missing chatbot has the same status and another message. */
export function isContactMissing({ outcome, body, version }: ApiResponse): boolean {
	return outcome === '404' && !version.isAbout(body, 'chatbot');
}

interface ContactRequest {
	readonly method: 'GET' | 'PATCH' | 'DELETE';
	readonly chatbotId: string;
	readonly contactId: string;
	readonly body?: IDataObject;
}

export async function sendToContact(
	api: ApiClient,
	{ method, chatbotId, contactId, body }: ContactRequest,
): Promise<ApiResponse> {
	return await api.send({
		method,
		path: contactPath,
		resource: 'contact',
		params: { chatbotId, contactId },
		body,
	});
}

interface FoundContact {
	/** Undefined if it does not exist. */
	contact?: Contact;
	/** The response, from which the error of a 404 is made. */
	response: ApiResponse;
}

export async function readContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
): Promise<FoundContact> {
	const response = await sendToContact(api, { method: 'GET', chatbotId, contactId });
	if (isContactMissing(response)) return { response };

	const contact = api.expectBody<Contact>(response);
	const id = externalIdOf(contact);
	if (id === undefined) throw api.unexpected(response);
	if (id === contactId) return { contact, response };

	// The response is about another contact.
	return { response: { ...response, outcome: '404', status: 404, body: undefined } };
}

/**
 * Throws if the response is about another contact. Some services also compare the ID in the path with their internal IDs, and
 * then write another contact.
 */
export function assertIsContact(
	api: ApiClient,
	response: ApiResponse,
	ids: Readonly<NonEmpty<string>>,
): void {
	const data = dataIn(response);
	const id = isObject(data) ? externalIdOf(data) : undefined;
	if (id === undefined || ids.includes(id)) return;

	const done = response.method === 'DELETE' ? 'deleted' : 'changed';
	const fact = `The service ${done} the contact with the External ID "${abbreviate(id)}", perhaps because "${abbreviate(ids[0])}" is its internal ID. Check this contact, and use External IDs only.`;
	throw api.unexpected(response).with({ sentences: [fact], advice: undefined });
}
