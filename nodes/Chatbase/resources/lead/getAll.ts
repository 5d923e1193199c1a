import type { INodeProperties } from 'n8n-workflow';

import { outputLimit } from '../../execution/outputLimit';
import { filtersField, optionsField } from '../../fields/collections';
import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange } from '../../fields/filters';
import { readAs, wholeNumber } from '../../fields/kinds';
import { listEnd } from '../../fields/listEnd';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { SingleOperation } from '../../execution/operation';
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
	read(item) {
		const filters = item.collection('filters');
		const options = item.collection('options');
		const limit = readLimit(item);
		const pageSize = options.pageSize ?? Math.min(limit, usualPage);
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			days: readDayRange(item, filters),
			pageSize: readAs(item, pageSize, wholeNumber(1, largestPage), 'Page Size'),
			limit,
		};
	},

	async send({ item, task: { chatbotId, days, pageSize, limit }, service }) {
		const list = leadList(service, chatbotId, pageSize);
		const leads = await readPages(list, days, limit, outputLimit);
		return [...leads, ...listEnd(item, leads.length, limit)];
	},
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
