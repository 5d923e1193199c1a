import { filtersField } from '../../panel/collections';
import { paging } from '../../panel/paging';
import { filterField } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { upToLimit } from '../../execution/lists';
import { boolean } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import { attributesPath, readAttributeRecords } from './attributes';

const archivedFilter = filterField('archived', 'Archived', boolean, {
	description: 'Which attributes to return. Without this filter, all are returned.',
	type: 'options',
	options: [
		{
			name: 'Only Archived',
			value: true,
			description: "Contacts keep their values and can't get new ones",
		},
		{ name: 'Only Active', value: false, description: 'Contacts can get values' },
	],
});

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List the attributes that contacts of a chatbot can have',
	request: { method: 'GET', path: attributesPath, resource: 'customAttributes' },
	fields: [chatbotField, ...paging.fields, filtersField([archivedFilter])],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		limit: paging.read(item),
		archived: archivedFilter.read(item),
	}),

	async send({ item, params, api }) {
		const { chatbotId, limit, archived } = params;
		const records = await readAttributeRecords(api, chatbotId);
		const wanted = records.filter(
			(record) => archived === undefined || (record.archived === true) === archived,
		);
		return upToLimit(item, wanted, limit, wanted.length);
	},
});
