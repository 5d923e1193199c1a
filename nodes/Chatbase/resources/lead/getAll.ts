import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange } from '../../fields/filters';
import { maxConcurrencyOption, readLimit } from '../../fields/paging';
import { readId, readWholeNumber } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { readPages } from '../../transport/pages';
import type { Service } from '../../transport/service';
import { isObject } from '../../transport/service';

interface Query extends DayRange, IDataObject {
	chatbotId: string;
	size: number;
}

interface Task {
	path: string;
	query: Query;
	limit: number;
}

/** Leads a page unless told otherwise, and at most. No document names a limit; clients in the wild ask for these. */
const usualPage = 100;
const largestPage = 1000;

export const getAllLeads: SingleOperation<Task> = {
	read(context, { path }) {
		const filters = context.getNodeParameter('filters', {}) as IDataObject;
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const limit = readLimit(context);
		const pageSize = options.pageSize ?? Math.min(limit, usualPage);
		return {
			path,
			limit,
			query: {
				chatbotId: readId(context, 'chatbotId', 'Chatbot'),
				...readDayRange(context, filters),
				size: readWholeNumber(context, pageSize, 'Page Size', 1, largestPage),
			},
		};
	},

	send: async ({ task: { path, query, limit }, service }) =>
		await readPages({
			readPage: async (page) => await readLeads(service, path, { ...query, page }),
			// The service may give fewer leads a page than asked for, so only an empty page is surely the end.
			fullPage: 1,
			limit,
		}),
};

/**
 * Reads one page of leads.
 *
 * @param qs the chatbot, number and size of the page, and what narrows the list down
 * @returns no leads where there is no such page
 * @throws NodeApiError when the service fails, or the reply is not a page
 */
export async function readLeads(
	service: Service,
	path: string,
	qs: IDataObject,
): Promise<IDataObject[]> {
	const subject = 'lead';
	const reply = await service.send({ method: 'GET', path, qs, subject });
	// The page before was fine with the same query, so what is wrong with this one is its number.
	if (reply.status === 400 && qs.page !== 1) return [];
	if (reply.situation) throw service.failure(reply, subject);
	const leads = leadsOf(reply.body);
	if (leads) return leads;
	throw service.unexpected(reply, subject);
}

/** Finds the leads in any of the three shapes in which they are reported to come (public reference, 4.8). */
function leadsOf(body: unknown): IDataObject[] | undefined {
	if (!isObject(body)) return undefined;
	const { collectedCustomers, data } = body;
	const nested = isObject(collectedCustomers) ? collectedCustomers.data : undefined;
	return [collectedCustomers, nested, data].find(isListOfObjects);
}

function isListOfObjects(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.every(isObject);
}

const show = { resource: ['lead'], operation: ['getAll'] };

export const leadGetAllFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show },
		options: dayRangeFields('leads that were collected'),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show },
		options: [
			maxConcurrencyOption,
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: largestPage },
				default: usualPage,
				description:
					'Leads a request, 1 to 1000. Without this option it is 100, or as many as the limit needs.',
			},
		],
	},
];
