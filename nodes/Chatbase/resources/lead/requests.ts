import type { IDataObject } from 'n8n-workflow';

import type { PagedList } from '../../api/paginate';
import { pagedList } from '../../api/paginate';
import type { ApiClient } from '../../api/client';
import { asObjects, isObject } from '../../values/object';

/** The leads of a chatbot. */
export const leadsPath = '/get-leads';

/** Leads a page unless told otherwise, and at most. No document names a limit; clients in the wild ask for these. */
export const defaultPageSize = 100;
export const maxPageSize = 1000;

/**
 * What visitors left in the lead form of a chatbot.
 *
 * @param size leads a page, 1 to 1000
 */
export function leadList(api: ApiClient, chatbotId: string, size: number): PagedList {
	return pagedList(api, leadsPath, { chatbotId, size }, 'lead', leadsIn);
}

/** Finds the leads in any of the three shapes in which they are reported to come (public reference, 4.8). */
function leadsIn({ collectedCustomers, data }: IDataObject): IDataObject[] | undefined {
	const nested = isObject(collectedCustomers) ? collectedCustomers.data : undefined;
	return asObjects(collectedCustomers) ?? asObjects(nested) ?? asObjects(data);
}
