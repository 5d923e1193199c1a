import { filtersField, operation, optionsField } from '../../fields/define';
import { readFilter } from '../../fields/filters';
import { chatbotField } from '../../fields/locators';
import {
	maxConcurrencyOption,
	pagingFields,
	readLimit,
	truncationNotice,
} from '../../fields/paging';
import { boolean, readId } from '../../fields/values';
import { attributesPath, readAttributeRecords } from './attributes';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many custom attributes',
	description: 'List the attributes that contacts of a chatbot can have',
	request: { method: 'GET', path: attributesPath, resource: 'customAttributes' },
	fields: [
		chatbotField,
		...pagingFields,
		filtersField([
			{
				displayName: 'Archived',
				name: 'archived',
				type: 'options',
				default: false,
				description: 'Which attributes to return. Without this filter, all are returned.',
				options: [
					{
						name: 'Only Archived',
						value: true,
						description: "Contacts keep their values and can't get new ones",
					},
					{ name: 'Only Active', value: false, description: 'Contacts can get values' },
				],
			},
		]),
		optionsField([maxConcurrencyOption]),
	],

	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		limit: readLimit(item),
		archived: readFilter(item, 'archived', 'Archived', boolean),
	}),

	async send({ item, params: { chatbotId, limit, archived }, api }) {
		const records = await readAttributeRecords(api, chatbotId);
		const wanted = records.filter(
			(record) => archived === undefined || (record.archived === true) === archived,
		);
		const returned = wanted.slice(0, limit);
		return [...returned, ...truncationNotice(item, returned.length, limit, wanted.length)];
	},
});
