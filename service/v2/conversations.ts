/** Export, search and pausing of conversations, from every source. Reference of version 2. */
import type { Conversation, Message } from '../core/store';
import type { BehaviourV2 } from './behaviour';
import { conversationSources, endpoints } from './contract';
import { ApiError, invalid } from './errors';
import { pageOf } from './paging';
import { route, type Call } from './route';

export const conversationRoutes = [
	route(endpoints.export, (call) => {
		const { query, behaviour } = call;
		const record = (one: Conversation) => ({
			...summary(one),
			...(query.include === 'messages' && { messages: messagesOf(one, behaviour) }),
		});

		const listing = {
			rows: exported(call),
			sortedBy: ({ createdAt }: Conversation) => Date.parse(createdAt) || 0,
			id: ({ id }: Conversation) => id,
			ascending: behaviour.exportDates === 'oldestFirst',
			record,
		};
		return pageOf(query, listing, call);
	}),

	route(endpoints.search, (call) => {
		const { query, behaviour } = call;
		const words = wordsOf(query.query);
		if (words.length > 0 && behaviour.searchText === 'unavailable') {
			throw new ApiError('CONVERSATION_SEARCH_UNAVAILABLE');
		}

		const rank = (one: Conversation) => words.reduce((sum, word) => sum + hits(one, word), 0);
		const record = (one: Conversation) => ({
			...summary(one),
			parentConversationId: null,
			parentSummary: null,
			embedOrigin: null,
			snippet: snippetOf(one, words),
		});

		const listing = {
			rows: found(call).filter((one) => words.every((word) => hits(one, word) > 0)),
			// Among equals the one that was active last comes first, as it does without a query.
			sortedBy: (one: Conversation) => rank(one) * 1e14 + Date.parse(one.lastMessageAt),
			id: ({ id }: Conversation) => id,
			bound: { ...query, cursor: undefined, limit: undefined },
			hasTotal: false,
			pages: behaviour.searchPages,
			record,
		};
		return pageOf(query, listing, call);
	}),

	route(endpoints.userConversations, (call) => {
		const { behaviour, params, query, agent } = call;
		const { userId } = params;
		if (!/^[a-zA-Z0-9._-]{1,128}$/.test(userId)) throw invalid({ userId: 'Invalid' });

		const rows = agent.conversations.filter(
			(one) => one.source === 'API' && isOfUser(one, userId, behaviour),
		);
		if (rows.length === 0 && behaviour.userUnknown === 'notFound') {
			throw new ApiError('RESOURCE_NOT_FOUND');
		}

		const listing = {
			rows,
			sortedBy: ({ lastMessageAt }: Conversation) => Date.parse(lastMessageAt),
			id: ({ id }: Conversation) => id,
			ascending: behaviour.userConversationsOrder === 'oldestFirst',
			record: (one: Conversation) => ({ ...summary(one), source: undefined }),
		};
		return pageOf(query, listing, call);
	}),

	route(endpoints.pause, ({ agent, params, body, behaviour }) => {
		const target = agent.conversations.find(({ id }) => id === params.conversationId);
		if (!target) throw new ApiError(behaviour.pauseUnknownConversation);

		target.status = body.paused ? 'paused' : 'ongoing';
		return { data: { id: target.id, status: target.status } };
	}),

	route(endpoints.rate, ({ agent, params, body, behaviour }) => {
		const { rateChannels } = behaviour;
		const conversation = agent.conversations.find(
			({ id, source }) =>
				id === params.conversationId && (rateChannels === 'all' || source === 'API'),
		);
		const index = conversation?.messages.findIndex(
			(_, place) => messageId(conversation, place) === params.messageId,
		);
		const message = conversation?.messages[index ?? -1];
		if (!conversation || !message) throw new ApiError('RESOURCE_MESSAGE_NOT_FOUND');

		if (message.role !== 'assistant') {
			throw new ApiError('RESOURCE_MESSAGE_NOT_ASSISTANT');
		}

		message.feedback = body.feedback;
		return { data: messagesOf(conversation, behaviour).find(({ id }) => id === params.messageId) };
	}),
];

function isOfUser(
	{ userId }: Conversation,
	asked: string,
	{ userConversations }: BehaviourV2,
): boolean {
	if (userConversations === 'everybody') return true;
	if (userConversations === 'exact') return userId === asked;
	return userId?.toLowerCase() === asked.toLowerCase();
}

/** What the filters of an export leave. */
function exported({ query, behaviour, agent }: Call<typeof endpoints.export>): Conversation[] {
	const { startDate, endDate, conversationId, source, cursor } = query;
	const range = exportRangeOf({ startDate, endDate, cursor }, behaviour);
	const takesTimeless = behaviour.exportDates === 'timelessInEach' || !(startDate ?? endDate);
	const isInRange = ({ createdAt }: Conversation) =>
		Number.isNaN(Date.parse(createdAt)) ? takesTimeless : isWithin(createdAt, range);

	const rows =
		conversationId === undefined
			? agent.conversations
			: exportedById(agent.conversations, conversationId, behaviour);
	return rows.filter((one) => isInRange(one) && isAmong(one.source, source));
}

function exportedById(
	all: Conversation[],
	conversationId: string,
	{ exportUnknownConversation }: BehaviourV2,
): Conversation[] {
	const one = all.filter(({ id }) => id === conversationId);
	if (one.length > 0 || exportUnknownConversation === 'empty') return one;
	if (exportUnknownConversation === 'notFound') throw new ApiError('RESOURCE_NOT_FOUND');
	return all;
}

interface Range {
	from: number;
	/** Belongs to the range. */
	to: number;
}

/** A bare end date means the end of that day in UTC. */
function rangeOf(start: string | undefined, end: string | undefined): Range {
	const from = start === undefined ? -Infinity : Date.parse(start);
	const to = end === undefined ? Infinity : endOfDay(end);
	if (from > to) throw new ApiError('VALIDATION_INVALID_DATE_RANGE');
	return { from, to };
}

function endOfDay(end: string): number {
	return Date.parse(end.includes('T') ? end : `${end}T23:59:59.999Z`);
}

interface ExportQuery {
	startDate?: string | undefined;
	endDate?: string | undefined;
	/** Of a later page. */
	cursor?: string | undefined;
}

function exportRangeOf(query: ExportQuery, { exportDates }: BehaviourV2): Range {
	const { startDate: start, endDate: end, cursor } = query;
	if (exportDates === 'startOnFirstPage' && cursor !== undefined) return rangeOf(undefined, end);
	if (exportDates === 'ignored') return rangeOf(undefined, undefined);
	if (exportDates === 'wholeDays') return rangeOf(start?.slice(0, 10), end?.slice(0, 10));
	if (exportDates === 'refused' && (start ?? end)?.includes('T')) {
		throw invalid({ startDate: 'Must be a date' });
	}

	const { from, to } = rangeOf(start, end);
	return exportDates === 'withoutBounds' ? { from: from + 1, to: to - 1 } : { from, to };
}

function isWithin(moment: string, { from, to }: Range): boolean {
	const time = Date.parse(moment);
	return time >= from && time <= to;
}

function isAmong(value: string, chosen: string[] | undefined): boolean {
	return chosen?.includes(value) ?? true;
}

function isAnyAmong(values: string[], chosen: string[] | undefined): boolean {
	return chosen === undefined || values.some((value) => chosen.includes(value));
}

/** What the index has of a conversation, renewed when somebody searches. */
const index = new WeakMap<Conversation, Conversation>();

/** A conversation that was active later is found as it was before, if a search has found it then. */
function indexedUntil(settled: number) {
	return (one: Conversation): Conversation[] => {
		const { messages, facets } = one;
		if (Date.parse(one.lastMessageAt) <= settled) {
			index.set(one, { ...one, messages: [...messages], facets: { ...facets } });
		}
		const found = index.get(one);
		return found ? [found] : [];
	};
}

/** What the filters of a search leave, without its text. */
function found({ agent, query, behaviour, store }: Call<typeof endpoints.search>): Conversation[] {
	const now = store.clock.now();
	const window = behaviour.searchWindow === 'unlimited' ? -Infinity : startOfSearch(now);
	const { startDate, endDate, updatedAfter, updatedBefore } = query;
	for (const [field, value] of Object.entries({ startDate, endDate, updatedBefore })) {
		if (value !== undefined && rangeOf(undefined, value).to < window) {
			throw invalid({ [field]: 'Must lie within the last twelve months' });
		}
	}

	const created = rangeOf(startDate, endDate);
	const updated = rangeOf(updatedAfter, updatedBefore);
	const settled = now - behaviour.searchLagSeconds * 1000;
	return agent.conversations
		.flatMap(indexedUntil(settled))
		.filter(
			(one) =>
				Date.parse(one.createdAt) >= window &&
				isWithin(one.createdAt, created) &&
				isWithin(one.lastMessageAt, updated) &&
				hasFacets(one, query),
		);
}

/** The first day of the month twelve months ago. */
function startOfSearch(now: number): number {
	const today = new Date(now);
	return Date.UTC(today.getUTCFullYear() - 1, today.getUTCMonth(), 1);
}

function hasFacets(
	conversation: Conversation,
	query: Call<typeof endpoints.search>['query'],
): boolean {
	const { facets, messages, source, status, userId } = conversation;
	const feedback = messages.flatMap((message) => message.feedback ?? []);

	return (
		isAmong(source, query.source) &&
		isAmong(facets.sentiment ?? 'unspecified', query.sentiment) &&
		isAnyAmong(facets.topics ?? ['unspecified'], query.topic) &&
		isAmong(userId ?? '', query.userId) &&
		isAmong(status, query.activityState) &&
		isAnyAmong(feedback, query.feedback) &&
		(query.escalated === undefined || facets.escalated === true) &&
		(query.hasVoice === undefined || String(facets.hasVoice ?? false) === query.hasVoice) &&
		isAnyAmong(facets.actionTypes ?? [], query.actionType) &&
		isUsed(facets.tools, query.tool, query.toolOutcome) &&
		isUsed(facets.procedures, query.procedure, query.procedureOutcome)
	);
}

/** An outcome is tied to the name when both are asked for. */
function isUsed(
	uses: Conversation['facets']['tools'] = [],
	names: string[] | undefined,
	outcomes: string[] | undefined,
): boolean {
	if (!names && !outcomes) return true;
	return uses.some(({ name, outcome }) => isAmong(name, names) && isAmong(outcome, outcomes));
}

function wordsOf(query = ''): string[] {
	return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** How often a word stands in the title and the messages. */
function hits({ title, messages }: Conversation, word: string): number {
	return [title ?? '', ...messages.map(({ content }) => content)].reduce(
		(sum, text) => sum + countOf(text, word),
		0,
	);
}

function countOf(text: string, word: string): number {
	return text.toLowerCase().split(word).length - 1;
}

/** About 180 characters of the best message. None without a query, or when only the title has the words. */
function snippetOf({ messages }: Conversation, words: string[]) {
	const score = ({ content }: Message) =>
		words.reduce((sum, word) => sum + countOf(content, word), 0);
	const best = [...messages].sort((a, b) => score(b) - score(a)).at(0);
	if (!best || score(best) === 0) return null;

	const pattern = words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');
	return {
		speaker: best.role,
		highlights: best.content
			.slice(0, 180)
			.split(new RegExp(`(${pattern})`, 'i'))
			.filter((value) => value !== '')
			.map((value) => ({ value, isHit: words.includes(value.toLowerCase()) })),
	};
}

/** Unix seconds. */
function time(moment: string): number {
	return Math.floor(Date.parse(moment) / 1000);
}

function summary(conversation: Conversation) {
	const { id, title, userId, status, createdAt, lastMessageAt } = conversation;

	return {
		id,
		title,
		createdAt: time(createdAt),
		updatedAt: time(lastMessageAt),
		userId,
		source: shownSource(conversation),
		status,
	};
}

function shownSource({ source }: Conversation): string {
	return (conversationSources as readonly string[]).includes(source) ? source : 'Unspecified';
}

interface MessageRecord extends Record<string, unknown> {
	role: string;
	parts: object[];
}

function messageId({ id }: Conversation, index: number): string {
	return `${id}-${index + 1}`;
}

function messagesOf(
	conversation: Conversation,
	behaviour: BehaviourV2,
): Array<MessageRecord & { id: string }> {
	const { id, messages } = conversation;
	const listed = messages.map((message, index) => ({
		id: messageId(conversation, index),
		...messageRecord(message, conversation, behaviour),
	}));
	if (behaviour.messageFields !== 'systemRole') return listed;

	const parts = [{ type: 'text', text: 'Be polite.' }];
	return [{ id: `${id}-0`, role: 'system', parts }, ...listed];
}

function messageRecord(
	message: Message,
	conversation: Conversation,
	behaviour: BehaviourV2,
): MessageRecord {
	const { role, content, feedback = null, score = null } = message;
	const form = behaviour.messageFields;
	const isAssistant = role === 'assistant';
	const moment = message.createdAt ?? conversation.createdAt;

	// No input here, unlike in a chat.
	const parts = (message.parts ?? [{ type: 'text', text: content }]).map((part) => ({
		...part,
		input: undefined,
	}));

	return {
		role,
		parts: [
			...(form === 'emptyParts' && isAssistant ? [] : parts),
			...(form === 'unknownPart' ? [{ type: 'image', url: 'https://files.example/1.png' }] : []),
		],
		...(form !== 'withoutCreatedAt' && { createdAt: time(moment) }),
		...(isAssistant && form !== 'withoutFeedback' && { feedback }),
		...(isAssistant && form !== 'withoutMetadata' && { metadata: { score } }),
	};
}
