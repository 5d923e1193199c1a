/**
 * Version 2 of the HTTP interface as schemas. Requests are strict, replies are loose, as in version 1.
 * The vendor's specification is the source unless another one is named.
 */
import { z } from 'zod';

import type { Endpoint } from '../core/endpoint';
import { wholeNumber } from '../v1/contract';

export interface EndpointV2 extends Endpoint {
	/** What a key must be allowed to. */
	scope?: string;
	/** Longest page. */
	maximum?: number;
	/** What was observed for an agent that does not exist, in place of a 404. */
	unknownAgent?: 'emptyList' | 'serverError';
}

// --- Shared pieces -----------------------------------------------------------------------------

const nothing = z.undefined();
const noQuery = z.strictObject({});
const uuid = z.uuid();

/** Times of conversations: Unix seconds; of everything else: ISO 8601. */
const seconds = z.number();
const moment = z.iso.datetime();

/** A day, or a moment with a time zone. */
const anyMoment = z.iso.datetime({ offset: true });
const dayOrMoment = z.union([z.iso.date(), anyMoment], 'Expected a date or a date-time');

/** Values in one text, separated by commas. */
const listOf = <One extends z.ZodType<string, string>>(one: One) =>
	z
		.string()
		.transform((text) => text.split(',').map((value) => value.trim()))
		.pipe(z.array(one));
const names = listOf(z.string().min(1));

/** Query of a list. */
const pages = (maximum: number, standard = 20) => ({
	cursor: z.string().min(1).optional(),
	limit: wholeNumber(1, maximum).default(standard),
});

/** Error of every endpoint. */
export const errorReply = z.looseObject({
	error: z.looseObject({
		code: z.string(),
		message: z.string(),
		details: z.record(z.string(), z.string()).optional(),
	}),
});

/** A list. */
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

/** GET /agents/{agentId}, and a row of GET /agents. */
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

const agentName = z.string().min(1).max(100);

export const agentModels = [
	...['gpt-4o-mini', 'gpt-oss-120b', 'gpt-oss-20b', 'gpt-5.2', 'gpt-5.5', 'gpt-5.6-terra'],
	...['gpt-5.6-luna', 'gpt-5-mini', 'gpt-5-nano'],
	...['claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-sonnet-4-6'],
	...['claude-opus-4-5', 'claude-haiku-4-5', 'claude-sonnet-4-5'],
	...['gemini-2.5-pro', 'gemini-3-flash', 'gemini-3.1-flash-lite', 'gemini-3.1-pro'],
	...['gemini-3.5-flash', 'gemini-3.5-flash-lite', 'gemini-3.6-flash'],
	...['grok-3', 'grok-3-mini', 'grok-4'],
	...['DeepSeek-V3', 'DeepSeek-R1', 'DeepSeek-V4-Flash'],
	...['Llama-4-Scout-17B-16E-Instruct', 'Llama-4-Maverick-17B-128E-Instruct-FP8'],
	...['kimi-k2', 'mistral-medium-3.5', 'mistral-small-2603', 'glm-5.2', 'auto'],
] as const;

/** POST /agents: a new agent. Only what the node sends. */
export const agentCreateRequest = z.strictObject({
	name: agentName,
	url: z.url().optional(),
	instructions: z.string().optional(),
	model: z.enum(agentModels).optional(),
});

/** Where an agent can have instructions of its own. */
export const channels = [
	...['chat_widget', 'help_page', 'center_stage', 'side_panel', 'slack', 'whatsapp', 'messenger'],
	...['instagram', 'salesforce', 'zendesk', 'zendesk_messaging', 'api', 'email', 'android_sdk'],
	...['ios_sdk', 'phone', 'search'],
] as const;

/** A channel with a voice can have instructions for both. */
const instructions = z.union([
	z.string(),
	z.strictObject({ chat: z.string().optional(), voice: z.string().optional() }),
]);

export const channelInstructions = z.partialRecord(z.enum(channels), instructions);

/** PUT /agents/{agentId}: a part of an agent. Only what the node sends. */
const agentUpdateRequest = z
	.strictObject({
		name: agentName,
		creditLimit: z.int().nullable(),
		channelInstructions: channelInstructions.nullable(),
		blockedCountries: z.array(z.string().length(2)).max(300).nullable(),
	})
	.partial();

/** Reply of PUT /agents/{agentId} and of PUT …/auto-retrain. */
export const success = z.looseObject({ success: z.literal(true) });

/** Reply of POST /agents and of POST /agents/{agentId}/clone, with status 201. */
export const newAgent = z.looseObject({
	id: z.string(),
	pendingSteps: z.array(z.enum(['ADD_SOURCE', 'TRAIN_AGENT'])).optional(),
});

// --- Conversations -----------------------------------------------------------------------------

/** Where a conversation can come from. */
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

/** GET …/conversations/export. */
const exportQuery = z.strictObject({
	...pages(20),
	startDate: dayOrMoment.optional(),
	endDate: dayOrMoment.optional(),
	conversationId: z.string().min(1).optional(),
	include: z.enum(['messages', 'summary']).default('messages'),
	source: listOf(z.enum(conversationSources)).optional(),
});

/** GET …/conversations/search. From a page of the documentation: the specification lacks it. */
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

/** A piece of a message. Export leaves `input` out. */
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

/** Message of an exported conversation. */
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

/** A conversation of a user, as the older lists have it: those made by the API alone. Specification: `listUserConversations`. */
export const userConversation = conversation.omit({ source: true });

/** An exported conversation. */
export const exportConversation = conversation.extend({
	messages: z.array(exportMessage).optional(),
});

/** A conversation that was found. */
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

/** PATCH …/conversations/{conversationId}. */
export const pauseRequest = z.strictObject({ paused: z.boolean() });

/** Reply of both. */
export const stateReply = z.looseObject({
	data: z.looseObject({ id: z.string(), status: z.enum(['ongoing', 'paused', 'ended']) }),
});

/** PATCH …/messages/{messageId}/feedback. */
export const feedbackRequest = z.strictObject({
	feedback: z.enum(['positive', 'negative']).nullable(),
});

/** Reply of it. */
export const feedbackReply = z.looseObject({ data: exportMessage });

// --- Chat --------------------------------------------------------------------------------------

/** POST …/chat. */
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

/** POST …/tool-result: what an action of the user's side gave. A page of an SDK: at most 20 KB as JSON. */
const toolResultRequest = z.strictObject({
	toolCallId: z.string().min(1),
	output: z
		.json()
		.refine((output) => Buffer.byteLength(JSON.stringify(output)) <= 20 * 1024, 'Too large'),
});

/** Reply of it. */
export const toolResultReply = z.looseObject({
	data: z.looseObject({ success: z.boolean() }),
});

/** Reply without a stream. */
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

// --- Sources -----------------------------------------------------------------------------------

export const sourceTypes = ['text', 'qna', 'link', 'file', 'notionPage'] as const;

/** GET …/sources. */
const sourceQuery = z.strictObject({
	...pages(100),
	type: listOf(z.enum(sourceTypes)).optional(),
	name: z.string().optional(),
});

const text = { name: z.string().min(1).max(100), content: z.string().min(1).max(1_048_576) };
const qna = {
	name: z.string().min(1),
	questions: z.array(z.string().min(1)).min(1).max(50),
	answer: z.string().min(1),
};
const paths = z.array(z.string());
const link = { excludePaths: paths, includeOnlyPaths: paths, slowScraping: z.boolean() };

/** The whole body, in bytes. Pages. */
const isShortEnough = (body: object) =>
	Buffer.byteLength(JSON.stringify(body)) <= 4.5 * 1024 * 1024;

/** POST …/sources. */
export const sourceCreateRequest = z
	.discriminatedUnion('type', [
		z.strictObject({ type: z.literal('text'), ...text }),
		z.strictObject({ type: z.literal('qna'), ...qna }),
		z.strictObject({
			type: z.literal('link'),
			url: z.url(),
			linkType: z.enum(['individual', 'sitemap', 'crawl']),
			...z.object(link).partial().shape,
		}),
	])
	.refine(isShortEnough, 'Too large');

/** PUT …/sources/{sourceId}, by the type of the source. Files and Notion pages can't be edited here. */
export const sourceUpdateRequests = {
	text: z.strictObject(text).partial(),
	qna: z.strictObject(qna).partial(),
	link: z.strictObject(link).partial(),
};

export const sourceUpdateRequest = z
	.union(Object.values(sourceUpdateRequests))
	.refine(isShortEnough, 'Too large');

/** A file in a form, as the service has read it. */
const sentFile = z.strictObject({
	filename: z.string().regex(/\.(pdf|docx?|txt)$/i, 'Unsupported file type'),
	mimetype: z.string(),
	size: z
		.int()
		.min(1, 'Outside the allowed size range')
		.max(20 * 1024 * 1024, 'Outside the allowed size range'),
	sha256: z.string(),
	/** Of a short text file. It is what the simulated chatbot answers from. */
	text: z.string().optional(),
});

/** The form of POST …/sources. */
export const fileCreateRequest = z.strictObject({ name: z.string().min(1), file: sentFile });

/** The form of PUT …/sources/{sourceId}. */
export const fileUpdateRequest = fileCreateRequest
	.partial()
	.refine((body) => Object.keys(body).length > 0, 'No fields provided');

const sourceStates = ['untrained', 'trained', 'toBeDeleted', 'updated', 'failed'] as const;

/** A source. Its content is never returned. */
export const source = z.looseObject({
	id: z.string(),
	type: z.enum(sourceTypes),
	name: z.string().nullable(),
	size: z.number(),
	createdAt: moment,
	status: z.enum(sourceStates),
	metadata: z
		.looseObject({
			// Files have none, or only their size.
			originalSize: z.int().optional(),
			type: z.enum(['individual', 'sitemap', 'crawl']).optional(),
			excludePaths: paths.optional(),
			includeOnlyPaths: paths.optional(),
			slowScraping: z.boolean().optional(),
			crawlStatus: z.enum(['fetching', 'fetched', 'failed']).optional(),
			children: z.looseObject({ included: z.int(), excluded: z.int(), failed: z.int() }).optional(),
		})
		.nullable(),
});

const sum = z.looseObject({ count: z.int(), size: z.number() });

/** GET …/sources/summary. */
export const sourceSummary = z.looseObject({
	...{ links: sum, files: sum, qnas: sum, notionPages: sum, texts: sum },
	...{ zendeskTickets: sum, salesforceCases: sum },
	shouldRetrain: z.boolean(),
});

/** A source that was deleted. */
export const deletedSource = source.extend({ status: z.enum([...sourceStates, 'deleted']) });

// --- Helpdesk ----------------------------------------------------------------------------------

export const ticketCategories = [
	'new',
	'on_you',
	'on_customer',
	'on_hold',
	'closed',
	'cancelled',
] as const;
export const ticketPriorities = ['none', 'low', 'normal', 'high', 'urgent'] as const;
export const ticketChannels = [
	'helpdesk',
	'iframe',
	'email',
	'whatsapp',
	'api',
	'messenger',
	'instagram',
	'center_stage',
	'phone',
	'instagram_comment',
	'facebook_comment',
] as const;

/** A row of GET …/ticket-statuses. */
export const ticketStatus = z.looseObject({
	id: z.string(),
	category: z.enum(ticketCategories),
	externalLabel: z.string(),
	internalLabel: z.string(),
	color: z.string().nullable(),
	isDefault: z.boolean(),
	position: z.int(),
});

/** A row of GET …/teams. */
export const team = z.looseObject({
	id: z.string(),
	name: z.string(),
	isDefault: z.boolean(),
	memberCount: z.int().min(0),
});

/** At most one of two fields. */
const notBoth = (
	one: string,
	other: string,
): [(body: object) => boolean, { path: string[]; error: string }] => [
	(body) => !(one in body && other in body),
	{ path: [other], error: `Not with ${one}` },
];

const isOneStatus = notBoth('statusId', 'statusCategory');
const isOneAssignee = notBoth('assigneeId', 'assigneeEmail');
const assignment = {
	statusId: uuid.optional(),
	statusCategory: z.enum(ticketCategories).optional(),
	assigneeId: uuid.nullable().optional(),
	assigneeEmail: z.email().optional(),
	priority: z.enum(ticketPriorities).optional(),
};

/** POST …/tickets. */
export const ticketCreateRequest = z
	.strictObject({
		subject: z.string().min(1).max(500),
		description: z.string().min(1).max(10_000),
		customer: z.strictObject({ email: z.email(), name: z.string().max(255).optional() }),
		...assignment,
		teamId: uuid.optional(),
	})
	.refine(...isOneStatus)
	.refine(...isOneAssignee);

/** PATCH …/tickets/{ticketNumber}. */
export const ticketUpdateRequest = z
	.strictObject({ ...assignment, teamId: uuid.nullable().optional() })
	.refine(...isOneStatus)
	.refine(...isOneAssignee);

/** GET …/tickets. */
const ticketQuery = z.strictObject({
	...pages(100),
	status: listOf(z.enum(ticketCategories)).optional(),
	channel: listOf(z.enum(ticketChannels)).optional(),
	priority: listOf(z.enum(ticketPriorities)).optional(),
	assigneeId: uuid.or(z.literal('none')).optional(),
	teamId: uuid.or(z.literal('none')).optional(),
	createdAfter: anyMoment.optional(),
	createdBefore: anyMoment.optional(),
	sortBy: z.enum(['createdAt', 'updatedAt', 'lastMessageAt']).default('updatedAt'),
	order: z.enum(['asc', 'desc']).default('desc'),
	includeTotal: z.enum(['true', 'false']).default('false'),
});

/** POST …/tickets/search. */
const ticketSearchRequest = z.strictObject({
	query: z.string().min(1).max(512),
	limit: z.int().min(1).max(50).default(20),
});

/** Row of a list of tickets. */
export const listedTicket = z.looseObject({
	ticketNumber: z.int(),
	subject: z.string().nullable(),
	statusCategory: z.enum(ticketCategories),
	statusId: z.string(),
	assigneeId: z.string().nullable(),
	teamId: z.string().nullable(),
	priority: z.enum(ticketPriorities).optional(),
	customer: z.looseObject({
		id: z.string(),
		name: z.string().nullable(),
		email: z.string().nullable(),
		phoneNumber: z.string().nullable(),
	}),
	channel: z.enum(ticketChannels),
	conversationId: z.string().nullable(),
	createdAt: moment,
	updatedAt: moment,
	lastMessageAt: moment.nullable(),
});

/** A ticket. */
export const ticket = listedTicket.extend({
	description: z.string().nullable(),
	metadata: z.looseObject({}),
});

const ticketMessageTypes = ['reply', 'note', 'event'] as const;

/** GET …/tickets/{ticketNumber}/messages. */
const ticketMessageQuery = z.strictObject({
	...pages(100),
	types: listOf(z.enum(ticketMessageTypes)).default(['reply', 'note']),
	order: z.enum(['asc', 'desc']).default('asc'),
});

const sender = z.looseObject({
	type: z.enum(['customer', 'agent', 'system']),
	id: z.string().nullable(),
	name: z.string().nullable(),
	email: z.string().nullable(),
});

/** Message of a ticket. */
export const ticketMessage = z.looseObject({
	id: z.string(),
	type: z.enum(ticketMessageTypes),
	sender: sender.nullable(),
	content: z.string().nullable(),
	contentText: z.string().nullable(),
	attachments: z.array(
		z.looseObject({
			name: z.string().nullable(),
			url: z.string().nullable(),
			type: z.string().nullable(),
			size: z.number().nullable(),
		}),
	),
	createdAt: moment,
	metadata: z.looseObject({ eventType: z.string().nullable() }).optional(),
});

const author = { authorId: uuid.optional(), authorEmail: z.email().optional() };

/** POST …/tickets/{ticketNumber}/messages. */
export const ticketReplyRequest = z
	.strictObject({
		type: z.literal('reply'),
		content: z.string().trim().min(1).max(10_000),
		...author,
	})
	.refine(...notBoth('authorId', 'authorEmail'))
	.refine((body) => 'authorId' in body || 'authorEmail' in body, {
		path: ['authorId'],
		error: 'Required without authorEmail',
	});

/** Reply of it. */
export const createdTicketMessage = ticketMessage.omit({ attachments: true, metadata: true });

// --- WhatsApp ----------------------------------------------------------------------------------

/** A template. Categories and statuses are free texts. */
export const storedTemplate = z.object({
	id: z.string(),
	name: z.string(),
	language: z.string(),
	category: z.string(),
	status: z.string(),
	parameterFormat: z.enum(['POSITIONAL', 'NAMED']),
	/** By component, such as `body`: the keys of its variables in their order. */
	variables: z.record(z.string(), z.array(z.string())),
	components: z.array(
		z.looseObject({
			type: z.string(),
			format: z.string().optional(),
			text: z.string().optional(),
			buttons: z
				.array(
					z.looseObject({
						type: z.string(),
						text: z.string().optional(),
						url: z.string().optional(),
					}),
				)
				.optional(),
		}),
	),
});

/** Row of a list of templates: with its account. */
export const whatsappTemplate = storedTemplate.extend({ wabaId: z.string() });

/** GET …/whatsapp/templates. */
export const templatesReply = z.looseObject({
	templates: z.array(whatsappTemplate),
	complete: z.boolean(),
	unavailableWabaIds: z.array(z.string()).optional(),
	senders: z
		.array(
			z.looseObject({
				from: z.string(),
				wabaId: z.string(),
				verifiedName: z.string().nullable(),
			}),
		)
		.optional(),
});

/** POST …/whatsapp/messages/template. */
export const whatsappSend = z.strictObject({
	to: z.string().min(1),
	from: z.string().min(1).optional(),
	template: z.strictObject({
		name: z.string().min(1),
		language: z.string().min(1).optional(),
		variables: z.record(z.string(), z.record(z.string(), z.string())).default({}),
	}),
});

/** Reply of it, with status 201. */
export const whatsappSent = z.looseObject({
	messageId: z.string().nullable(),
	conversationId: z.string().nullable(),
	to: z.string(),
});

// --- Endpoints ---------------------------------------------------------------------------------

/** @param scope none where the documents name none */
function endpoint<
	Query extends z.ZodType = typeof noQuery,
	Body extends z.ZodType = typeof nothing,
>(
	method: EndpointV2['method'],
	path: string,
	scope: string | undefined,
	more: Partial<EndpointV2> & { query?: Query; body?: Body } = {},
) {
	const query = (more.query ?? noQuery) as Query;
	const body = (more.body ?? nothing) as Body;
	return { ...more, method, path, scope, query, body };
}

const agents = '/agents';
const one = `${agents}/{agentId}`;
const conversations = `${one}/conversations`;
const sources = `${one}/sources`;
const tickets = `${one}/helpdesk/tickets`;
const readTickets = 'helpdesk_tickets:read';
const writeTickets = 'helpdesk_tickets:write';

export const endpoints = {
	health: endpoint('GET', '/health', undefined),
	agents: endpoint('GET', agents, 'agents:read', {
		query: z.strictObject(pages(100)),
		maximum: 100,
	}),
	agent: endpoint('GET', one, 'agents:read'),
	createAgent: endpoint('POST', agents, 'agents:write', { body: agentCreateRequest }),
	updateAgent: endpoint('PUT', one, 'agents:write', { body: agentUpdateRequest }),
	autoRetrain: endpoint('PUT', `${one}/auto-retrain`, 'sources:write', {
		body: z.strictObject({ enabled: z.boolean() }),
	}),
	clone: endpoint('POST', `${one}/clone`, 'agents:write'),

	export: endpoint('GET', `${conversations}/export`, 'chatlogs:export', {
		query: exportQuery,
		maximum: 20,
		unknownAgent: 'emptyList',
	}),
	search: endpoint('GET', `${conversations}/search`, undefined, {
		query: searchQuery,
		maximum: 25,
	}),
	userConversations: endpoint('GET', `${one}/users/{userId}/conversations`, undefined, {
		query: z.strictObject(pages(100)),
		maximum: 100,
		unknownAgent: 'emptyList',
	}),
	pause: endpoint('PATCH', `${conversations}/{conversationId}`, 'chatlogs:write', {
		body: pauseRequest,
	}),
	rate: endpoint(
		'PATCH',
		`${conversations}/{conversationId}/messages/{messageId}/feedback`,
		'chatlogs:write',
		{ body: feedbackRequest },
	),
	chat: endpoint('POST', `${one}/chat`, 'chatlogs:write', { body: chatRequest }),
	toolResult: endpoint('POST', `${conversations}/{conversationId}/tool-result`, 'chatlogs:write', {
		body: toolResultRequest,
	}),

	sourceSummary: endpoint('GET', `${sources}/summary`, 'sources:read'),
	sources: endpoint('GET', sources, 'sources:read', {
		query: sourceQuery,
		maximum: 100,
		unknownAgent: 'emptyList',
	}),
	// JSON, or a form with a file.
	createSource: endpoint('POST', sources, 'sources:write', {
		body: z.union([sourceCreateRequest, fileCreateRequest]),
		unknownAgent: 'serverError',
	}),
	source: endpoint('GET', `${sources}/{sourceId}`, 'sources:read'),
	updateSource: endpoint('PUT', `${sources}/{sourceId}`, 'sources:write', {
		body: z.union([sourceUpdateRequest, fileUpdateRequest]),
	}),
	deleteSource: endpoint('DELETE', `${sources}/{sourceId}`, 'sources:delete'),

	ticketStatuses: endpoint('GET', `${one}/helpdesk/ticket-statuses`, readTickets),
	teams: endpoint('GET', `${one}/helpdesk/teams`, readTickets),
	tickets: endpoint('GET', tickets, readTickets, { query: ticketQuery, maximum: 100 }),
	createTicket: endpoint('POST', tickets, writeTickets, { body: ticketCreateRequest }),
	searchTickets: endpoint('POST', `${tickets}/search`, readTickets, { body: ticketSearchRequest }),
	ticket: endpoint('GET', `${tickets}/{ticketNumber}`, readTickets),
	updateTicket: endpoint('PATCH', `${tickets}/{ticketNumber}`, writeTickets, {
		body: ticketUpdateRequest,
	}),
	ticketMessages: endpoint('GET', `${tickets}/{ticketNumber}/messages`, readTickets, {
		query: ticketMessageQuery,
		maximum: 100,
	}),
	replyToTicket: endpoint('POST', `${tickets}/{ticketNumber}/messages`, writeTickets, {
		body: ticketReplyRequest,
	}),

	// No scope is named for them.
	templates: endpoint('GET', `${one}/whatsapp/templates`, undefined),
	sendTemplate: endpoint('POST', `${one}/whatsapp/messages/template`, undefined, {
		body: whatsappSend,
	}),
};
