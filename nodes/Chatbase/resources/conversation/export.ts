import { filtersField, operation, optionsField } from '../../fields/define';
import {
	createdFrom,
	createdTo,
	readFilter,
	readTimeRange,
	timeRangeFields,
} from '../../fields/filters';
import { chatbotField } from '../../fields/locators';
import { readToolOutput } from '../../fields/output';
import { pagingFields, readLimit, truncationNotice } from '../../fields/paging';
import { commaList, readBoolean, readId } from '../../fields/values';
import { exportPath, readExport, simplifiedFields, transcriptOption } from './conversations';
import { sourceFilter } from './filters';
import { transcriptOf } from './transcript';

export const exportConversations = operation({
	value: 'export',
	name: 'Export',
	action: 'Export conversations',
	description:
		'Read the conversations of all channels with their messages. Needs a plan with API access.',
	request: { method: 'GET', path: exportPath, resource: 'agentConversations' },
	fields: [
		chatbotField,
		...pagingFields,
		filtersField([
			...timeRangeFields('conversations created', createdFrom, createdTo),
			sourceFilter,
		]),
		optionsField([
			{
				displayName: 'Include Messages',
				name: 'messages',
				type: 'boolean',
				default: true,
				description:
					'Whether to return the messages of each conversation. Turn it off to read faster.',
			},
			transcriptOption(),
		]),
	],

	read(item) {
		const hasMessages = readBoolean(item, 'options.messages', 'Include Messages', true);
		const hasTranscript = item.isTool || readBoolean(item, 'options.transcript', 'Add Transcript');
		const source = readFilter(item, 'source', 'Sources', commaList);
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			limit: readLimit(item),
			query: {
				...(!hasMessages && !hasTranscript && { include: 'summary' }),
				...readTimeRange(item, createdFrom, createdTo),
				source,
			},
			hasMessages,
			hasTranscript,
			output: readToolOutput(item, simplifiedFields),
		};
	},

	async send({ item, params, api }) {
		const { chatbotId, limit, query, hasMessages, hasTranscript, output } = params;
		const conversations = await readExport(item, api, chatbotId, query, limit);
		const returned = conversations.map(({ messages, ...summary }) =>
			output({
				...summary,
				...(hasMessages && { messages }),
				...(hasTranscript && { transcript: transcriptOf(messages, item.timeZone) }),
			}),
		);
		return [...returned, ...truncationNotice(item, returned.length, limit)];
	},
});
