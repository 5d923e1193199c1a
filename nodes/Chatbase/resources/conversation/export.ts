import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type CursorPage, cursorPages } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { outputLimit } from '../../execution/results';
import { filtersField, operation, optionsField } from '../../fields/define';
import { timeRange } from '../../fields/filters';
import { optionalField } from '../../fields/field';
import { chatbotField } from '../../fields/locators';
import { readToolOutput } from '../../fields/output';
import { maxConcurrencyOption, paging, readComplete, upToLimit } from '../../fields/paging';
import { boolean } from '../../fields/values';
import { readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../chatbot/chatbots';
import { exportPath, simplifiedFields, sourceFilter, transcriptOption } from './conversations';
import { readInParts, type TimeRange } from './exportParts';
import { transcriptOf } from './transcript';

const endpoint = { method: 'GET', path: exportPath, resource: 'agentConversations' } as const;

/** Conversations a page, at most (reference of version 2, 2.3). */
const maxPageSize = 20;

const created = timeRange('conversations created');
const messagesOption = optionalField('options.messages', 'Include Messages', boolean, {
	default: true,
	description: 'Whether to return the messages of each conversation. Turn it off to read faster.',
});
const transcriptField = transcriptOption();

export const exportConversations = operation({
	value: 'export',
	description:
		'Read the conversations of all channels with their messages. Needs a plan with API access.',
	request: endpoint,
	fields: [
		chatbotField,
		...paging.fields,
		filtersField([...created.fields, sourceFilter]),
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
				...created.read(item),
				source: sourceFilter.read(item),
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
		return upToLimit(item, returned, limit);
	},
});

/** Reads conversations, newest first. Throws if they are fewer than their total and than `wanted`, or lack messages. */
export async function readExport(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
	wanted: number,
): Promise<IDataObject[]> {
	const isOne = 'conversationId' in query;
	const limit = Math.min(wanted, maxPageSize);
	const open = (range: TimeRange) =>
		cursorPages(api, {
			...endpoint,
			params: { chatbotId },
			query: { limit, include: 'messages', ...query, ...range },
			canBeMissing: isOne,
		});
	const list = open({});
	let first: CursorPage | undefined = await list.read(list.first);
	const read: typeof list.read = async (position) => {
		const page = first ?? (await list.read(position));
		first = undefined;
		return page;
	};
	const isWhole = (first.total ?? 0) <= Math.min(wanted, outputLimit);
	// Parts only save time: in any doubt, the list is read page by page.
	const parts = isWhole ? await readInParts(api, chatbotId, open, query, first) : undefined;
	const advice = `Run the node again${isOne ? '' : ', or read a shorter time with Start Date and End Date'}.`;
	const pages = { ...list, read };
	const items = parts ?? (await readComplete(item, 'conversations', pages, wanted, advice));
	items.sort((a, b) => (readTimestamp(b.createdAt) ?? 0) - (readTimestamp(a.createdAt) ?? 0));
	if (items.length === 0) await assertChatbotKnown(api, chatbotId);
	const withoutMessages = items.find(({ messages }) => !Array.isArray(messages));
	if (withoutMessages && query.include === undefined) {
		const nextStep = `The service left out the messages of conversation ${String(withoutMessages.id)}. Run the node again.`;
		throw item.error('A conversation came without its messages', nextStep);
	}
	return items;
}
