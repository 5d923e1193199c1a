import type { InputItem } from '../../execution/item';
import { filtersField, operation, optionsField } from '../../fields/define';
import { anyOfFilter, filterField } from '../../fields/filters';
import { chatbotField, notFoundOption, readMarksMissing, sourceField } from '../../fields/locators';
import { maxConcurrencyOption, paging, upToLimit } from '../../fields/paging';
import { filledText } from '../../fields/values';
import { assertChatbotKnown } from '../chatbot/chatbots';
import { readSources, sendToSource, sourceIn, sourcePath, sourcesPath } from './sources';

export const readChosen = (item: InputItem) => ({
	chatbotId: chatbotField.read(item),
	sourceId: sourceField.read(item).trim(),
	marksMissing: readMarksMissing(item),
});

export const get = operation({
	value: 'get',
	description: 'Read one source without its content. Needs a plan with API access.',
	request: { method: 'GET', path: sourcePath, resource: 'agentSource' },
	fields: [
		chatbotField,
		sourceField,
		optionsField([
			notFoundOption('Returns found: false for the ID', 'source with this ID'),
			maxConcurrencyOption,
		]),
	],

	read: readChosen,

	async send({ params: { chatbotId, sourceId, marksMissing }, api }) {
		const response = await sendToSource(api, chatbotId, sourceId, { method: 'GET' });
		if (response.outcome !== '404' || !marksMissing) return [sourceIn(api, response, sourceId)];
		await assertChatbotKnown(api, chatbotId, 'agentSource');
		return [{ found: false, id: sourceId }];
	},
});

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
	description: 'List what the chatbot has learned from. Needs a plan with API access.',
	request: { method: 'GET', path: sourcesPath, resource: 'agentSources' },
	fields: [chatbotField, ...paging.fields, filtersField([nameFilter, typeFilter])],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		limit: paging.read(item),
		query: { type: typeFilter.read(item), name: nameFilter.read(item)?.trim() },
	}),

	async send({ item, params: { chatbotId, limit, query }, api }) {
		const sources = await readSources(item, api, chatbotId, query, limit);
		return upToLimit(item, sources, limit);
	},
});
