import type { INodeProperties } from 'n8n-workflow';

import { outputLimit } from '../../execution/outputLimit';
import { filtersField, optionsField } from '../../fields/collections';
import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange, readFilter } from '../../fields/filters';
import { commaSeparated, readAs, wholeNumber } from '../../fields/kinds';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import { sourceFields } from '../../fields/sources';
import type { SingleOperation } from '../../execution/operation';
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
	read(item) {
		const filters = item.collection('filters');
		const options = item.collection('options');
		const limit = readLimit(item);
		const pageSize = options.pageSize ?? Math.min(limit, largestPage);
		const sources = [
			...(readFilter(item, filters, 'sources', 'Sources', commaSeparated) ?? []),
			...(readFilter(item, filters, 'otherSources', 'Other Sources', commaSeparated) ?? []),
		];
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			filters: {
				...readDayRange(item, filters),
				...(sources.length > 0 && { filteredSources: sources.join(',') }),
			},
			pageSize: readAs(item, pageSize, wholeNumber(1, largestPage), 'Page Size'),
			limit,
		};
	},

	send: async ({ task: { chatbotId, filters, pageSize, limit }, service }) =>
		await readPages(conversationList(service, chatbotId, pageSize), filters, limit, outputLimit),
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
