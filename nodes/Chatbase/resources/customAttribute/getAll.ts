import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readFilter } from '../../fields/filters';
import { truth } from '../../fields/kinds';
import { readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { readAttributeRecords } from './requests';

interface Task {
	chatbotId: string;
	limit: number;
	/** Which attributes are wanted; undefined for all. */
	archived?: boolean;
}

export const getAllAttributes: SingleOperation<Task> = {
	read(context) {
		const filters = context.getNodeParameter('filters', {}) as IDataObject;
		return {
			chatbotId: readId(context, 'chatbotId', 'Chatbot'),
			limit: readLimit(context),
			archived: readFilter(context, filters, 'archived', 'Archived', truth),
		};
	},

	async send({ task: { chatbotId, limit, archived }, service }) {
		const records = await readAttributeRecords(service, chatbotId);
		return records
			.filter((record) => archived === undefined || (record.archived === true) === archived)
			.slice(0, limit);
	},
};

export const customAttributeGetAllFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show: { resource: ['customAttribute'], operation: ['getAll'] } },
		options: [
			{
				displayName: 'Archived',
				name: 'archived',
				type: 'boolean',
				default: false,
				description:
					'Whether to return only archived attributes; if off, only those in use. Without this filter both are returned.',
			},
		],
	},
];
