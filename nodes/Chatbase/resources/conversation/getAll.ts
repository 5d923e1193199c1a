import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { PagedList } from '../../api/paginate';
import { numberedPages, readList } from '../../api/paginate';
import { filtersField, operation, optionsField } from '../../fields/define';
import { dayRangeFields, readDayRange, readFilter, sourceFields } from '../../fields/filters';
import { chatbotField } from '../../fields/locators';
import { readToolChoice, readToolOutput, toolOutputFields } from '../../fields/output';
import {
	maxConcurrencyOption,
	outputLimit,
	pageSizeOption,
	pagingFields,
	readLimit,
	readPageSize,
	truncationNotice,
} from '../../fields/paging';
import { commaSeparated, readBoolean, readId } from '../../fields/values';
import { asObjects } from '../../values/object';
import { transcriptOf } from './transcript';

const path = '/get-conversations';

/** Conversations a page, at most (public reference, 4.7). */
const maxPageSize = 100;

/** The fields of a conversation that an agent needs; what was said is in the transcript. */
const simplifiedFields = [
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

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many conversations',
	description: 'Read the saved conversations of a chatbot with the messages of each',
	request: { method: 'GET', path },
	fields: [
		chatbotField,
		...pagingFields,
		...toolOutputFields(
			'conversation',
			'When, where and with whom it was held, and what was said, as text',
			'e.g. created_at, transcript',
		),
		filtersField([...dayRangeFields('conversations held'), ...sourceFields]),
		optionsField([
			{
				displayName: 'Add Transcript',
				name: 'transcript',
				type: 'boolean',
				default: true,
				description:
					'Whether to add the field transcript to each conversation: its messages as one text, line by line, with who said what, and the time (in the time zone of the workflow) where the service tells it',
			},
			maxConcurrencyOption,
			pageSizeOption(
				'Conversations',
				1,
				maxPageSize,
				maxPageSize,
				'Without this option it is 100, or as many as the limit needs. Lower it if pages take too long to arrive',
			),
		]),
	],

	read(item) {
		const limit = readLimit(item);
		const sources = [
			...(readFilter(item, 'sources', 'Sources', commaSeparated) ?? []),
			...(readFilter(item, 'otherSources', 'Other Sources', commaSeparated) ?? []),
		];
		return {
			limit,
			query: {
				chatbotId: readId(item, 'chatbotId', 'Chatbot'),
				size: readPageSize(item, limit, maxPageSize, maxPageSize),
				...readDayRange(item),
				...(sources.length > 0 && { filteredSources: sources.join(',') }),
			},
			hasTranscript:
				readBoolean(item, 'options.transcript', 'Add Transcript') ||
				(item.isTool && readToolChoice(item) !== 'raw'),
			output: readToolOutput(item, simplifiedFields),
		};
	},

	async send({ item, params: { query, limit, hasTranscript, output }, api }) {
		const conversations = await readList(conversationList(api, query), limit, outputLimit);
		const returned = conversations.map((conversation) =>
			output(
				hasTranscript
					? { ...conversation, transcript: transcriptOf(conversation.messages, item.timeZone) }
					: conversation,
			),
		);
		return [...returned, ...truncationNotice(item, returned.length, limit)];
	},
});

/** @param query chatbot, page size, days and sources */
export function conversationList(api: ApiClient, query: IDataObject): PagedList<IDataObject> {
	return numberedPages(api, { path, resource: 'conversation', query }, ({ data }) =>
		asObjects(data),
	);
}
