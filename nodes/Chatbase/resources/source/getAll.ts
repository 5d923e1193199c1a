import { filtersField } from '../../panel/collections';
import { paging } from '../../panel/paging';
import { anyOfFilter, filterField } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { outputLimit, upToLimit } from '../../execution/lists';
import { filledText } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import { readSources, sourcesPath } from './sources';

const nameFilter = filterField('name', 'Name Contains', filledText, {
	description: 'Only sources with this text in their name (case-insensitive)',
	placeholder: 'e.g. Return policy',
});
const typeFilter = anyOfFilter('Types', 'type', 'Only sources of these types', [
	{ name: 'File', value: 'file' },
	{ name: 'Link', value: 'link' },
	{ name: 'Notion Page', value: 'notionPage' },
	{ name: 'Q&A', value: 'qna' },
	{ name: 'Text', value: 'text' },
]);

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List what the chatbot has learned from. May need a higher plan.',
	request: { method: 'GET', path: sourcesPath, resource: 'agentSources' },
	fields: [chatbotField, ...paging.fields, filtersField([nameFilter, typeFilter])],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		limit: paging.read(item),
		query: { type: typeFilter.read(item), name: nameFilter.read(item)?.trim() },
	}),

	async send({ item, params, api }) {
		const { chatbotId, limit, query } = params;
		const sources = await readSources(item, api, {
			chatbotId,
			filters: query,
			limit,
			maximum: outputLimit,
		});
		return upToLimit(item, sources, limit);
	},
});
