import type { IDataObject } from 'n8n-workflow';

import { eachTogether } from '../../../api/limit';
import { saysPageIsMissing } from '../../../api/paginate';
import type { ApiClient } from '../../../api/client';
import { asObjects, isObject } from '../../../values/object';
import type { ContactsPage } from '../plan/contact';
import { pathOfContacts } from './paths';

const subject = 'contact';

/**
 * How many pages are read ahead before it is looked whether they still bring anything new: a total can be beyond
 * belief.
 */
export const mostPagesAhead = 100;

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
	api: ApiClient,
	chatbotId: string,
	page: number,
	perPage: number,
): Promise<ContactsPage | undefined> {
	const response = await api.send({
		method: 'GET',
		path: pathOfContacts(chatbotId),
		qs: { page, per_page: perPage },
		subject,
	});
	if (page > 1 && saysPageIsMissing(response)) return undefined;
	return api.expectBody(response, subject, (body) => pageIn(body, perPage));
}

/**
 * Reads several pages in a row. After one that fails, no more are asked for.
 *
 * @param first number of the first of them
 * @param count how many
 * @param perPage contacts a page, 10 to 1000
 * @param take called with each page in the order of the list, while later ones are still under way
 * @throws NodeApiError as `readContactsPage` does
 */
export async function readContactsPages(
	api: ApiClient,
	chatbotId: string,
	first: number,
	count: number,
	perPage: number,
	take: (page: ContactsPage | undefined) => void,
): Promise<void> {
	await eachTogether(
		Array.from({ length: count }, (_, index) => first + index),
		api.maxConcurrency,
		async (page) => await readContactsPage(api, chatbotId, page, perPage),
		take,
	);
}

function pageIn({ data, total, pages }: IDataObject, perPage: number): ContactsPage | undefined {
	const contacts = asObjects(data);
	const totalPages = isObject(pages) ? pages.total_pages : undefined;
	if (!contacts || !isCount(total)) return undefined;
	if (totalPages !== undefined && !isCount(totalPages)) return undefined;
	return { contacts, total, totalPages: totalPages ?? Math.ceil(total / perPage) };
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
