/** Each switch has an effect. The probe sees most of them, so here are those that it cannot ask about. */
import type { Behaviour, BehaviourV2 } from '../../service';
import { switches, switchesV2 } from '../../probe/switches';
import { ask, fileForm, follow, get, received, useService, type Step } from './client';

const service = useService();

const contacts = '/chatbots/bot/contacts';
const agent = '/agents/bot';
const exported = `${agent}/conversations/export`;
const sources = `${agent}/sources`;
const tickets = `${agent}/helpdesk/tickets`;
const unknown = '00000000-0000-4000-8000-000000000000';
const ids = (...list: string[]) => ({ data: list.map((id) => ({ id })) });
const create = (users: object[], status: number, ...data: object[]): Step => [
	`POST ${contacts}`,
	{ users },
	status,
	data.length > 0 ? { data } : undefined,
];
const dated = (value: unknown): Step => [
	`PATCH ${contacts}/a`,
	{ data: { custom_attributes: { date: '2025-02-03' } } },
	200,
	{ data: { custom_attributes: { date: value } } },
];
const train = (sourceText: string): Step => [
	'POST /update-chatbot-data',
	{ chatbotId: 'bot', chatbotName: 'Bot', sourceText },
	200,
];
const chatbot = (part: object) => get('/get-chatbots', 200, { chatbots: { data: [part] } });
const source = (name: string, part: object): Step => [
	`POST ${sources}`,
	{ type: 'text', name, content: 'Text' },
	201,
	part,
];
const file = () => fileForm('a.pdf', 8, 'A');
const ticket = { subject: 'A', description: 'B', customer: { email: 'jane@x.example' } };
const reply = (status: number, part?: string): Step => [
	`POST ${tickets}/1/messages`,
	{ type: 'reply', content: 'Yes', authorEmail: 'ada@team.example' },
	status,
	part,
];
const template = (status: number, part?: unknown): Step => [
	`POST ${agent}/whatsapp/messages/template`,
	{ to: '+49 151 2345678', template: { name: 'hello', variables: { body: { 1: 'A' } } } },
	status,
	part,
];

type Rows<All> = { [Name in keyof All]?: Array<[All[Name], ...Step[]]> };

const rows: Rows<Behaviour> = {
	dateValues: [
		['seconds', dated(1738540800)],
		['milliseconds', dated(1738540800000)],
	],
	blankPaymentLabel: [
		[
			'null',
			[
				`PATCH ${contacts}/a`,
				{ data: { payment_accounts: [{ label: ' ', payment_id: 'p' }] } },
				200,
				{ data: { payment_accounts: [{ label: null }] } },
			],
		],
	],
	externalIdMatch: [['folded', get(`${contacts}/%20A`, 200, { data: { external_id: 'a' } })]],
	externalIdCase: [['lower', create([{ external_id: 'N' }], 200, { external_id: 'n' })]],
	createWithoutExternalId: [
		['generates', create([{}], 200, { external_id: expect.stringMatching(/./) as unknown })],
		['null', create([{}], 200, { external_id: null })],
		['empty', create([{}], 200, { external_id: '' })],
	],
	externalIdOfNew: [
		['own', create([{ external_id: 'n' }], 200), get(`${contacts}/n`, 404, 'Contact not found')],
	],
	externalIdUnique: [[false, create([{ external_id: 'a' }], 200)]],
	maximumContacts: [[3, create([{ external_id: 'n' }], 200), create([{ external_id: 'm' }], 400)]],
	reservedAttributeNames: [
		[['email'], ['POST /chatbots/bot/custom-attributes', { name: 'email', type: 'text' }, 400]],
	],
	trainingText: [['append', train('old'), train('new'), chatbot({ num_of_characters: 7 })]],
	trainingMs: [[5000, train('new'), chatbot({ status: 'training' })]],
};

const rowsV2: Rows<BehaviourV2> = {
	maintenance: [[1, get(agent, 503, 'SERVICE_UNDER_MAINTENANCE'), get(agent, 200)]],
	disabledEndpoints: [
		[['GET /agents/{agentId}'], get(agent, 503, 'ENDPOINT_TEMPORARILY_DISABLED')],
	],
	pagesUnderChange: [
		[
			'rowTwice',
			get(`${exported}?limit=1`, 200),
			get(`${exported}?cursor={cursor}`, 200, ids('c2', 'c1')),
		],
		['rowSkipped', get(`${exported}?limit=1`, 200), get(`${exported}?cursor={cursor}`, 200, ids())],
	],
	exportDates: [
		['withoutBounds', get(`${exported}?startDate=2026-07-19T12:00:00Z`, 200, ids())],
		['wholeDays', get(`${exported}?startDate=2026-07-19T13:00:00Z`, 200, ids('c2'))],
		[
			'startOnFirstPage',
			get(`${exported}?limit=1`, 200),
			get(`${exported}?startDate=2026-07-19&cursor={cursor}`, 200, ids('c1')),
		],
		['ignored', get(`${exported}?startDate=2026-07-20`, 200, ids('c2', 'c1'))],
		['refused', get(`${exported}?startDate=2026-07-19T13:00:00Z`, 400, 'VALIDATION_INVALID_BODY')],
	],
	pauseTarget: [400, 409, 422].map((status) => [
		status as 400,
		[`PATCH ${agent}/conversations/c2`, { paused: true }, status],
	]),
	userConversations: [
		['ignoresCase', get(`${agent}/users/ME/conversations`, 200, ids('c1'))],
		['everybody', get(`${agent}/users/x/conversations`, 200, ids('c1'))],
	],
	userUnknown: [['notFound', get(`${agent}/users/x/conversations`, 404, 'RESOURCE_NOT_FOUND')]],
	agentLimit: [[1, [`POST ${agent}/clone`, undefined, 403, 'AGENT_LIMIT_REACHED']]],
	clonePendingSteps: [
		[
			['ADD_SOURCE'],
			[`POST ${agent}/clone`, undefined, 201, { pendingSteps: ['ADD_SOURCE'] }],
			get('/agents/{id}/sources', 200, { data: [{ status: 'untrained' }] }),
		],
	],
	cloneLagSeconds: [
		[5, [`POST ${agent}/clone`, undefined, 201], chatbot({ name: 'Bot', status: 'trained' })],
	],
	trainingPolls: [
		[
			2,
			source('A', { status: 'untrained' }),
			get(`${sources}/{id}`, 200),
			get(`${sources}/{id}`, 200, { status: 'untrained' }),
			get(`${sources}/{id}`, 200, { status: 'trained' }),
		],
	],
	crawlPolls: [
		[
			2,
			[`POST ${sources}`, { type: 'link', url: 'https://shop.example', linkType: 'crawl' }, 201],
			get(`${sources}/{id}`, 200),
			get(`${sources}/{id}`, 200, { metadata: { crawlStatus: 'fetching' } }),
			get(`${sources}/{id}`, 200, { metadata: { crawlStatus: 'fetched' } }),
		],
	],
	updatedSize: [
		['oldUntilTrained', [`PUT ${sources}/s2`, { content: 'Longer text' }, 200, { size: 5 }]],
	],
	sourceNameForm: [
		['NFC', source('e\u0301', { name: '\u00e9' })],
		['NFD', source('\u00e9', { name: 'e\u0301' })],
	],
	storageLimit: [
		[
			5,
			[
				`POST ${sources}`,
				{ type: 'text', name: 'A', content: 'B' },
				422,
				'SOURCE_SIZE_LIMIT_EXCEEDED',
			],
		],
	],
	fileErrorCode: [['INVALID_BODY', [`POST ${sources}`, fileForm('a.pdf'), 400, 'INVALID_BODY']]],
	smallestFile: [[50, [`POST ${sources}`, file(), 400, 'VALIDATION_INVALID_BODY']]],
	fileRate: [
		[
			{ requests: 1, windowMs: 60_000, retryAfter: 'none' },
			[`POST ${sources}`, file(), 201],
			[`POST ${sources}`, file(), 429, 'RATE_LIMIT_TOO_MANY_REQUESTS'],
		],
	],
	fileSize: [
		['raw', [`POST ${sources}`, file(), 201, { size: 8 }]],
		['withOriginalSize', [`POST ${sources}`, file(), 201, { metadata: { originalSize: 8 } }]],
	],
	fileText: [
		[
			'none',
			[`POST ${sources}`, file(), 201, { size: 0 }],
			get(`${sources}/{id}`, 200, { status: 'untrained' }),
			get(`${sources}/{id}`, 200, { status: 'failed' }),
		],
	],
	ticketUpdate: [
		[
			'half',
			[`PATCH ${tickets}/1`, { statusCategory: 'closed', priority: 'low' }, 500],
			get(`${tickets}/1`, 200, { statusCategory: 'closed', priority: 'high' }),
		],
	],
	ticketCreateUnknown: [400, 404].map((status) => [
		status as 400,
		[`POST ${tickets}`, { ...ticket, teamId: unknown }, status, 'TICKET_TEAM_NOT_FOUND'],
	]),
	ticketReply: [['notTakenOver', reply(409, 'CONVERSATION_NOT_TAKEN_OVER')]],
	ticketReplyStatus: [
		['onCustomer', reply(201), get(`${tickets}/1`, 200, { statusCategory: 'on_customer' })],
	],
	templateSend: [
		['withoutIds', template(201, { messageId: null, conversationId: null })],
		['SEND_BLOCKED', template(409, 'SEND_BLOCKED')],
		['TEMPLATE_PARAMS_REJECTED', template(422, 'TEMPLATE_PARAMS_REJECTED')],
		['RECIPIENT_NOT_REACHABLE', template(422, 'RECIPIENT_NOT_REACHABLE')],
		['WHATSAPP_SEND_FAILED', template(502, 'WHATSAPP_SEND_FAILED')],
		['MEDIA_UPLOAD_FAILED', template(502, 'MEDIA_UPLOAD_FAILED')],
	],
};

const cases = [
	...Object.entries(rows).map(([name, some]) => ({ name, some, key: 'behaviour' as const })),
	...Object.entries(rowsV2).map(([name, some]) => ({ name, some, key: 'behaviourV2' as const })),
].flatMap(({ name, some, key }) =>
	some.map(([value, ...steps]) => ({ name, value, key, steps: steps as Step[] })),
);

it.each(cases)('$name: $value', async ({ name, value, key, steps }) => {
	// Without the switch the same requests are answered differently.
	await expect(follow(service, steps)).rejects.toThrow('toMatchObject');
	service.reset();
	Object.assign(service[key], { [name]: value });
	await follow(service, steps);
});

const { set, setV2 } = {
	set: (behaviour: Partial<Behaviour>) => Object.assign(service.behaviour, behaviour),
	setV2: (behaviour: Partial<BehaviourV2>) => Object.assign(service.behaviourV2, behaviour),
};
const messages = [{ role: 'user', content: 'Hi' }];
const streamed = async () =>
	(await ask(service, `POST ${agent}/chat`, { message: '\u{1f44b}' })).text;
const pieces = async () => await received(service, `POST ${agent}/chat`, { message: '\u{1f44b}' });

/** Switches that show in the pieces or the time of an answer, or together with others. */
const others: Record<string, () => Promise<void>> = {
	streamChunkBytes: async () => {
		set({ streamChunkBytes: 4, streamDelayMs: 5 });
		const body = { chatbotId: 'bot', messages, stream: true };
		expect((await received(service, 'POST /chat', body)).chunks.length).toBeGreaterThan(2);
	},
	streamDelayMs: async () => {
		set({ streamChunkBytes: 4, streamDelayMs: 15 });
		const start = performance.now();
		await ask(service, 'POST /chat', { chatbotId: 'bot', messages, stream: true });
		expect(performance.now() - start).toBeGreaterThan(28);
	},
	rateLimitCode: async () => {
		const rateLimit = { requests: 1, windowMs: 10_000, retryAfter: 'seconds' } as const;
		setV2({ rateLimit, rateLimitCode: 'RATE_LIMITED' });
		await follow(service, [get('/agents', 200), get('/agents', 429, 'RATE_LIMITED')]);
	},
	exportWithoutTime: async () => {
		service.store.addConversation('bot', { id: 'timeless', createdAt: 'never' });
		const dates = get(`${exported}?startDate=2026-07-20`, 200, ids());
		await follow(service, [dates]);
		setV2({ exportWithoutTime: 'inEveryRange' });
		await expect(follow(service, [dates])).rejects.toThrow('timeless');
	},
	streamError: async () => {
		const failures = {
			afterText: /text-delta.*"type":"error","errorText"/s,
			beforeText: /^(?!.*text-delta).*"type":"error","errorText"/s,
			oldForm: /"type":"error","error":\{"code":"CHAT_STREAMING_ERROR"/,
			abort: /"type":"abort"/,
			json: /^\{"error":\{"code":"CHAT_STREAMING_ERROR"/,
		} as const;
		for (const [streamError, end] of Object.entries(failures)) {
			setV2({ streamError: streamError as keyof typeof failures });
			expect(await streamed()).toMatch(end);
		}
	},
	streamSilenceMs: async () => {
		setV2({ streamEnd: 'silence', streamSilenceMs: 40 });
		const start = performance.now();
		expect(await streamed()).toMatch(/\[DONE\]\n\n$/);
		expect(performance.now() - start).toBeGreaterThan(38);
	},
	streamChunks: async () => {
		const whole = await streamed();
		for (const streamChunks of ['events', 'bytes', 'whole', 'insideCharacters'] as const) {
			setV2({ streamChunks });
			const { chunks } = await pieces();
			expect(Buffer.concat(chunks)).toHaveLength(Buffer.byteLength(whole));
			const isSplit = chunks.some(([first]) => (first & 0xc0) === 0x80);
			expect(isSplit).toBe(['bytes', 'insideCharacters'].includes(streamChunks));
			expect(chunks.length === 1).toBe(streamChunks === 'whole');
		}
	},
};

it.each(Object.entries(others))('%s', async (_name, seen) => await seen());

it('sees each switch that the probe cannot ask about', () => {
	const unasked = Object.entries({ ...switches, ...switchesV2 })
		.filter(([, positions]) => 'reason' in positions)
		.map(([name]) => name);
	const seen = [rows, rowsV2, others].flatMap((table) => Object.keys(table));
	expect(seen.sort()).toEqual(unasked.sort());
});
