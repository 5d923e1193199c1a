import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { numberedPages, type PagedList } from '../../api/paginate';
import { outputLimit, readComplete, upToLimit } from '../../execution/lists';
import { filtersField, optionsField } from '../../panel/collections';
import {
	readToolChoice,
	readToolOutput,
	type Simplified,
	toolOutputFields,
} from '../../panel/output';
import { paging } from '../../panel/paging';
import { dayRange } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { asObjects } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';
import { sourceFields, transcriptOption, transcriptsOf } from './conversations';

const savedConversationsPath = '/get-conversations';

/** Conversations a page, at most (reference of version 1). */
const maxPageSize = 100;

/** The fields that an agent needs. Messages are in the transcript. */
const simplifiedSavedFields: Simplified = [
	'id',
	'created_at',
	'updated_at',
	'last_message_at',
	'source',
	'customer',
	'country',
	'form_submission',
	'transcript',
];

/** The fields of a saved conversation beside its ID (reference of version 1, and what running clients read). */
const savedFieldNames = [
	'chatbot_id',
	'country',
	'created_at',
	'customer',
	'form_submission',
	'last_message_at',
	'messages',
	'source',
	'transcript',
	'updated_at',
];

const held = dayRange('conversations held');
const transcriptField = transcriptOption();

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description:
		'Read saved conversations. Use Export for all channels, and Search to find words or topics.',
	request: { method: 'GET', path: savedConversationsPath, resource: 'conversation' },
	fields: [
		chatbotField,
		...paging.fields,
		...toolOutputFields('Time, source, customer and transcript', savedFieldNames),
		filtersField([...held.fields, ...sourceFields]),
		optionsField([transcriptField]),
	],

	read(item) {
		const limit = paging.read(item);
		const sources = sourceFields.flatMap((field) => field.read(item) ?? []);

		return {
			limit,
			query: {
				chatbotId: chatbotField.read(item),
				size: Math.min(limit, maxPageSize),
				...held.read(item),
				filteredSources: sources.join(',') || undefined,
			},
			hasTranscript:
				transcriptField.read(item) || (item.isTool && readToolChoice(item) !== 'raw'),
			output: readToolOutput(item, simplifiedSavedFields),
		};
	},

	async send({ item, params, api }) {
		const { query, limit, hasTranscript, output } = params;
		const list = conversationList(api, query);
		const conversations = await readComplete(item, 'conversations', list, {
			limit,
			maximum: outputLimit,
		});

		if (!hasTranscript) return upToLimit(item, conversations.map(output), limit);

		const transcripts = await transcriptsOf(conversations, item.timeZone);
		const returned = conversations.map((conversation, index) => ({
			...conversation,
			transcript: transcripts[index],
		}));
		return upToLimit(item, returned.map(output), limit);
	},
});

export function conversationList(
	api: ApiClient,
	query: IDataObject,
): PagedList<IDataObject> {
	return numberedPages(
		api,
		{ path: savedConversationsPath, resource: 'conversation', query },
		({ data }) => asObjects(data),
	);
}
