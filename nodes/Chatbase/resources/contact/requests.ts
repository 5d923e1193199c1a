import type { INode } from 'n8n-workflow';

import type { Contact, ContactsPage } from '../../contacts/contact';
import { mapTogether } from '../../transport/limit';
import { fillPath } from '../../transport/path';
import type { ServiceResponse } from '../../transport/response';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';

const subject = 'contact';

/** How many pages are asked for in one go. It only matters where a total is beyond belief. */
export const mostPagesAhead = 1000;

/** Contacts a page, at least (contract, Limits). */
export const smallestPage = 10;

/** Contacts a page, and contacts that are created with one request, at most (contract, Limits; public reference, 4.9). */
export const largestPage = 1000;

/** The path of the contact list below the Base URL. */
export function contactsPath(node: INode, chatbotId: string): string {
	return fillPath(node, '/chatbots/{chatbotId}/contacts', { chatbotId });
}

/**
 * The path of one contact below the Base URL.
 *
 * @param contactId its External ID
 */
export function contactPath(node: INode, chatbotId: string, contactId: string): string {
	return fillPath(node, '/chatbots/{chatbotId}/contacts/{contactId}', { chatbotId, contactId });
}

/**
 * Reads one page of the contact list.
 *
 * @param page number of the page, from 1
 * @param perPage contacts a page, 10 to 1000
 * @returns undefined where the service says that there is no such page, which happens when the
 *   list has become shorter meanwhile
 * @throws NodeApiError when the service fails, or the response is not a page
 */
export async function readContactsPage(
	service: Service,
	chatbotId: string,
	page: number,
	perPage: number,
): Promise<ContactsPage | undefined> {
	const response = await service.send({
		method: 'GET',
		path: contactsPath(service.node, chatbotId),
		qs: { page, per_page: perPage },
		subject,
	});
	if (response.status === 400 && page > 1) return undefined;
	if (response.outcome) throw service.failure(response, subject);
	return asPage(response, perPage) ?? raise(service.unexpected(response, subject));
}

/**
 * Reads several pages in a row. After one that fails, no more are asked for.
 *
 * @param first number of the first of them
 * @param count how many
 * @param perPage contacts a page, 10 to 1000
 * @throws NodeApiError as `readContactsPage` does
 */
export async function readContactsPages(
	service: Service,
	chatbotId: string,
	first: number,
	count: number,
	perPage: number,
): Promise<Array<ContactsPage | undefined>> {
	return await mapTogether(
		Array.from({ length: count }, (_, index) => first + index),
		service.maxConcurrency,
		async (page) => await readContactsPage(service, chatbotId, page, perPage),
	);
}

function asPage({ body }: ServiceResponse, perPage: number): ContactsPage | undefined {
	if (!isObject(body) || !Array.isArray(body.data) || !body.data.every(isObject)) return undefined;
	const { data, total, pages } = body;
	const totalPages = isObject(pages) ? pages.total_pages : undefined;
	if (!isCount(total) || (totalPages !== undefined && !isCount(totalPages))) return undefined;
	return {
		contacts: data as Contact[],
		total,
		totalPages: totalPages ?? Math.ceil(total / perPage),
	};
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Whether the response says that there is no such contact. The same status stands for a missing chatbot,
 * which only the message tells.
 */
export function isContactMissing({ status, body }: ServiceResponse): boolean {
	const said = isObject(body) ? body.message : undefined;
	const message = typeof said === 'string' ? said : '';
	return status === 404 && (/contact/i.test(message) || !/chatbot/i.test(message));
}

/** The service has no contact with the ID that was asked for. */
export class ContactMissing {
	/** @param response what the service said about it */
	constructor(readonly response: ServiceResponse) {}
}

/**
 * Reads one contact.
 *
 * @param contactId its External ID
 * @throws NodeApiError when the service fails, or does not know the chatbot
 */
export async function readContact(
	service: Service,
	chatbotId: string,
	contactId: string,
): Promise<Contact | ContactMissing> {
	const path = contactPath(service.node, chatbotId, contactId);
	const response = await service.send({ method: 'GET', path, subject });
	return isContactMissing(response) ? new ContactMissing(response) : contactOf(service, response);
}

/**
 * Takes the contact out of the response to a request about one contact.
 *
 * @throws NodeApiError when the request failed, or the response holds no contact
 */
export function contactOf(service: Service, response: ServiceResponse): Contact {
	if (response.outcome) throw service.failure(response, subject);
	const contact = isObject(response.body) ? response.body.data : undefined;
	return isObject(contact) ? (contact as Contact) : raise(service.unexpected(response, subject));
}

function raise(error: Error): never {
	throw error;
}
