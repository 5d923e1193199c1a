import { fillPath } from '../../../api/path';

/** The contacts of a chatbot, and one of them by its External ID. */
export const contactsPath = '/chatbots/{chatbotId}/contacts';
export const contactPath = `${contactsPath}/{contactId}`;

/** Contacts a page, at least (contract, Limits). */
export const minPageSize = 10;

/** Contacts a page, and contacts that are created with one request, at most (contract, Limits; public reference, 4.9). */
export const maxPageSize = 1000;

/** The path of the contact list of a chatbot below the Base URL. */
export function pathOfContacts(chatbotId: string): string {
	return fillPath(contactsPath, { chatbotId });
}

/**
 * The path of one contact below the Base URL.
 *
 * @param contactId its External ID, which a path can name
 */
export function pathOfContact(chatbotId: string, contactId: string): string {
	return fillPath(contactPath, { chatbotId, contactId });
}
