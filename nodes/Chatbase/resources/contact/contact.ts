import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { fillPath, isPathSegment } from '../../api/address';
import { escapeHtml } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import { isObject, ownValue } from '../../values/object';
import { isEmpty } from '../../values/scalar';

export const contactsPath = '/chatbots/{chatbotId}/contacts';
export const contactPath = `${contactsPath}/{contactId}`;

/**
 * A contact as the service returns it. Only what the package reads is named here; everything else is passed on as it
 * came, and whatever comes may be of another type than the contract says.
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

/** The External ID of a contact as text, or undefined if it has none. */
export function externalIdOf({ external_id: id }: Contact): string | undefined {
	if (typeof id === 'number') return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a path can name the contact, so that it can be changed. */
export function isAddressable(contact: Contact): boolean {
	const id = externalIdOf(contact);
	return id !== undefined && isPathSegment(id);
}

/** An email address in the form in which addresses are the same, or undefined if there is none. */
export function normalizeEmail(email: unknown): string | undefined {
	return typeof email === 'string' ? email.trim().toLowerCase() || undefined : undefined;
}

export class ContactMissing {
	constructor(readonly response: ApiResponse) {}
}

export class ContactRefused {
	constructor(readonly response: ApiResponse) {}
}

/** Whether a 404 is about the contact: the same status stands for a missing chatbot, which only the words tell. */
export function isContactMissing({ outcome, body, version }: ApiResponse): boolean {
	return outcome === '404' && !version.isAbout(body, 'chatbot');
}

export async function sendToContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
	request: { method: 'GET' | 'PATCH' | 'DELETE'; body?: IDataObject; expiresAt?: number },
): Promise<ApiResponse> {
	const path = fillPath(contactPath, { chatbotId, contactId });
	return await api.send({ ...request, path, resource: 'contact' });
}

/** @throws NodeApiError if the service fails, or does not know the chatbot */
export async function readContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
): Promise<Contact | ContactMissing> {
	const response = await sendToContact(api, chatbotId, contactId, { method: 'GET' });
	if (isContactMissing(response)) return new ContactMissing(response);
	const contact = api.expectBody<Contact>(response);
	const id = externalIdOf(contact);
	if (id === undefined) throw api.unexpected(response);
	if (isSameId(id, contactId)) return contact;
	// What the service says is about the other contact.
	return new ContactMissing({ ...response, outcome: '404', status: 404, body: undefined });
}

/** A service may look an ID up without case, surrounding spaces or Unicode form; another ID is another contact. */
function isSameId(one: string, other: string): boolean {
	const fold = (id: string) => id.normalize('NFC').trim().toLowerCase();
	return fold(one) === fold(other);
}

/**
 * Some services look for the ID in a path among their internal IDs, too, and then write another contact.
 *
 * @throws NodeApiError if the response holds a contact with none of these External IDs
 */
export function assertIsContact(api: ApiClient, response: ApiResponse, ids: string[]) {
	const data = response.version.dataIn(response.body);
	const id = isObject(data) ? externalIdOf(data) : undefined;
	if (id === undefined || ids.some((asked) => isSameId(id, asked))) return;
	const error = api.unexpected(response);
	const deed = response.method === 'DELETE' ? 'deleted' : 'changed';
	const words = `The service ${deed} the contact with the External ID "${id}", perhaps because "${ids[0]}" is its internal ID. Check this contact, and use External IDs only.`;
	error.description = escapeHtml(words);
	throw error;
}

/** A custom attribute of a contact as text, or undefined if it has no value. */
export function attributeText(contact: Contact, name: string): string | undefined {
	const { custom_attributes: attributes } = contact;
	const value = isObject(attributes) ? ownValue(attributes, name) : undefined;
	return isEmpty(value) ? undefined : String(value);
}
