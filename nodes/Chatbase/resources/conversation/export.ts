import { upToLimit } from '../../execution/lists';
import { filtersField, optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { shownInTool } from '../../panel/notices';
import { readToolOutput } from '../../panel/output';
import { paging } from '../../panel/paging';
import { optionalField } from '../../panel/field';
import { timeRange } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { boolean } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import {
	simplifiedConversation,
	sourceFilter,
	transcriptOption,
	transcriptsOf,
} from './conversations';
import { readExport } from './exportList';
import { exportRequest } from './exportPages';

const createdRange = timeRange('conversations created');
const messagesOption = optionalField('options.messages', 'Include Messages', boolean, {
	default: true,
	description:
		'Whether to return the messages of each conversation, with score and feedback of the answers. Turn it off to read faster.',
	// An agent gets the transcript.
	...shownInTool(false),
});
const transcriptField = transcriptOption();

export const exportConversations = operation({
	value: 'export',
	description:
		'Read every conversation of a period, in all channels. May need a higher plan.',
	request: exportRequest,
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		...paging.fields,
		filtersField([...createdRange.fields, sourceFilter]),
		optionsField([messagesOption, maxConcurrencyOption, transcriptField]),
	],

	read(item) {
		const hasMessages = messagesOption.read(item) ?? true;
		const hasTranscript = item.isTool || transcriptField.read(item);

		return {
			chatbotId: chatbotField.read(item),
			limit: paging.read(item),
			query: {
				...(!hasMessages && !hasTranscript && { include: 'summary' }),
				...createdRange.read(item),
				source: sourceFilter.read(item),
			},
			hasMessages,
			hasTranscript,
			output: readToolOutput(item, simplifiedConversation),
		};
	},

	async send({ item, params, api }) {
		const { limit, hasMessages, hasTranscript, output } = params;
		const conversations = await readExport(item, api, params);

		const transcripts = hasTranscript
			? await transcriptsOf(conversations, item.timeZone)
			: undefined;
		const returned = conversations.map(({ messages, ...summary }, index) => ({
			...summary,
			...(hasMessages && { messages }),
			...(transcripts && { transcript: transcripts[index] }),
		}));

		return upToLimit(item, returned.map(output), limit);
	},
});
