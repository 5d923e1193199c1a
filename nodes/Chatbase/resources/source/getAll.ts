import { filtersField, operation } from '../../fields/define';
import { readFilter } from '../../fields/filters';
import { chatbotField } from '../../fields/locators';
import { pagingFields, readLimit, truncationNotice } from '../../fields/paging';
import { commaList, filledText, readId } from '../../fields/values';
import { readSources, sourcesPath } from './sources';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sources',
	description: 'List what the chatbot has learned from. Needs a plan with API access.',
	request: { method: 'GET', path: sourcesPath, resource: 'agentSources' },
	fields: [
		chatbotField,
		...pagingFields,
		filtersField([
			{
				displayName: 'Name Contains',
				name: 'name',
				type: 'string',
				default: '',
				description: 'Only sources with this text in their name (case-insensitive)',
				placeholder: 'e.g. Return policy',
			},
			{
				displayName: 'Types',
				name: 'type',
				type: 'multiOptions',
				default: [],
				description: 'Only sources of these types',
				options: [
					{ name: 'File', value: 'file' },
					{ name: 'Link', value: 'link' },
					{ name: 'Notion Page', value: 'notionPage' },
					{ name: 'Q&A', value: 'qna' },
					{ name: 'Text', value: 'text' },
				],
			},
		]),
	],

	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		limit: readLimit(item),
		query: {
			type: readFilter(item, 'type', 'Types', commaList),
			name: readFilter(item, 'name', 'Name Contains', filledText)?.trim(),
		},
	}),

	async send({ item, params: { chatbotId, limit, query }, api }) {
		const sources = await readSources(item, api, chatbotId, query, limit);
		return [...sources, ...truncationNotice(item, sources.length, limit)];
	},
});
