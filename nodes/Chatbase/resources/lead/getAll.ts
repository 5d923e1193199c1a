import type { INodeProperties } from 'n8n-workflow';

import { outputLimit } from '../../execution/outputLimit';
import { filtersField, optionsField } from '../../fields/collections';
import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange } from '../../fields/filters';
import { readAs, wholeNumber } from '../../fields/values';
import { truncationNotice } from '../../fields/listEnd';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { SingleOperation } from '../../execution/operation';
import { readPages } from '../../api/paginate';
import { maxPageSize, leadList, defaultPageSize } from './requests';

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
		const pageSize = options.pageSize ?? Math.min(limit, defaultPageSize);
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			days: readDayRange(item, filters),
			pageSize: readAs(item, pageSize, wholeNumber(1, maxPageSize), 'Page Size'),
			limit,
		};
	},

	async send({ item, params: { chatbotId, days, pageSize, limit }, api }) {
		const list = leadList(api, chatbotId, pageSize);
		const leads = await readPages(list, days, limit, outputLimit);
		return [...leads, ...truncationNotice(item, leads.length, limit)];
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
			maxPageSize,
			defaultPageSize,
			'Without this option it is 100, or as many as the limit needs',
		),
	]),
];
