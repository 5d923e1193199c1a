/** Export, search and pausing of conversations, from every source. Reference of version 2, 3. */
import type { Conversation, Message } from '../store';
import type { BehaviourV2 } from './behaviour';
import { conversationSources, endpoints, pauseRequest, stateRequest } from './contract';
import { ApiError, invalid } from './errors';
import { pageOf } from './paging';
import { route, type Call } from './route';

export const conversationRoutes = [
	route(endpoints.export, (call) => {
		const { query, behaviour, agent } = call;
		const { startDate, endDate, conversationId, source, include } = query;
		const range = exportRangeOf(startDate, endDate, behaviour, query.cursor !== undefined);
		let rows = agent.conversations;
		if (conversationId !== undefined) {
			const found = rows.filter(({ id }) => id === conversationId);
			if (found.length > 0 || behaviour.exportUnknownConversation !== 'filterIgnored') rows = found;
			if (found.length === 0 && behaviour.exportUnknownConversation === 'notFound') {
				throw new ApiError('RESOURCE_NOT_FOUND');
			}
		}
		return pageOf(
			query,
			{
				rows: rows.filter(
					(one) =>
						(Number.isNaN(Date.parse(one.createdAt))
							? behaviour.exportWithoutTime === 'inEveryRange' || !(startDate ?? endDate)
							: isWithin(one.createdAt, range)) && isAmong(one.source, source),
				),
				sortedBy: ({ createdAt }) => Date.parse(createdAt) || 0,
				id: ({ id }) => id,
				ascending: behaviour.exportOrder === 'oldestFirst',
				record: (one) => ({
					...summary(one, behaviour),
					...(include === 'messages' && { messages: messagesOf(one, behaviour) }),
				}),
			},
			behaviour,
		);
	}),

	route(endpoints.search, (call) => {
		const bound = { ...call.query, cursor: undefined, limit: undefined };
		const { behaviour } = call;
		const words = wordsOf(call.query.query);
		if (words.length > 0 && behaviour.searchText === 'unavailable') {
			throw new ApiError('CONVERSATION_SEARCH_UNAVAILABLE');
		}
		const rows = found(call).filter((one) => words.every((word) => hits(one, word) > 0));
		const rank = (one: Conversation) => words.reduce((sum, word) => sum + hits(one, word), 0);
		return pageOf(
			call.query,
			{
				rows,
				// Among equals the one that was active last comes first, as it does without a query.
				sortedBy: (one) => rank(one) * 1e14 + Date.parse(one.lastMessageAt),
				id: ({ id }) => id,
				bound,
				hasTotal: false,
				pages: behaviour.searchPages,
				record: (one) => ({
					...summary(one, behaviour),
					...(behaviour.searchExtras === 'present' && {
						parentConversationId: null,
						parentSummary: null,
						embedOrigin: null,
					}),
					snippet: snippetOf(one, words),
				}),
			},
			behaviour,
		);
	}),

	route(endpoints.userConversations, (call) => {
		const { behaviour, params, query, agent } = call;
		if (!/^[a-zA-Z0-9._-]{1,128}$/.test(params.userId)) throw invalid({ userId: 'Invalid' });
		const isTheirs = (
			{
				exact: (id) => id === params.userId,
				ignoresCase: (id) => id?.toLowerCase() === params.userId.toLowerCase(),
				everybody: () => true,
			} satisfies Record<string, (id: string | null) => boolean>
		)[behaviour.userConversations];
		const rows = agent.conversations.filter((one) => one.source === 'API' && isTheirs(one.userId));
		if (rows.length === 0 && behaviour.userUnknown === 'notFound') {
			throw new ApiError('RESOURCE_NOT_FOUND');
		}
		return pageOf(
			query,
			{
				rows,
				sortedBy: ({ lastMessageAt }) => Date.parse(lastMessageAt),
				id: ({ id }) => id,
				ascending: behaviour.userConversationsOrder === 'oldestFirst',
				record: (one) => ({ ...summary(one, behaviour), source: undefined }),
			},
			behaviour,
		);
	}),

	route(
		endpoints.pause,
		({ agent, params, body, behaviour }) => {
			const { pauseTarget, pauseUnknownConversation } = behaviour;
			const target = agent.conversations.find(({ id }) => id === params.conversationId);
			if (!target) throw new ApiError(pauseUnknownConversation);
			const isOver = target.status === 'ended' || target.status === 'taken_over';
			if (isOver && pauseTarget !== 'any') {
				throw new ApiError('CHAT_CONVERSATION_NOT_ONGOING', undefined, pauseTarget);
			}
			const { paused, status } = body as { paused?: boolean; status?: Conversation['status'] };
			target.status = status ?? (paused ? 'paused' : 'ongoing');
			return { data: { id: target.id, status: target.status } };
		},
		({ pauseForm }) =>
			({ paused: pauseRequest, status: stateRequest, both: pauseRequest.or(stateRequest) })[
				pauseForm
			],
	),
];

interface Range {
	from: number;
	/** Belongs to the range. */
	to: number;
}

/** A bare end date means the end of that day in UTC. 2.4. */
function rangeOf(start: string | undefined, end: string | undefined): Range {
	const from = start === undefined ? -Infinity : Date.parse(start);
	const to =
		end === undefined ? Infinity : Date.parse(end.includes('T') ? end : `${end}T23:59:59.999Z`);
	if (from > to) throw new ApiError('VALIDATION_INVALID_DATE_RANGE');
	return { from, to };
}

function exportRangeOf(
	start: string | undefined,
	end: string | undefined,
	{ exportDates }: BehaviourV2,
	isLaterPage: boolean,
): Range {
	if (exportDates === 'startOnFirstPage' && isLaterPage) return rangeOf(undefined, end);
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
	const today = new Date(now);
	const window =
		behaviour.searchWindow === 'unlimited'
			? -Infinity
			: Date.UTC(today.getUTCFullYear() - 1, today.getUTCMonth(), 1);
	const { startDate, endDate, updatedAfter, updatedBefore } = query;
	for (const [field, value] of Object.entries({ startDate, endDate, updatedBefore })) {
		if (value !== undefined && rangeOf(undefined, value).to < window) {
			throw invalid({ [field]: 'Must lie within the last twelve months' });
		}
	}
	const created = rangeOf(startDate, endDate);
	const updated = rangeOf(updatedAfter, updatedBefore);
	const settled = now - behaviour.searchLagSeconds * 1000;
	return agent.conversations.flatMap(indexedUntil(settled)).filter((one) => {
		const { facets, messages } = one;
		const feedback = messages.flatMap((message) => message.feedback ?? []);
		const isAny = (values: string[], chosen: string[] | undefined) =>
			chosen === undefined || values.some((value) => chosen.includes(value));
		return (
			Date.parse(one.createdAt) >= window &&
			isWithin(one.createdAt, created) &&
			isWithin(one.lastMessageAt, updated) &&
			isAmong(one.source, query.source) &&
			isAmong(facets.sentiment ?? 'unspecified', query.sentiment) &&
			isAny(facets.topics ?? ['unspecified'], query.topic) &&
			isAny([one.userId ?? ''], query.userId) &&
			isAmong(one.status, query.activityState) &&
			isAny(feedback, query.feedback) &&
			(query.escalated === undefined || facets.escalated === true) &&
			(query.hasVoice === undefined || String(facets.hasVoice ?? false) === query.hasVoice) &&
			isAny(facets.actionTypes ?? [], query.actionType) &&
			isUsed(facets.tools, query.tool, query.toolOutcome) &&
			isUsed(facets.procedures, query.procedure, query.procedureOutcome)
		);
	});
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

/** Unix seconds, or milliseconds where the behaviour has them. */
function time(moment: string, { conversationValues }: BehaviourV2): number {
	const milliseconds = Date.parse(moment);
	return conversationValues === 'milliseconds' ? milliseconds : Math.floor(milliseconds / 1000);
}

function summary(conversation: Conversation, behaviour: BehaviourV2) {
	const { id, title, userId, source, status, createdAt, lastMessageAt } = conversation;
	const values = behaviour.conversationValues;
	const known = (conversationSources as readonly string[]).includes(source)
		? source
		: 'Unspecified';
	return {
		id,
		title,
		createdAt: time(createdAt, behaviour),
		updatedAt: time(lastMessageAt, behaviour),
		userId,
		source: values === 'nullSource' ? null : values === 'unknownSource' ? 'Telegram' : known,
		status: values === 'unknownStatus' ? 'archived' : status,
	};
}

function messagesOf(conversation: Conversation, behaviour: BehaviourV2): object[] {
	const { id, messages, createdAt } = conversation;
	const form = behaviour.messageFields;
	const listed = messages.map((message, index) => {
		const { role, content, feedback = null, score = null } = message;
		const isAssistant = role === 'assistant';
		// No input here, unlike in a chat.
		const parts = (message.parts ?? [{ type: 'text', text: content }]).map((part) => ({
			...part,
			input: undefined,
		}));
		return {
			id: `${id}-${index + 1}`,
			role,
			parts: [
				...(form === 'emptyParts' && isAssistant ? [] : parts),
				...(form === 'unknownPart' ? [{ type: 'image', url: 'https://files.example/1.png' }] : []),
			],
			...(form !== 'withoutCreatedAt' && {
				createdAt: time(message.createdAt ?? createdAt, behaviour),
			}),
			...(isAssistant && form !== 'withoutFeedback' && { feedback }),
			...(isAssistant && form !== 'withoutMetadata' && { metadata: { score } }),
		};
	});
	const system = { id: `${id}-0`, role: 'system', parts: [{ type: 'text', text: 'Be polite.' }] };
	return form === 'systemRole' ? [system, ...listed] : listed;
}
