import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { numberedPages, type PagedList } from '../../api/paginate';
import { outputLimit, readComplete, upToLimit } from '../../execution/lists';
import { filtersField } from '../../panel/collections';
import { paging } from '../../panel/paging';
import { dayRange } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { asObjects, objectIn } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';

const leadsPath = '/get-leads';

/** No document names a page size. Known clients use this one. */
const pageSize = 100;

const collected = dayRange('leads collected');

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'Read the contact details that visitors left in the lead form',
	request: { method: 'GET', path: leadsPath, resource: 'lead' },
	fields: [chatbotField, ...paging.fields, filtersField(collected.fields)],

	read(item) {
		const limit = paging.read(item);
		return {
			limit,
			query: {
				chatbotId: chatbotField.read(item),
				size: Math.min(limit, pageSize),
				...collected.read(item),
			},
		};
	},

	async send({ item, params, api }) {
		const { query, limit } = params;
		const leads = await readComplete(item, 'leads', leadList(api, query), {
			limit,
			maximum: outputLimit,
		});
		return upToLimit(item, leads, limit);
	},
});

export function leadList(api: ApiClient, query: IDataObject): PagedList<IDataObject> {
	return numberedPages(api, { path: leadsPath, resource: 'lead', query }, leadsIn);
}

/** A response has one of three shapes (reference of version 1). */
function leadsIn({ collectedCustomers, data }: IDataObject): IDataObject[] | undefined {
	const nested = objectIn(collectedCustomers).data;
	return asObjects(collectedCustomers) ?? asObjects(nested) ?? asObjects(data);
}
