import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { filtersField, optionsField } from '../../fields/collections';
import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange } from '../../fields/filters';
import { readAs, wholeNumber } from '../../fields/kinds';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { readPages } from '../../transport/pages';
import { largestPage, leadList, usualPage } from './requests';

interface Task {
	chatbotId: string;
	days: DayRange;
	pageSize: number;
	limit: number;
}

/** Reads the leads of a chatbot. */
export const getAllLeads: SingleOperation<Task> = {
	read(context) {
		const filters = context.getNodeParameter('filters', {}) as IDataObject;
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const limit = readLimit(context);
		const pageSize = options.pageSize ?? Math.min(limit, usualPage);
		return {
			chatbotId: readId(context, 'chatbotId', 'Chatbot'),
			days: readDayRange(context, filters),
			pageSize: readAs(context, pageSize, wholeNumber(1, largestPage), 'Page Size'),
			limit,
		};
	},

	send: async ({ task: { chatbotId, days, pageSize, limit }, service }) =>
		await readPages(leadList(service, chatbotId, pageSize), days, limit),
};

const show = { resource: ['lead'], operation: ['getAll'] };

export const leadGetAllFields: INodeProperties[] = [
	filtersField(show, dayRangeFields('leads collected')),
	optionsField(show, [
		maxConcurrencyOption,
		pageSizeOption(
			'Leads',
			1,
			largestPage,
			usualPage,
			'Without this option it is 100, or as many as the limit needs',
		),
	]),
];
