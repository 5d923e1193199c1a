import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/concurrency';
import { type CursorPage, cursorPages, type PagedList, walkPages } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { outputLimit, readComplete, upToLimit } from '../../execution/lists';
import { filtersField, optionsField } from '../../panel/collections';
import { optionalField } from '../../panel/field';
import { timeRange } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { readToolOutput } from '../../panel/output';
import { maxConcurrencyOption, paging } from '../../panel/paging';
import { boolean } from '../../panel/types';
import { readTimestamp } from '../../values/time';
import { chatbotField } from '../chatbot/chatbotField';
import { assertChatbotKnown } from '../chatbot/chatbots';
import { exportPath, simplifiedFields, sourceFilter, transcriptOption } from './conversations';
import { transcriptOf } from './transcript';

const endpoint = { method: 'GET', path: exportPath, resource: 'agentConversations' } as const;

/** Conversations a page, at most (reference of version 2, 2.3). */
const maxPageSize = 20;

const created = timeRange('conversations created');
const messagesOption = optionalField('options.messages', 'Include Messages', boolean, {
	default: true,
	description:
		'Whether to return the messages of each conversation, with score and feedback of the answers. Turn it off to read faster.',
});
const transcriptField = transcriptOption();

export const exportConversations = operation({
	value: 'export',
	description:
		'Read every conversation of a period, in all channels. Needs a plan with API access.',
	request: endpoint,
	maxConcurrency: maxConcurrencyOption,
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
	const items = parts ?? (await readComplete(item, 'conversations', pages, { limit: wanted, advice }));
	items.sort((a, b) => (readTimestamp(b.createdAt) ?? 0) - (readTimestamp(a.createdAt) ?? 0));
	if (items.length === 0) await assertChatbotKnown(api, chatbotId);
	const withoutMessages = items.find(({ messages }) => !Array.isArray(messages));
	if (withoutMessages && query.include === undefined) {
		const nextStep = `The service left out the messages of conversation ${String(withoutMessages.id)}. Run the node again.`;
		throw item.error('A conversation came without its messages', nextStep);
	}
	return items;
}

type TimeRange = Partial<Pick<IDataObject, 'startDate' | 'endDate'>>;

/** Conversations in a part of a long list, on average. In smaller parts, more pages would not be full. */
const partSize = 100;

/** A part that is still long is cut once more: conversations may be close together in time. */
const maxCuts = 2;

/**
 * Reads the parts of a long list of conversations at the same time. Undefined if the list is short, if the rate limit
 * may not leave enough requests, or as soon as there is any doubt about a part.
 */
async function readInParts(
	api: ApiClient,
	chatbotId: string,
	open: (range: TimeRange) => PagedList<IDataObject, CursorPage>,
	range: TimeRange,
	first: CursorPage,
): Promise<IDataObject[] | undefined> {
	const { total = 0 } = first;
	const found = new Map(first.items.map((one) => [one.id, one]));
	let read = 0;
	let inDoubt = false;

	const readPart = async (part: TimeRange, cuts: number) => {
		let size: number | undefined;
		for await (const { page, fresh } of walkPages(open(part))) {
			size ??= page.total;
			inDoubt ||= page.total !== size || read > total;
			inDoubt ||= page.items.some((one) => isOutside(one, part));
			if (inDoubt) return;
			if (cuts < maxCuts && isLong(page)) {
				await readParts(part, Date.parse(String(part.endDate)), page.total, cuts + 1);
				return;
			}
			read += fresh.length;
			for (const one of fresh) found.set(one.id, one);
		}
	};

	const readParts = async (whole: TimeRange, to: number, size: number, cuts: number) => {
		const start = whole.startDate ?? (await assertChatbotKnown(api, chatbotId)).createdAt;
		const from = readTimestamp(start) ?? NaN;
		inDoubt ||= !(from < to);
		if (inDoubt) return;
		// The newest first, since the list grows there.
		const parts = cut(whole, from, to, size).reverse();
		await forEachLimited(parts, api.maxConcurrency, async (part) => {
			try {
				if (!inDoubt) await readPart(part, cuts);
			} catch {
				inDoubt = true;
			}
		});
	};

	const times = first.items.map(({ createdAt }) => readTimestamp(createdAt) ?? NaN);
	const isSorted = times.every((time, index) => index === 0 || time <= times[index - 1]);
	if (!isLong(first) || !isSorted || mostRequests(first) > api.state.remaining) return undefined;
	// The first page has what began in the newest second, and no part has what began since.
	await readParts(range, times[0] - 1, total, 1).catch(() => (inDoubt = true));
	return !inDoubt && found.size === total ? [...found.values()] : undefined;
}

/**
 * Most requests for the parts of a list: its pages, one more for each part since its last page may not be full, one for
 * each part that is cut once more, the chatbot, and one since numbers are rounded up.
 */
function mostRequests({ total = 0, items }: CursorPage): number {
	return total / items.length + (2.5 * total) / partSize + 2;
}

/** The parts of a time range, in the order of time, all of the same length. */
function cut(whole: TimeRange, from: number, to: number, size: number): TimeRange[] {
	const count = Math.ceil(size / partSize);
	const boundAt = (part: number, more = 0) =>
		new Date(Math.round(from + (part * (to - from)) / count) + more).toISOString();
	return Array.from({ length: count }, (_, part) => ({
		// Conversations may be older than the chatbot.
		startDate: part === 0 ? whole.startDate : boundAt(part, 1),
		endDate: boundAt(part + 1),
	}));
}

function isLong(page: CursorPage): page is CursorPage & { total: number } {
	return page.total !== undefined && page.total > 2 * partSize;
}

/** Whether a conversation is not of a time range. Its time is in whole seconds. */
function isOutside({ createdAt }: IDataObject, { startDate, endDate }: TimeRange): boolean {
	const time = readTimestamp(createdAt) ?? NaN;
	return time + 999 < Date.parse(String(startDate)) || time > Date.parse(String(endDate));
}
