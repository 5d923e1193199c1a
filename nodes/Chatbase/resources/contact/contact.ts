import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { isPathSegment } from '../../api/request';
import { escapeHtml } from '../../api/errors';
import { type ApiResponse, dataIn } from '../../api/response';
import { isEmpty, isObject, ownValue } from '../../values/json';
import { abbreviate } from '../../values/list';

export const contactsPath = '/chatbots/{chatbotId}/contacts';
export const contactPath = `${contactsPath}/{contactId}`;

/** A contact as the service returns it. Values may have other types than in the contract. */
export interface Contact extends IDataObject {
	id?: string | number;
	/** ID in the user's own system. Paths use it. */
	external_id?: string | number | null;
	name?: string | null;
	email?: string | null;
	phonenumber?: string | null;
	custom_attributes?: IDataObject | null;
	/** Unix timestamps. Public documentation says seconds, the contract leaves the unit open. */
	created_at?: number | string;
	updated_at?: number | string;
}

export function externalIdOf({ external_id: id }: Contact): string | undefined {
	if (typeof id === 'number') return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether the External ID can be part of a path, which every change needs. */
export function isAddressable(contact: Contact): boolean {
	const id = externalIdOf(contact);
	return id !== undefined && isPathSegment(id);
}

/** An email in the form for comparisons, or undefined if it is empty. */
export function normalizeEmail(email: unknown): string | undefined {
	return typeof email === 'string' ? email.trim().toLowerCase() || undefined : undefined;
}

/** Whether a 404 is about the contact. A missing chatbot has the same status and another message. */
export function isContactMissing({ outcome, body, version }: ApiResponse): boolean {
	return outcome === '404' && !version.isAbout(body, 'chatbot');
}

/** The error for a request about one contact, which it names. */
export function failureOf(
	api: ApiClient,
	response: ApiResponse,
	contactId: string,
): NodeApiError {
	const error = api.failure(response);
	error.description = `${escapeHtml(`Contact ${abbreviate(contactId)}: `)}${error.description ?? ''}`;
	return error;
}

export async function sendToContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
	request: { method: 'GET' | 'PATCH' | 'DELETE'; body?: IDataObject },
): Promise<ApiResponse> {
	const params = { chatbotId, contactId };
	return await api.send({ ...request, path: contactPath, resource: 'contact', params });
}

interface FoundContact {
	/** Undefined if it does not exist. */
	contact?: Contact;
	/** Of a 404, for its error. */
	response: ApiResponse;
}

export async function readContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
): Promise<FoundContact> {
	const response = await sendToContact(api, chatbotId, contactId, { method: 'GET' });
	if (isContactMissing(response)) return { response };

	const contact = api.expectBody<Contact>(response);
	const id = externalIdOf(contact);
	if (id === undefined) throw api.unexpected(response);
	if (id === contactId) return { contact, response };

	// The response is about another contact.
	return { response: { ...response, outcome: '404', status: 404, body: undefined } };
}

/** A value for comparisons that ignore case, surrounding spaces and Unicode form. */
export function fold(value: unknown): string {
	return String(value ?? '')
		.normalize('NFC')
		.trim()
		.toLowerCase();
}

/** An ID without what nobody sees: invisible characters, and spaces around it. */
export function visibleId(id: string): string {
	return id.replace(/\p{Cf}/gu, '').trim();
}

/** An ID for comparisons that ignore case, Unicode form, spaces and invisible characters. */
export function foldId(id: string): string {
	return fold(id.replace(/[\p{Cf}\s]/gu, ''));
}

/** Some services look for the ID in a path among their internal IDs, too, and then write another contact. */
export function assertIsContact(
	api: ApiClient,
	response: ApiResponse,
	ids: string[],
): void {
	const data = dataIn(response);
	const id = isObject(data) ? externalIdOf(data) : undefined;
	if (id === undefined || ids.includes(id)) return;
	const error = api.unexpected(response);
	const done = response.method === 'DELETE' ? 'deleted' : 'changed';
	const words = `The service ${done} the contact with the External ID "${abbreviate(id)}", perhaps because "${abbreviate(ids[0])}" is its internal ID. Check this contact, and use External IDs only.`;
	error.description = escapeHtml(words);
	throw error;
}

export function attributesIn({ custom_attributes: attributes }: Contact): IDataObject {
	return isObject(attributes) ? attributes : {};
}

export function attributeText(contact: Contact, name: string): string | undefined {
	const value = ownValue(attributesIn(contact), name);
	return isEmpty(value) ? undefined : String(value);
}
