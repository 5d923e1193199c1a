import type { IDataObject } from 'n8n-workflow';

import type { PagedList } from '../../transport/pages';
import { pagedList } from '../../transport/pages';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';

/** Leads a page unless told otherwise, and at most. No document names a limit; clients in the wild ask for these. */
export const usualPage = 100;
export const largestPage = 1000;

/**
 * What visitors left in the lead form of a chatbot. The largest page is not documented, so the service may
 * give fewer leads than asked for, and only an empty page is surely the end.
 *
 * @param size leads a page, 1 to 1000
 */
export function leadList(service: Service, chatbotId: string, size: number): PagedList {
	return pagedList(service, '/get-leads', { chatbotId, size }, 'lead', 1, leadsIn);
}

/** Finds the leads in any of the three shapes in which they are reported to come (public reference, 4.8). */
function leadsIn(body: unknown): IDataObject[] | undefined {
	if (!isObject(body)) return undefined;
	const { collectedCustomers, data } = body;
	const nested = isObject(collectedCustomers) ? collectedCustomers.data : undefined;
	return [collectedCustomers, nested, data].find(isListOfObjects);
}

function isListOfObjects(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.every(isObject);
}
