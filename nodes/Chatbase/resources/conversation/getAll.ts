import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { filtersField, optionsField } from '../../fields/collections';
import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange, readFilter } from '../../fields/filters';
import { commaSeparated, readAs, wholeNumber } from '../../fields/kinds';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import { sourceFields } from '../../fields/sources';
import type { SingleOperation } from '../../transport/operation';
import { readPages } from '../../transport/pages';
import { conversationList, largestPage } from './requests';

interface Task {
	chatbotId: string;
	filters: DayRange & {
		/** Names of sources, separated by commas. */
		filteredSources?: string;
	};
	pageSize: number;
	limit: number;
}

/** Reads the saved conversations of a chatbot. */
export const getAllConversations: SingleOperation<Task> = {
	read(context) {
		const filters = context.getNodeParameter('filters', {}) as IDataObject;
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const limit = readLimit(context);
		const pageSize = options.pageSize ?? Math.min(limit, largestPage);
		const sources = [
			...(readFilter(context, filters, 'sources', 'Sources', commaSeparated) ?? []),
			...(readFilter(context, filters, 'otherSources', 'Other Sources', commaSeparated) ?? []),
		];
		return {
			chatbotId: readId(context, 'chatbotId', 'Chatbot'),
			filters: {
				...readDayRange(context, filters),
				...(sources.length > 0 && { filteredSources: sources.join(',') }),
			},
			pageSize: readAs(context, pageSize, wholeNumber(1, largestPage), 'Page Size'),
			limit,
		};
	},

	send: async ({ task: { chatbotId, filters, pageSize, limit }, service }) =>
		await readPages(conversationList(service, chatbotId, pageSize), filters, limit),
};

const show = { resource: ['conversation'], operation: ['getAll'] };
const [endDate, startDate] = dayRangeFields('conversations held');

export const conversationGetAllFields: INodeProperties[] = [
	filtersField(show, [endDate, ...sourceFields, startDate]),
	optionsField(show, [
		maxConcurrencyOption,
		pageSizeOption(
			'Conversations',
			1,
			largestPage,
			largestPage,
			'Without this option it is 100, or as many as the limit needs. Lower it if pages take too long to arrive',
		),
	]),
];
