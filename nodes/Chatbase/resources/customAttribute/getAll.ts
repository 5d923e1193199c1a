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
	description: 'List the properties that contacts of a chatbot can have',
	request: { method: 'GET', path: attributesPath },
	fields: [
		chatbotField,
		...pagingFields,
		filtersField([
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
