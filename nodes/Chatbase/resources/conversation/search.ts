import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import { assertChatbotKnown, chatbotField } from '../../chatbots/chatbots';
import { hasExpression } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import { outputLimit, readComplete, upToLimit } from '../../execution/lists';
import { filtersField, optionsField } from '../../panel/collections';
import { optionalField, readFilledFields, writtenByModel } from '../../panel/field';
import { anyOfFilter, filterField, timeRange } from '../../panel/filters';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { operation } from '../../panel/operation';
import { readToolOutput } from '../../panel/output';
import { paging } from '../../panel/paging';
import { boolean, text } from '../../panel/types';
import { isObject, objectsIn } from '../../values/json';
import { forEachLimited } from '../../values/list';
import { textIn } from '../../values/text';
import {
	choicesOf,
	searchPath,
	simplifiedConversation,
	sourceFilter,
	transcriptOf,
	transcriptOption,
} from './conversations';
import { readConversation } from './exportList';

/** Conversations a page, at most (reference of version 2). */
const maxPageSize = 25;

const createdRange = timeRange('conversations created');
const activeRange = timeRange(
	'conversations last active',
	['Updated After', 'e.g. 2026-07-01T08:30:00'],
	['Updated Before', 'e.g. 2026-07-31T17:00:00'],
);
const queryField = optionalField('query', 'Query', text, {
	placeholder: 'e.g. refund',
	description:
		'Words to find in titles and messages. Every word must match. Leave empty to use only the filters.',
});
function listFilter(
	label: string,
	name: string,
	what: string,
	values: string[] | string,
) {
	const options = Array.isArray(values) ? choicesOf(values) : values;
	return anyOfFilter(
		label,
		name,
		`Only conversations with one of these ${what}`,
		options,
	);
}

const listFilters = [
	sourceFilter,
	listFilter('Action Types', 'actionType', 'actions', 'e.g. collect-leads'),
	listFilter('Feedback', 'feedback', 'ratings of an answer', ['negative', 'positive']),
	listFilter(
		'Procedure Outcomes',
		'procedureOutcome',
		'outcomes, of any procedure or of those in Procedures',
		'e.g. completed',
	),
	listFilter('Procedures', 'procedure', 'procedures', 'e.g. Return a parcel'),
	listFilter('Sentiment', 'sentiment', 'sentiments', [
		'negative',
		'neutral',
		'positive',
		'unspecified',
	]),
	listFilter('Status', 'activityState', 'states', [
		'ended',
		'ongoing',
		'paused',
		'taken_over',
	]),
	listFilter(
		'Tool Outcomes',
		'toolOutcome',
		'outcomes, of any tool or of those in Tools',
		'e.g. error',
	),
	listFilter('Tools', 'tool', 'tools', 'e.g. lookupOrder'),
	listFilter('Topics', 'topic', 'topics', 'e.g. Refunds, unspecified'),
	listFilter('User ID', 'userId', 'users', 'e.g. {{ $json.sessionId }}'),
];

const escalatedFilter = filterField('escalated', 'Escalated', boolean, {
	default: true,
	description:
		'Whether to return only conversations that were escalated. If it is off, all are returned.',
});

const voiceFilter = filterField('hasVoice', 'Has Voice', boolean, {
	default: true,
	description: 'Whether to return only conversations with voice, or only those without',
});

const transcriptField = transcriptOption(
	'. It takes one more request for each conversation.',
);

export const search = operation({
	value: 'search',
	description:
		'Find conversations by words or filters, in the last 12 months. May need a higher plan.',
	request: { method: 'GET', path: searchPath, resource: 'agentConversations' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		...writtenByModel(queryField),
		...paging.fields,
		filtersField([
			...listFilters,
			escalatedFilter,
			voiceFilter,
			...createdRange.fields,
			...activeRange.fields,
		]),
		optionsField([maxConcurrencyOption, transcriptField]),
	],

	read(item) {
		const limit = paging.read(item);

		return {
			chatbotId: chatbotField.read(item),
			limit,
			query: {
				limit: Math.min(limit, maxPageSize),
				query: readQuery(item),
				...readFilledFields(item, [...listFilters, voiceFilter]),
				// The service accepts only `true`.
				escalated: escalatedFilter.read(item) || undefined,
				...createdRange.read(item),
				...activeRange.read(item),
			},
			hasTranscript: transcriptField.read(item),
			output: readToolOutput(item, simplifiedConversation),
		};
	},

	async send({ item, params, api }) {
		const { chatbotId, limit, query, hasTranscript, output } = params;
		const list = cursorPages(api, { ...item.request, params: { chatbotId }, query });
		const found = await readComplete(item, 'conversations', list, {
			limit,
			maximum: outputLimit,
		});
		if (found.length === 0) await assertChatbotKnown(api, chatbotId);

		const read = hasTranscript
			? await withTranscripts({ item, api, chatbotId }, found)
			: found;
		warnOfWindow(item, query);

		const shown = item.isTool ? read.map(withSnippetText) : read;
		return upToLimit(item, shown.map(output), limit);
	},
});

interface SearchPlace {
	readonly item: InputItem;
	readonly api: ApiClient;
	readonly chatbotId: string;
}

/** The conversations with their transcripts: null for one that was deleted after it was found. */
async function withTranscripts(
	{ item, api, chatbotId }: SearchPlace,
	found: readonly IDataObject[],
): Promise<IDataObject[]> {
	const transcripts = new Map<IDataObject, string>();
	await forEachLimited(found, api.maxConcurrency, async (conversation) => {
		const conversationId = String(conversation.id);
		const whole = await readConversation(item, api, { chatbotId, conversationId });
		if (whole) transcripts.set(conversation, transcriptOf(whole.messages, item.timeZone));
	});
	return found.map((conversation) => {
		const transcript = transcripts.get(conversation) ?? null;
		return { ...conversation, transcript };
	});
}

/** Undefined to search without words. Throws if an expression has none for the item, such as a customer without an email. */
function readQuery(item: InputItem): string | undefined {
	const query = queryField.read(item)?.trim() || undefined;
	if (query || item.isTool || !hasExpression(item.rawParameter('query'))) return query;

	throw item.error(
		'Query is empty',
		'The expression in Query returned nothing for this item, so every conversation would match. Leave out such items, or clear Query to use only the filters.',
	);
}

/** The service can only search from the first day of the month twelve months ago (reference of version 2). */
function warnOfWindow(
	item: InputItem,
	{ startDate, endDate, updatedBefore }: IDataObject,
) {
	const now = new Date();
	const start = new Date(
		Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), 1),
	).toISOString();
	const isBefore = [startDate, endDate, updatedBefore].some(
		(time) => typeof time === 'string' && time < start,
	);
	if (!isBefore) return;

	item.context.warn(
		`Search finds only conversations created since ${start.slice(0, 10)}. Use Export for older ones.`,
	);
}

function withSnippetText(conversation: IDataObject): IDataObject {
	return { ...conversation, snippet: snippetText(conversation.snippet) };
}

function snippetText(snippet: unknown): string | null {
	if (!isObject(snippet)) return null;
	return objectsIn(snippet.highlights)
		.map(({ value }) => textIn(value))
		.join('');
}
