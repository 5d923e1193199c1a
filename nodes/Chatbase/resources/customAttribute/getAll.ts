import type { INodeProperties } from 'n8n-workflow';

import { filtersField, optionsField } from '../../fields/collections';
import { readFilter } from '../../fields/filters';
import { boolean } from '../../fields/values';
import { truncationNotice } from '../../fields/listEnd';
import { maxConcurrencyOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { SingleOperation } from '../../execution/operation';
import { readAttributeRecords } from './requests';

interface Task {
	chatbotId: string;
	limit: number;
	/** Which attributes are wanted; undefined for all. */
	archived?: boolean;
}

/** Reads the custom attributes of a chatbot, with one request however many there are. */
export const getAllAttributes: SingleOperation<Task> = {
	read(item) {
		const filters = item.collection('filters');
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			limit: readLimit(item),
			archived: readFilter(item, filters, 'archived', 'Archived', boolean),
		};
	},

	async send({ item, params: { chatbotId, limit, archived }, api }) {
		const records = await readAttributeRecords(api, chatbotId);
		const wanted = records.filter(
			(record) => archived === undefined || (record.archived === true) === archived,
		);
		const returned = wanted.slice(0, limit);
		return [...returned, ...truncationNotice(item, returned.length, limit, wanted.length)];
	},
};

const show = { resource: ['customAttribute'], operation: ['getAll'] };

export const customAttributeGetAllFields: INodeProperties[] = [
	filtersField(show, [
		{
			displayName: 'Archived',
			name: 'archived',
			type: 'options',
			default: false,
			description: 'Which attributes to return; without this filter, all of them',
			options: [
				{
					name: 'Only Archived',
					value: true,
					description:
						'Attributes out of use: contacts keep the values they have and get no new ones',
				},
				{
					name: 'Only Those in Use',
					value: false,
					description: 'Attributes that are not archived',
				},
			],
		},
	]),
	optionsField(show, [maxConcurrencyOption]),
];
