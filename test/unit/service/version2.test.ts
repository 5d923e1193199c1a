/** The contract of version 2: what each endpoint does, answers and refuses. */
import { z } from 'zod';

import { contractV2, illegalities } from '../../service';
import { endpointOf } from '../../service/endpoints';
import { endpoints } from '../../service/v2/contract';
import {
	ask,
	changed,
	exactly,
	fileForm,
	follow,
	get,
	held,
	useService,
	type Step,
} from './client';

const service = useService();

const agent = '/agents/bot';
const exported = `${agent}/conversations/export`;
const search = `${agent}/conversations/search`;
const sources = `${agent}/sources`;
const tickets = `${agent}/helpdesk/tickets`;
const sent = `${agent}/whatsapp/messages/template`;
const unknown = '00000000-0000-4000-8000-000000000000';
const text = { type: 'text', name: 'A', content: 'Käse' };
const qna = { type: 'qna', name: 'Q', questions: ['Who?'], answer: 'We' };
const link = { type: 'link', url: 'https://shop.example/faq', linkType: 'crawl' };
const ticket = { subject: 'Refund', description: 'Please', customer: { email: 'jane@x.example' } };
const reply = { type: 'reply', content: 'Sent **today**', authorEmail: 'ADA@team.example' };
const hello = {
	to: '+49 151 2345678',
	template: { name: 'hello', variables: { body: { 1: 'A' } } },
};
const say = { message: 'Grüße!', stream: false };
const ids = (...list: string[]) => ({ data: list.map((id) => ({ id })) });
const numbers = (...list: number[]) => ({ data: list.map((ticketNumber) => ({ ticketNumber })) });

const { listReply } = contractV2;
const replies: Record<keyof typeof endpoints, z.ZodType> = {
	health: z.looseObject({ status: z.string() }),
	agents: listReply(contractV2.agent),
	agent: contractV2.agent,
	updateAgent: contractV2.agent,
	clone: contractV2.clonedAgent,
	export: listReply(contractV2.exportConversation.partial({ messages: true })),
	search: listReply(contractV2.foundConversation),
	userConversations: listReply(contractV2.userConversation),
	pause: contractV2.stateReply,
	chat: contractV2.chatReply,
	sources: listReply(contractV2.source),
	createSource: contractV2.source,
	source: contractV2.source,
	updateSource: contractV2.source,
	deleteSource: contractV2.deletedSource,
	ticketStatuses: contractV2.ticketStatus.array(),
	teams: contractV2.team.array(),
	tickets: listReply(contractV2.listedTicket),
	createTicket: contractV2.ticket,
	searchTickets: listReply(contractV2.listedTicket),
	ticket: contractV2.ticket,
	updateTicket: contractV2.ticket,
	ticketMessages: listReply(contractV2.ticketMessage),
	replyToTicket: contractV2.createdTicketMessage,
	templates: contractV2.templatesReply,
	sendTemplate: contractV2.whatsappSent,
};

const promises: Record<string, Step[]> = {
	'agents are listed': [
		get('/health', 200, { status: 'ok' }),
		get('/agents', 200, { data: [{ id: 'bot', name: 'Bot' }] }),
		get('/agents/other', 404, 'AGENT_NOT_FOUND'),
		get('/get-chatbots', 200),
		get('/agents/bot/nothing', 404, 'NOT_FOUND'),
	],
	'an agent is renamed and cloned, without sources of Notion': [
		[`PUT ${agent}`, { name: 'Acme' }, 200, { name: 'Acme' }],
		[`POST ${agent}/clone`, undefined, 201, { id: expect.any(String) as unknown }],
		get('/agents/{id}', 200, { name: 'Acme' }),
		get('/agents/{id}/sources?type=notionPage', 200, ids()),
		get('/agents/{id}/sources', 200, {
			data: [{ status: 'untrained' }, { status: 'untrained' }],
		}),
	],
	'a message begins a conversation, and the next one continues it with its user': [
		[
			`POST ${agent}/chat`,
			{ ...say, userId: 'u.1' },
			200,
			{
				data: {
					role: 'assistant',
					parts: exactly([{ type: 'text', text: 'You said: Grüße!' }]),
					metadata: { userId: 'u.1', finishReason: 'stop', usage: { credits: 1 } },
				},
			},
		],
		[
			`POST ${agent}/chat`,
			{ ...say, conversationId: '{id}', userId: 'other' },
			200,
			{ data: { metadata: { userId: 'u.1' } } },
		],
		get(`${exported}?conversationId={id}`, 200, {
			data: [
				{
					source: 'API',
					title: 'Grüße!',
					messages: ['user', 'assistant', 'user', 'assistant'].map((role) => ({ role })),
				},
			],
		}),
		get(`${agent}/users/u.1/conversations`, 200, { data: [{ userId: 'u.1' }] }),
		get(`${agent}/users/nobody/conversations`, 200, ids()),
		get(agent, 200, { creditsUsed: 2 }),
	],
	'a conversation that is over or unknown takes no message': [
		[`POST ${agent}/chat`, { ...say, conversationId: 'c2' }, 403, 'CHAT_CONVERSATION_NOT_ONGOING'],
		[`POST ${agent}/chat`, { ...say, conversationId: 'x' }, 404, 'RESOURCE_NOT_FOUND'],
		get(exported, 200, ids('c2', 'c1')),
	],
	'pages follow each other to the last row': [
		get(`${exported}?limit=1`, 200, { ...ids('c2'), pagination: { hasMore: true, total: 2 } }),
		get(`${exported}?limit=1&cursor={cursor}`, 200, {
			...ids('c1'),
			pagination: exactly({ cursor: null, hasMore: false, total: 2 }),
		}),
	],
	'an export is narrowed by moments, days and sources': [
		get(`${exported}?endDate=2026-07-18`, 200, ids('c1')),
		get(`${exported}?endDate=2026-07-18T11:59:59Z`, 200, ids()),
		get(`${exported}?startDate=2026-07-19T14:00:00%2B02:00`, 200, ids('c2')),
		get(`${exported}?source=API,Email`, 200, ids('c1')),
		get(`${exported}?conversationId=x`, 200, ids()),
		get(`${exported}?conversationId=c2&include=summary`, 200, {
			data: [expect.not.objectContaining({ messages: expect.anything() as unknown })],
		}),
		get(`${exported}?conversationId=c2`, 200, {
			data: [
				{
					createdAt: Date.UTC(2026, 6, 19, 12) / 1000,
					messages: [
						{ parts: exactly([{ type: 'text', text: 'A refund?' }]) },
						{ feedback: 'negative', metadata: { score: 0.5 } },
					],
				},
			],
		}),
	],
	'a search finds words and shows where': [
		get(`${search}?query=refund`, 200, {
			data: [
				{
					id: 'c2',
					snippet: exactly({
						speaker: 'user',
						highlights: [
							{ value: 'A ', isHit: false },
							{ value: 'refund', isHit: true },
							{ value: '?', isHit: false },
						],
					}),
				},
			],
			pagination: exactly({ cursor: null, hasMore: false }),
		}),
		get(`${search}?query=refund+nothing`, 200, ids()),
		get(search, 200, ids('c2', 'c1')),
		...[
			'activityState=ended,paused',
			'userId=u',
			'sentiment=positive',
			'topic=billing',
			'feedback=negative',
			'escalated=true',
			'hasVoice=true',
			'actionType=collect-leads',
			'tool=lookup',
			'procedureOutcome=completed',
			'updatedAfter=2026-07-19',
			'startDate=2026-07-19',
		].map((query) => get(`${search}?${query}`, 200, ids('c2'))),
		get(`${search}?tool=lookup&toolOutcome=error`, 200, ids()),
		get(`${search}?sentiment=unspecified`, 200, ids('c1')),
		get(`${search}?limit=1&escalated=true`, 200),
		get(`${search}?limit=1`, 200, ids('c2')),
		get(`${search}?limit=1&source=API&cursor={cursor}`, 400, 'VALIDATION_CURSOR_QUERY_MISMATCH'),
	],
	'a conversation is paused and resumed': [
		[
			`PATCH ${agent}/conversations/c1`,
			{ paused: true },
			200,
			{ data: { id: 'c1', status: 'paused' } },
		],
		get(`${exported}?conversationId=c1`, 200, { data: [{ status: 'paused' }] }),
		[
			`PATCH ${agent}/conversations/c1`,
			{ paused: false },
			200,
			{ data: exactly({ id: 'c1', status: 'ongoing' }) },
		],
		[`PATCH ${agent}/conversations/x`, { paused: true }, 404, 'RESOURCE_NOT_FOUND'],
	],
	'a source is added, trained as it is seen, changed and deleted': [
		[`POST ${sources}`, text, 201, { status: 'untrained', size: 5, metadata: null }],
		get(`${sources}/{id}`, 200, { status: 'untrained' }),
		get(`${sources}/{id}`, 200, { status: 'trained' }),
		[`PUT ${sources}/{id}`, { content: 'New' }, 200, { status: 'updated', name: 'A', size: 3 }],
		get(agent, 200, { status: 'training' }),
		get(sources, 200, { data: { length: 4 } }),
		[`DELETE ${sources}/s2`, undefined, 200, { status: 'deleted' }],
		get(`${sources}/s2`, 404, 'RESOURCE_NOT_FOUND'),
		[`DELETE ${sources}/s2`, undefined, 404, 'RESOURCE_NOT_FOUND'],
		get(`${sources}?type=text&name=a`, 200, { data: [{ name: 'A', status: 'trained' }] }),
	],
	'a file is added, trained as it is seen, replaced and renamed': [
		[
			`POST ${sources}`,
			fileForm('a.pdf', 8, 'A'),
			201,
			{ type: 'file', name: 'A', size: 2, status: 'untrained', metadata: null },
		],
		[`PUT ${sources}/{id}`, fileForm('b.txt', 9), 200, { name: 'A', size: 9, status: 'untrained' }],
		get(`${sources}/{id}`, 200, { status: 'untrained' }),
		[`PUT ${sources}/{id}`, fileForm('a.DOCX', 12), 200, { size: 3, status: 'updated' }],
		[`PUT ${sources}/{id}`, fileForm(undefined, 0, 'B'), 200, { name: 'B', size: 3 }],
		[`PUT ${sources}/{id}`, { name: 'C' }, 400, 'VALIDATION_INVALID_BODY'],
		[`PUT ${sources}/s2`, fileForm('a.txt'), 404, 'RESOURCE_NOT_FOUND'],
		...[
			fileForm('a.txt'),
			fileForm(undefined, 0, 'A'),
			fileForm('a.odt', 8, 'A'),
			fileForm('a.txt', 0, 'A'),
			fileForm('a.txt', 20 * 1024 * 1024 + 1, 'A'),
		].map((form): Step => [`POST ${sources}`, form, 400, 'VALIDATION_INVALID_BODY']),
		get(`${sources}?type=file`, 200, ids(expect.any(String) as unknown as string, 's1')),
	],
	'texts may share a name, and links not their address': [
		[`POST ${sources}`, text, 201],
		[`POST ${sources}`, text, 201],
		[`POST ${sources}`, qna, 201, { size: 6 }],
		[`PUT ${sources}/{id}`, { answer: 'They' }, 200, { name: 'Q', size: 8 }],
		[
			`POST ${sources}`,
			link,
			201,
			{ size: 0, metadata: { type: 'crawl', crawlStatus: 'fetching' } },
		],
		[`PUT ${sources}/{id}`, { slowScraping: true }, 200, { metadata: { slowScraping: true } }],
		[`POST ${sources}`, link, 409, 'SOURCE_DUPLICATE'],
		[
			`POST ${sources}`,
			{ ...link, linkType: 'individual' },
			201,
			{ metadata: exactly({ type: 'individual' }) },
		],
	],
	'a ticket is opened, answered and closed': [
		get(`${agent}/helpdesk/ticket-statuses`, 200, { length: 6 }),
		get(`${agent}/helpdesk/teams`, 200, [
			{ name: 'Support', isDefault: true, memberCount: 2 },
			{ name: 'Billing', isDefault: false, memberCount: 1 },
		]),
		[
			`POST ${tickets}`,
			{ ...ticket, assigneeEmail: 'GRACE@team.example' },
			201,
			{
				ticketNumber: 3,
				statusCategory: 'new',
				assigneeId: expect.any(String) as unknown,
				priority: 'none',
				channel: 'api',
			},
		],
		[
			`POST ${tickets}/3/messages`,
			reply,
			201,
			{ sender: { type: 'agent', name: 'Ada' }, contentText: 'Sent **today**' },
		],
		[
			`PATCH ${tickets}/3`,
			{ assigneeId: null, statusCategory: 'closed' },
			200,
			{ statusCategory: 'closed', assigneeId: null, subject: 'Refund' },
		],
		get(`${tickets}/3/messages`, 200, {
			data: [
				{ sender: { type: 'customer' }, contentText: 'Please' },
				{ sender: { type: 'agent' } },
			],
		}),
		get(`${tickets}/3/messages?types=event`, 200, {
			data: [{ sender: null, metadata: { statusFrom: 'new', statusTo: 'closed' } }],
		}),
		get(`${tickets}/3`, 200, { lastMessageAt: '2026-07-20T12:00:00.000Z' }),
		get(`${tickets}/4`, 404, 'TICKET_NOT_FOUND'),
		[`POST ${tickets}/search`, { query: 'please' }, 200, numbers(3)],
	],
	'tickets come in the order asked for, and narrowed': [
		get(tickets, 200, numbers(2, 1)),
		get(`${tickets}?limit=1&order=asc&includeTotal=true`, 200, {
			...numbers(1),
			pagination: { hasMore: true, total: 2 },
		}),
		get(`${tickets}?limit=1&order=asc&cursor={cursor}`, 200, {
			...numbers(2),
			pagination: exactly({ cursor: null, hasMore: false }),
		}),
		get(`${tickets}?status=closed,on_hold`, 200, numbers()),
		get(`${tickets}?channel=email`, 200, numbers(2)),
		get(`${tickets}?priority=high,low`, 200, numbers(1)),
		get(`${tickets}?assigneeId=none&teamId=none&sortBy=createdAt`, 200, numbers(2, 1)),
		get(`${tickets}?assigneeId=${unknown}`, 200, numbers()),
		get(`${tickets}?createdAfter=2026-07-02T00:00:00Z`, 200, numbers(2)),
		get(`${tickets}?createdBefore=2026-07-01T00:00:00Z`, 200, numbers(1)),
	],
	'a template is sent, once it is approved and complete': [
		get(`${agent}/whatsapp/templates`, 200, {
			templates: [
				{ name: 'hello', wabaId: 'waba' },
				{ name: 'button', wabaId: 'waba' },
			],
			complete: true,
			senders: [{ from: '+49 30 1', wabaId: 'waba' }],
		}),
		[`POST ${sent}`, hello, 201, { to: '491512345678', messageId: expect.any(String) as unknown }],
	],
};

it.each(Object.entries(promises))('%s', async (_promise, steps) => {
	await follow(service, steps, (request, { status, body }) => {
		if (!/ \/(agents|health)/.test(request)) return;
		const schema = status < 300 ? replies[nameOf(request)] : contractV2.errorReply;
		expect(schema.safeParse(body).error).toBeUndefined();
	});
});

function nameOf(request: string): keyof typeof endpoints {
	const [method, path] = request.split('?')[0].split(' ');
	const found = endpointOf({ method, path }, Object.values(endpoints));
	return Object.entries(endpoints).find(([, one]) => one === found)?.[0] as keyof typeof endpoints;
}

it('asks each endpoint', () => {
	const done = Object.values(promises).flatMap((steps) =>
		steps.filter(([, , status]) => status < 300).map(([request]) => nameOf(request)),
	);
	expect(Object.keys(endpoints).filter((name) => !done.includes(name as never))).toEqual([]);
});

it('streams an answer unless told otherwise, in the newest form', async () => {
	const answer = await ask(service, `POST ${agent}/chat`, { message: 'Grüße!' });
	expect(answer.headers.get('content-type')).toBe('text/event-stream');
	expect(answer.text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
	const events = answer.text
		.split('\n\n')
		.filter((event) => event.startsWith('data: {'))
		.map((event) => JSON.parse(event.slice(6)));
	expect(events).toMatchObject([
		{ type: 'start', messageId: expect.any(String) },
		{ type: 'start-step' },
		{ type: 'text-start' },
		...['You ', 'said: ', 'Grüße!'].map((delta) => ({ type: 'text-delta', delta })),
		{ type: 'text-end' },
		{ type: 'finish-step' },
		{
			type: 'finish',
			finishReason: 'stop',
			messageMetadata: { conversationId: expect.any(String), usage: { credits: 1 } },
		},
	]);
});

const long = (length: number) => 'a'.repeat(length);

/** Requests and bodies, all refused as invalid. */
const invalid = [
	...changed(`POST ${agent}/chat`, say, {
		message: '',
		userId: 'a b',
		conversationId: 1,
		stream: 'false',
		model: 'gpt-5',
	}),
	[`POST ${agent}/chat`, { ...say, message: undefined }],
	[`POST ${agent}/chat`, { ...say, userId: long(129) }],
	...[
		`${exported}?limit=21`,
		`${exported}?cursor=none`,
		`${exported}?startDate=2026-7-1`,
		`${exported}?endDate=2026-07-01T00:00:00`,
		`${exported}?include=all`,
		`${exported}?source=Widget`,
		`${search}?limit=26`,
		`${search}?escalated=false`,
		`${search}?activityState=open`,
		`${search}?endDate=2025-06-30`,
		`${sources}?limit=101`,
		`${tickets}?createdAfter=2026-07-02`,
		`${tickets}?status=open`,
		`${tickets}?sortBy=priority`,
		`${tickets}/0`,
		`${tickets}/2147483648`,
	].map((path) => [`GET ${path}`]),
	...changed(`PUT ${agent}`, { name: 'A' }, { name: '', model: 'gpt-5' }),
	[`PATCH ${agent}/conversations/c1`, { status: 'paused' }],
	...changed(`POST ${sources}`, text, { name: long(101), content: long(1_048_577), size: 1 }),
	...changed(`POST ${sources}`, qna, { questions: Array(51).fill('Who?'), answer: '' }),
	...changed(`POST ${sources}`, link, { url: 'faq', linkType: 'page' }),
	[`POST ${sources}`, { ...text, content: '' }],
	[`POST ${sources}`, { ...qna, questions: [] }],
	[`PUT ${sources}/s1`, { name: 'A' }],
	[`PUT ${sources}/s2`, { answer: 'A' }],
	[`PUT ${sources}/s2`, { type: 'text', name: 'A' }],
	...changed(`POST ${tickets}`, ticket, {
		subject: long(501),
		description: long(10_001),
		customer: { name: 'Jane' },
		priority: 'top',
		tags: [],
	}),
	[`POST ${tickets}`, { ...ticket, subject: '' }],
	[`POST ${tickets}`, { ...ticket, customer: { email: 'jane' } }],
	[`POST ${tickets}`, { ...ticket, statusId: unknown, statusCategory: 'new' }],
	[`POST ${tickets}`, { ...ticket, assigneeId: null, assigneeEmail: 'ada@team.example' }],
	[`PATCH ${tickets}/1`, { subject: 'New' }],
	...changed(`POST ${tickets}/1/messages`, reply, {
		content: long(10_001),
		type: 'note',
		authorEmail: undefined,
		authorId: unknown,
	}),
	[`POST ${tickets}/1/messages`, { ...reply, content: ' ' }],
].map(([request, body]) => [request, body, 400, 'VALIDATION_INVALID_BODY']);

const template = (change: object) => [
	`POST ${sent}`,
	{ ...hello, template: { ...hello.template, ...change } },
];
const refused = [
	...invalid,
	[`POST ${agent}/chat`, '{', 400, 'VALIDATION_INVALID_JSON'],
	[
		`GET ${exported}?startDate=2026-07-02&endDate=2026-07-01`,
		undefined,
		400,
		'VALIDATION_INVALID_DATE_RANGE',
	],
	[`POST ${tickets}`, { ...ticket, statusId: unknown }, 422, 'TICKET_INVALID_STATUS'],
	[
		`PATCH ${tickets}/1`,
		{ priority: 'low', assigneeId: unknown },
		422,
		'TICKET_TEAM_MEMBER_NOT_FOUND',
	],
	[
		`POST ${tickets}`,
		{ ...ticket, assigneeEmail: 'x@team.example' },
		422,
		'TICKET_TEAM_MEMBER_NOT_FOUND',
	],
	[
		`POST ${tickets}/1/messages`,
		{ ...reply, authorEmail: 'x@team.example' },
		422,
		'TEAM_MEMBER_NOT_FOUND',
	],
	[
		`POST ${tickets}/1/messages`,
		{ ...reply, content: '<br>' },
		422,
		'MESSAGE_CONTENT_NOT_RENDERABLE',
	],
	[`POST ${sent}`, { ...hello, to: '12' }, 422, 'RECIPIENT_INVALID'],
	[`POST ${sent}`, { ...hello, from: '+1' }, 404, 'PHONE_NUMBER_NOT_FOUND'],
	[...template({ name: 'none' }), 404, 'TEMPLATE_NOT_FOUND'],
	[...template({ name: 'draft' }), 409, 'TEMPLATE_NOT_APPROVED'],
	[...template({ name: 'button' }), 422, 'TEMPLATE_BUTTONS_UNSUPPORTED'],
	[...template({ variables: {} }), 422, 'MISSING_TEMPLATE_VARIABLES'],
	[...template({ variables: { body: { 1: 'a\nb' } } }), 422, 'INVALID_TEMPLATE_VARIABLES'],
] as Array<[request: string, body: unknown, status: number, code: string]>;

it.each(refused.map((one, index) => [index, ...one] as const))(
	'refuses request %i: %s',
	async (_index, request, body, status, code) => {
		const before = held(service);
		const answer = await ask(service, request, body);
		expect([answer.status, answer.body.error.code]).toEqual([status, code]);
		expect(held(service)).toBe(before);
	},
);

it.each(Object.values(endpoints).filter(({ path }) => path !== '/health'))(
	'$method $path needs the key, and an agent that exists',
	async ({ method, path }) => {
		const code = async (request: string, authorization?: string) => {
			const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
			const { status, body } = await ask(service, request, undefined, { headers });
			return [status, body.error?.code];
		};
		const request = `${method} ${path}`;
		expect(await code(request, '')).toEqual([401, 'AUTH_MISSING_API_KEY']);
		expect(await code(request, 'Bearer other')).toEqual([401, 'AUTH_INVALID_API_KEY']);
		if (path !== '/agents') expect(await code(request)).toEqual([404, 'AGENT_NOT_FOUND']);
	},
);

it('tells legal requests from others, and the versions from each other', async () => {
	const messages = [{ role: 'user', content: 'Hi', id: 1 }];
	await ask(service, 'GET /chatbots/bot/contacts?per_page=10');
	await ask(service, 'GET /chatbots/bot/contacts?per_page=5&limit=1');
	await ask(service, 'POST /chat', { chatbotId: 'bot', messages });
	await ask(service, 'PATCH /chatbots/bot/contacts/', { data: {} });
	await ask(service, `GET ${exported}?limit=20`);
	await ask(service, `GET ${exported}?limit=21&page=1`);
	await ask(service, 'GET /chat');
	expect(illegalities(service.requests)).toEqual([
		'GET /chatbots/bot/contacts: per_page: Must be at least 10',
		'GET /chatbots/bot/contacts: limit: Unknown field',
		'POST /chat: messages.0.id: Unknown field',
		'PATCH /chatbots/bot/contacts/: no such endpoint',
		'GET /agents/bot/conversations/export: limit: Must be at most 20',
		'GET /agents/bot/conversations/export: page: Unknown field',
		'GET /chat: no such endpoint',
	]);
});
