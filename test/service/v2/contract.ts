/**
 * Version 2 of the HTTP interface as schemas. Requests are strict, replies are loose, as in version 1.
 * Numbers are sections of the reference of version 2; the vendor's specification is the source unless
 * another one is named.
 */
import { z } from 'zod';

import { wholeNumber } from '../contract';

export interface Endpoint {
	method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
	/** Relative to the base address; braces mark a path parameter. */
	path: string;
	/** What a key must be allowed to. 2.2. */
	scope?: string;
	query: z.ZodType;
	body: z.ZodType;
	/** Longest page. 2.3. */
	maximum?: number;
	/** What was observed for an agent that does not exist, in place of a 404. 2.1. */
	unknownAgent?: 'emptyList' | 'serverError';
}

// --- Shared pieces -----------------------------------------------------------------------------

const nothing = z.undefined();
const noQuery = z.strictObject({});
const uuid = z.uuid();

/** Times of conversations: Unix seconds; of everything else: ISO 8601. 2.4. */
const seconds = z.number();
const moment = z.iso.datetime();

/** A day, or a moment with a time zone. 2.4. */
const anyMoment = z.iso.datetime({ offset: true });
const dayOrMoment = z.union([z.iso.date(), anyMoment], 'Expected a date or a date-time');

/** Values in one text, separated by commas. */
const listOf = <One extends z.ZodType>(one: One) =>
	z
		.string()
		.transform((text) => text.split(',').map((value) => value.trim()))
		.pipe(z.array(one));
const names = listOf(z.string().min(1));

/** Query of a list. 2.3. */
const pages = (maximum: number, standard = 20) => ({
	cursor: z.string().min(1).optional(),
	limit: wholeNumber(1, maximum).default(standard),
});

/** Error of every endpoint. 2.1. */
export const errorReply = z.looseObject({
	error: z.looseObject({
		code: z.string(),
		message: z.string(),
		details: z.record(z.string(), z.string()).optional(),
	}),
});

/** A list. 2.3. */
export const listReply = <Row extends z.ZodType>(row: Row) =>
	z.looseObject({
		data: z.array(row),
		pagination: z.looseObject({
			cursor: z.string().nullable(),
			hasMore: z.boolean(),
			total: z.int().optional(),
		}),
	});

// --- Agents ------------------------------------------------------------------------------------

/** GET /agents/{agentId}, and a row of GET /agents. 6. */
export const agent = z.looseObject({
	id: z.string(),
	name: z.string(),
	creditsUsed: z.int(),
	creditLimit: z.int().nullable(),
	lastMessageAt: moment.nullable(),
	lastTrainedAt: moment.nullable(),
	createdAt: moment,
	status: z.string().nullable(),
	size: z.number(),
});

// --- Conversations -----------------------------------------------------------------------------

/** Where a conversation can come from. 3.1. */
export const conversationSources = [
	'API',
	'WhatsApp',
	'Messenger',
	'Instagram',
	'Slack',
	'Salesforce',
	'Zendesk',
	'Zendesk Messaging',
	'Chatbase site',
	'Playground',
	'Action preview',
	'Qna preview',
	'Widget or Iframe',
	'Center stage',
	'Search',
	'Iframe',
	'Email',
	'Agent page',
	'Phone',
	'Android SDK',
	'iOS SDK',
	'Unspecified',
] as const;

export const conversationStates = ['ongoing', 'ended', 'taken_over', 'paused'] as const;

/** GET …/conversations/export. 3.1. */
const exportQuery = z.strictObject({
	...pages(20),
	startDate: dayOrMoment.optional(),
	endDate: dayOrMoment.optional(),
	conversationId: z.string().min(1).optional(),
	include: z.enum(['messages', 'summary']).default('messages'),
	source: listOf(z.enum(conversationSources)).optional(),
});

/** GET …/conversations/search. 3.2, from a page of the documentation: the specification lacks it. */
const searchQuery = z.strictObject({
	...pages(25, 25),
	query: z.string().optional(),
	source: listOf(z.enum(conversationSources)).optional(),
	sentiment: listOf(z.enum(['positive', 'neutral', 'negative', 'unspecified'])).optional(),
	topic: names.optional(),
	userId: names.optional(),
	activityState: listOf(z.enum(conversationStates)).optional(),
	feedback: listOf(z.enum(['positive', 'negative'])).optional(),
	escalated: z.literal('true').optional(),
	hasVoice: z.enum(['true', 'false']).optional(),
	actionType: names.optional(),
	tool: names.optional(),
	toolOutcome: names.optional(),
	procedure: names.optional(),
	procedureOutcome: names.optional(),
	startDate: dayOrMoment.optional(),
	endDate: dayOrMoment.optional(),
	updatedAfter: dayOrMoment.optional(),
	updatedBefore: dayOrMoment.optional(),
});

/** A piece of a message. Export leaves `input` out. 3.1, 4. */
export const part = z.discriminatedUnion('type', [
	z.looseObject({ type: z.literal('text'), text: z.string() }),
	z.looseObject({
		type: z.literal('tool-call'),
		toolCallId: z.string(),
		toolName: z.string(),
		input: z.unknown().optional(),
	}),
	z.looseObject({
		type: z.literal('tool-result'),
		toolCallId: z.string(),
		toolName: z.string(),
		output: z.unknown().optional(),
	}),
]);

/** Message of an exported conversation. 3.1. */
export const exportMessage = z.looseObject({
	id: z.string(),
	role: z.enum(['user', 'assistant']),
	parts: z.array(part),
	createdAt: seconds.optional(),
	feedback: z.enum(['positive', 'negative']).nullish(),
	metadata: z.looseObject({ score: z.number().nullable() }).optional(),
});

const conversation = z.looseObject({
	id: z.string(),
	title: z.string().nullable(),
	createdAt: seconds,
	updatedAt: seconds,
	userId: z.string().nullable(),
	source: z.enum(conversationSources).nullable(),
	status: z.enum(conversationStates),
});

/** An exported conversation. 3.1. */
export const exportConversation = conversation.extend({
	messages: z.array(exportMessage).optional(),
});

/** A conversation that was found. 3.2. */
export const foundConversation = conversation.extend({
	parentConversationId: z.string().nullish(),
	parentSummary: z.string().nullish(),
	embedOrigin: z.string().nullish(),
	snippet: z
		.looseObject({
			speaker: z.enum(['user', 'assistant']),
			highlights: z.array(z.looseObject({ value: z.string(), isHit: z.boolean() })),
		})
		.nullable(),
});

/** PATCH …/conversations/{conversationId}. 3.3. */
export const pauseRequest = z.strictObject({ paused: z.boolean() });

/** The same as another page has it, which does not show the name of the field. 3.3. */
export const stateRequest = z.strictObject({ status: z.enum(['ongoing', 'paused', 'ended']) });

/** Reply of both. 3.3. */
export const stateReply = z.looseObject({
	data: z.looseObject({ id: z.string(), status: z.enum(['ongoing', 'paused', 'ended']) }),
});

// --- Chat --------------------------------------------------------------------------------------

/** POST …/chat. 4. */
const chatRequest = z.strictObject({
	message: z.string().min(1).optional(),
	conversationId: z.string().min(1).optional(),
	stream: z.boolean().default(true),
	userId: z
		.string()
		.max(128)
		.regex(/^[a-zA-Z0-9._-]+$/)
		.optional(),
});

/** Reply without a stream. 4. */
export const chatReply = z.looseObject({
	data: z.looseObject({
		id: z.string(),
		role: z.literal('assistant'),
		parts: z.array(part),
		metadata: z.looseObject({
			userMessageId: z.string().nullable(),
			conversationId: z.string(),
			userId: z.string().nullable(),
			finishReason: z.enum(['stop', 'error', 'tool-calls']),
			usage: z.looseObject({ credits: z.number() }),
		}),
	}),
});

// --- Endpoints ---------------------------------------------------------------------------------

const ofAgent = '/agents/{agentId}';

export const endpoints = {
	health: { method: 'GET', path: '/health', query: noQuery, body: nothing },
	agents: {
		method: 'GET',
		path: '/agents',
		scope: 'agents:read',
		query: z.strictObject(pages(100)),
		maximum: 100,
		body: nothing,
	},
	agent: { method: 'GET', path: ofAgent, scope: 'agents:read', query: noQuery, body: nothing },
	export: {
		method: 'GET',
		path: `${ofAgent}/conversations/export`,
		scope: 'chatlogs:export',
		query: exportQuery,
		maximum: 20,
		body: nothing,
		unknownAgent: 'emptyList',
	},
	search: {
		method: 'GET',
		path: `${ofAgent}/conversations/search`,
		query: searchQuery,
		maximum: 25,
		body: nothing,
	},
	pause: {
		method: 'PATCH',
		path: `${ofAgent}/conversations/{conversationId}`,
		scope: 'chatlogs:write',
		query: noQuery,
		body: pauseRequest,
	},
	chat: {
		method: 'POST',
		path: `${ofAgent}/chat`,
		scope: 'chatlogs:write',
		query: noQuery,
		body: chatRequest,
	},
} as const satisfies Record<string, Endpoint>;
