import type { INodeProperties } from 'n8n-workflow';

import { outputLimit } from '../../execution/outputLimit';
import { filtersField, optionsField } from '../../fields/collections';
import type { DayRange } from '../../fields/filters';
import { dayRangeFields, readDayRange, readFilter } from '../../fields/filters';
import { commaSeparated, readAs, readBoolean, wholeNumber } from '../../fields/values';
import { truncationNotice } from '../../fields/listEnd';
import type { Output } from '../../fields/output';
import { readToolChoice, readToolOutput, toolOutputFields } from '../../fields/output';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import { sourceFields } from '../../fields/sources';
import type { SingleOperation } from '../../execution/operation';
import { readPages } from '../../api/paginate';
import { conversationList, maxPageSize } from './requests';
import { transcriptOf } from './transcript';

interface Task {
	chatbotId: string;
	filters: DayRange & {
		/** Names of sources, separated by commas. */
		filteredSources?: string;
	};
	pageSize: number;
	limit: number;
	hasTranscript: boolean;
	output: Output;
}

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

/** Reads the saved conversations of a chatbot. */
export const getAllConversations: SingleOperation<Task> = {
	read(item) {
		const filters = item.collection('filters');
		const options = item.collection('options');
		const limit = readLimit(item);
		const pageSize = options.pageSize ?? Math.min(limit, maxPageSize);
		const sources = [
			...(readFilter(item, filters, 'sources', 'Sources', commaSeparated) ?? []),
			...(readFilter(item, filters, 'otherSources', 'Other Sources', commaSeparated) ?? []),
		];
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			filters: {
				...readDayRange(item, filters),
				...(sources.length > 0 && { filteredSources: sources.join(',') }),
			},
			pageSize: readAs(item, pageSize, wholeNumber(1, maxPageSize), 'Page Size'),
			limit,
			hasTranscript:
				readBoolean(item, options, 'transcript', 'Add Transcript') ||
				(item.isTool && readToolChoice(item) !== 'raw'),
			output: readToolOutput(item, simplifiedFields),
		};
	},

	async send({ item, params, api }) {
		const { chatbotId, filters, pageSize, limit, hasTranscript, output } = params;
		const list = conversationList(api, chatbotId, pageSize);
		const conversations = await readPages(list, filters, limit, outputLimit);
		const returned = conversations.map((conversation) =>
			output(
				hasTranscript
					? { ...conversation, transcript: transcriptOf(conversation.messages, item.timeZone) }
					: conversation,
			),
		);
		return [...returned, ...truncationNotice(item, returned.length, limit)];
	},
};

const show = { resource: ['conversation'], operation: ['getAll'] };
const [endDate, startDate] = dayRangeFields('conversations held');

export const conversationGetAllFields: INodeProperties[] = [
	...toolOutputFields(
		show,
		'conversation',
		'When, where and with whom it was held, and what was said, as text',
		'e.g. created_at, transcript',
	),
	filtersField(show, [endDate, ...sourceFields, startDate]),
	optionsField(show, [
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
];
