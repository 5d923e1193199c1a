import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange, readFilter } from '../../fields/filters';
import { commaSeparated } from '../../fields/kinds';
import { maxConcurrencyOption, readLimit } from '../../fields/paging';
import { readId, readWholeNumber } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { readPages } from '../../transport/pages';
import type { Service } from '../../transport/service';
import { isObject } from '../../transport/service';

interface Query extends DayRange, IDataObject {
	chatbotId: string;
	/** Names of sources, separated by commas. */
	filteredSources?: string;
	size: number;
}

interface Task {
	path: string;
	query: Query;
	limit: number;
}

/** Conversations a page (public reference, 4.7). */
const largestPage = 100;

export const getAllConversations: SingleOperation<Task> = {
	read(context, { path }) {
		const filters = context.getNodeParameter('filters', {}) as IDataObject;
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const limit = readLimit(context);
		const pageSize = options.pageSize ?? Math.min(limit, largestPage);
		const sources = [
			...(readFilter(context, filters, 'sources', 'Sources', commaSeparated) ?? []),
			...(readFilter(context, filters, 'otherSources', 'Other Sources', commaSeparated) ?? []),
		];
		return {
			path,
			limit,
			query: {
				chatbotId: readId(context, 'chatbotId', 'Chatbot'),
				...readDayRange(context, filters),
				...(sources.length > 0 && { filteredSources: sources.join(',') }),
				size: readWholeNumber(context, pageSize, 'Page Size', 1, largestPage),
			},
		};
	},

	send: async ({ task: { path, query, limit }, service }) =>
		await readPages({
			readPage: async (page) => await readConversations(service, path, { ...query, page }),
			fullPage: query.size,
			limit,
		}),
};

/**
 * Reads one page of conversations.
 *
 * @param qs the chatbot, number and size of the page, and what narrows the list down
 * @returns no conversations where there is no such page
 * @throws NodeApiError when the service fails, or the reply is not a page
 */
export async function readConversations(
	service: Service,
	path: string,
	qs: IDataObject,
): Promise<IDataObject[]> {
	const subject = 'conversation';
	const reply = await service.send({ method: 'GET', path, qs, subject });
	// The page before was fine with the same query, so what is wrong with this one is its number.
	if (reply.status === 400 && qs.page !== 1) return [];
	if (reply.situation) throw service.failure(reply, subject);
	const conversations = isObject(reply.body) ? reply.body.data : undefined;
	if (Array.isArray(conversations) && conversations.every(isObject)) return conversations;
	throw service.unexpected(reply, subject);
}

/** The filters for the places where conversations are held. */
export const sourceFields: INodeProperties[] = [
	{
		displayName: 'Other Sources',
		name: 'otherSources',
		type: 'string',
		default: '',
		placeholder: 'e.g. Telegram, Email',
		description: 'Sources that are not in the list Sources, separated by commas',
	},
	{
		displayName: 'Sources',
		name: 'sources',
		type: 'multiOptions',
		default: [],
		description: 'Only conversations that were held in one of these places',
		options: [
			{ name: 'Action Preview', value: 'Action preview' },
			{ name: 'API', value: 'API' },
			{ name: 'Chatbase Site', value: 'Chatbase site' },
			{ name: 'Instagram', value: 'Instagram' },
			{ name: 'Messenger', value: 'Messenger' },
			{ name: 'Playground', value: 'Playground' },
			{ name: 'Slack', value: 'Slack' },
			{ name: 'Unspecified', value: 'Unspecified' },
			{ name: 'WhatsApp', value: 'WhatsApp' },
			{ name: 'Widget or Iframe', value: 'Widget or Iframe' },
		],
	},
];

const show = { resource: ['conversation'], operation: ['getAll'] };
const [endDate, startDate] = dayRangeFields('conversations');

export const conversationGetAllFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show },
		options: [endDate, ...sourceFields, startDate],
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
				default: largestPage,
				description:
					'Conversations a request, 1 to 100. Without this option it is 100, or as many as the limit needs. Lower it if long conversations take too long to arrive.',
			},
		],
	},
];
