import { byId, useTestbed } from '../testbed';

/** Conversations as the published pages show them. */
const published = { conversationRecord: 'reference' } as const;
const testbed = useTestbed(
	{ resource: 'conversation', operation: 'getAll' },
	{ behaviour: published },
);

const chatbotId = byId('bot');
const ids = (items: Array<{ json: { id?: unknown } }>) => items.map(({ json }) => json.id);
const queries = () => testbed.service.requests.map(({ query }) => query);

/** Adds conversations, one a minute, the newest last; the service lists the newest first. */
function add(count: number) {
	for (let number = 1; number <= count; number++) {
		const createdAt = new Date(Date.UTC(2026, 6, 1, 0, number)).toISOString();
		testbed.service.store.addConversation('bot', { id: `c${number}`, createdAt });
	}
}

it('returns a conversation unchanged, with its messages', async () => {
	const messages = [
		{ role: 'user', content: 'Where is my <b>parcel</b>?\n' },
		{ role: 'assistant', content: 'On its way 🚚' },
	];
	const createdAt = '2026-07-01T00:00:00.000Z';
	const fields = { id: 'c1', createdAt, source: 'WhatsApp', country: 'Norway', messages };
	testbed.service.store.addConversation('bot', fields);
	const { items } = await testbed.succeed({ chatbotId });
	expect(testbed.sent).toEqual([
		['GET /get-conversations?chatbotId=bot&size=50&page=1'],
		['GET /get-conversations?chatbotId=bot&size=50&page=2'],
	]);
	expect(items).toEqual([
		{
			json: {
				id: 'c1',
				chatbot_id: 'bot',
				created_at: createdAt,
				updated_at: createdAt,
				country: 'Norway',
				customer: null,
				source: 'whatsapp',
				messages: [
					{ id: 'c1-1', ...messages[0], type: 'text' },
					{ ...messages[1], type: 'text' },
				],
			},
			pairedItem: { item: 0 },
		},
	]);
});

/** The service gives so many conversations a page, though it is asked for more. */
function clampPages(size: number) {
	const conversationSize = { standard: size, maximum: size };
	Object.assign(testbed.service.behaviour, { conversationSize, sizeAboveMaximum: 'clamp' });
}

describe('pages', () => {
	it.each([
		['none', 0, 100, 1],
		['a short page', 99, 100, 2],
		['a full page and nothing', 100, 100, 2],
		['two pages and a short one', 250, 100, 4],
		['pages of another size', 7, 3, 4],
		['pages of a single one', 2, 1, 3],
	])('are read until the end: %s', async (_, count, size, requests) => {
		clampPages(size);
		add(count);
		const { items } = await testbed.succeed({ chatbotId, returnAll: true });
		expect(ids(items)).toEqual(Array.from({ length: count }, (__, index) => `c${count - index}`));
		expect(queries().map(({ page }) => page)).toEqual(
			Array.from({ length: requests }, (__, index) => String(index + 1)),
		);
	});

	it.each([
		[1, 1, '1'],
		[100, 1, '100'],
		[101, 2, '100'],
	])('are as few as possible when the limit is %d', async (limit, requests, size) => {
		add(150);
		const { items } = await testbed.run({ chatbotId, limit });
		expect(items).toHaveLength(limit);
		expect(queries()).toHaveLength(requests);
		expect(queries()[0].size).toBe(size);
	});

	it('end the list when two in a row repeat', async () => {
		const body = { data: [{ id: 'a' }, { id: 'b' }] };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		clampPages(2);
		const { items } = await testbed.run({ chatbotId, returnAll: true });
		expect(ids(items)).toEqual(['a', 'b']);
		expect(testbed.sent).toHaveLength(3);
	});

	it('end the list when one is empty', async () => {
		add(2);
		const fault = { kind: 'otherShape', body: { data: [] } } as const;
		testbed.service.faults.add({ when: { nth: 2 }, fault });
		clampPages(1);
		const { items } = await testbed.run({ chatbotId, returnAll: true });
		expect(items).toHaveLength(1);
		expect(testbed.sent).toHaveLength(2);
	});

	it('give each conversation once when conversations move meanwhile', async () => {
		add(4);
		const stop = testbed.service.onRequest(({ number }) => {
			if (number === 2) testbed.service.store.addConversation('bot', { id: 'new' });
		});
		clampPages(2);
		const { items } = await testbed.run({ chatbotId, returnAll: true });
		stop();
		expect(ids(items)).toEqual(['c4', 'c3', 'c2', 'c1']);
	});

	it('lose no conversation when as many as a page holds are added meanwhile', async () => {
		add(30);
		const stop = testbed.service.onRequest(({ number }) => {
			for (let index = 0; number === 2 && index < 5; index++)
				testbed.service.store.addConversation('bot', { id: `new ${index}` });
		});
		clampPages(5);
		const { items } = await testbed.run({ chatbotId, returnAll: true });
		stop();
		expect(ids(items)).toEqual(Array.from({ length: 30 }, (_, index) => `c${30 - index}`));
	});

	it('end the list when the service refuses one', async () => {
		add(2);
		const body = { message: 'Page not found' };
		testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'status', status: 400, body } });
		clampPages(2);
		const { items } = await testbed.succeed({
			chatbotId,
			returnAll: true,
		});
		expect(items).toHaveLength(2);
	});

	it.each([400, 403])('fail the whole list when one fails: status %d', async (status) => {
		add(4);
		testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'status', status } });
		clampPages(2);
		const { items, error } = await testbed.run({
			chatbotId,
			returnAll: true,
		});
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(items).toEqual([]);
	});
});

describe('filters', () => {
	it.each([
		[{ startDate: '2026-07-01' }, { startDate: '2026-07-01' }],
		[
			{ startDate: '2026-07-01T00:00:00', endDate: '2026-07-31T23:59:59' },
			{ startDate: '2026-07-01', endDate: '2026-07-31' },
		],
		[
			{ startDate: '2026-07-01', endDate: '2026-07-01' },
			{ startDate: '2026-07-01', endDate: '2026-07-01' },
		],
		[{ endDate: '={{ DateTime.fromISO("2026-07-04T20:00:00Z") }}' }, { endDate: '2026-07-05' }],
		[{ endDate: '={{ new Date("2026-07-04T12:00:00Z") }}' }, { endDate: '2026-07-04' }],
		[{ endDate: '2026-07-04T18:00:00Z' }, { endDate: '2026-07-05' }],
		[{ sources: ['API'] }, { filteredSources: 'API' }],
		[
			{ sources: ['WhatsApp', 'Widget or Iframe'], otherSources: ' Telegram ,, Fax ' },
			{ filteredSources: 'WhatsApp,Widget or Iframe,Telegram,Fax' },
		],
		[{ otherSources: 'Telegram' }, { filteredSources: 'Telegram' }],
		[{ sources: '={{ ["API", "Slack"] }}' }, { filteredSources: 'API,Slack' }],
		[{ sources: '={{ "API, Slack" }}' }, { filteredSources: 'API,Slack' }],
	])('%j are sent as %j', async (filters, query) => {
		await testbed.succeed({ chatbotId, filters }, { timezone: 'Asia/Tokyo' });
		expect(queries()).toEqual([{ chatbotId: 'bot', size: '50', page: '1', ...query }]);
	});

	it.each([
		[{ startDate: '2026-07-02', endDate: '2026-07-01' }, 'Start Date is after End Date'],
		[{ startDate: '2026-7-1' }, 'Start Date is not a date such as 2026-09-01'],
		[{ endDate: '2026-02-30' }, 'End Date is not a date such as 2026-09-01'],
		[{ endDate: 'yesterday' }, 'End Date is not a date such as 2026-09-01'],
		[{ startDate: '' }, 'The filter Start Date is empty'],
		[{ endDate: '={{ $json.none }}' }, 'The filter End Date is empty'],
		[{ sources: [] }, 'The filter Channels is empty'],
		[{ otherSources: ' ' }, 'The filter Other Channels is empty'],
	])('%j are refused before any request', async (filters, message) => {
		const refusal = await testbed.refusal({ chatbotId, filters });
		expect(refusal).toBe(message);
	});

	it('are ignored when a model leaves them blank', async () => {
		add(1);
		const fromAi = (name: string) => `={{ $fromAI("${name}") }}`;
		const { records } = await testbed.callTool(
			{
				chatbotId,
				filters: {
					startDate: fromAi('start'),
					endDate: fromAi('end'),
					otherSources: fromAi('sources'),
				},
			},
			{ start: '2026-07-01', end: '', sources: '' },
		);
		const query = { chatbotId: 'bot', size: '50', startDate: '2026-07-01' };
		expect(queries()).toEqual([
			{ ...query, page: '1' },
			{ ...query, page: '2' },
		]);
		expect(records).toMatchObject([{ id: 'c1' }]);
	});
});

it('evaluates each parameter for each item', async () => {
	add(3);
	const { items } = await testbed.succeed(
		{
			chatbotId: byId('={{ $json.bot }}'),
			returnAll: '={{ $json.all }}',
			limit: '={{ $json.limit }}',
			filters: { startDate: '={{ $json.start }}', endDate: '={{ $json.end }}' },
		},
		{
			input: [
				{ bot: 'bot', all: true, start: '2026-07-01', end: '2026-07-01' },
				{ bot: 'bot', all: false, limit: 1, start: '2026-01-01', end: '2026-12-31' },
			],
		},
	);
	expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
		['c3', { item: 0 }],
		['c2', { item: 0 }],
		['c1', { item: 0 }],
		['c3', { item: 1 }],
	]);
	expect(testbed.service.maxInFlight).toBe(1);
});

describe('a transcript', () => {
	const createdAt = '2026-07-01T00:00:00.000Z';
	const messages = [
		{ role: 'user', content: 'Where is my parcel?' },
		{ role: 'assistant', content: 'On its way 🚚' },
	];
	const transcript = 'User: Where is my parcel?\nAssistant: On its way 🚚';

	beforeEach(
		() => void testbed.service.store.addConversation('bot', { id: 'c1', createdAt, messages }),
	);

	it('is added to all other fields when Add Transcript is on', async () => {
		const [plain, added] = await Promise.all(
			[false, true].map(
				async (wanted) => await testbed.run({ chatbotId, options: { transcript: wanted } }),
			),
		);
		expect(plain.items[0].json).not.toHaveProperty('transcript');
		expect(added.items[0].json).toEqual({ ...plain.items[0].json, transcript });
	});

	it("has the times of the service in the workflow's time zone", async () => {
		const body = { data: [{ id: 'c1', messages: [{ ...messages[0], createdAt }] }] };
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'otherShape', body } });
		const { items } = await testbed.run(
			{ chatbotId, limit: 1, options: { transcript: true } },
			{ timezone: 'Asia/Tokyo' },
		);
		expect(items[0].json.transcript).toBe('[2026-07-01 09:00:00] User: Where is my parcel?');
	});

	it('is added to some items when an expression says so', async () => {
		const { items } = await testbed.run(
			{ chatbotId, options: { transcript: '={{ $json.wanted }}' } },
			{ input: [{ wanted: 'no' }, { wanted: 'yes' }] },
		);
		expect(items.map(({ json }) => json.transcript)).toEqual([undefined, transcript]);
	});

	const head = { id: 'c1', created_at: createdAt, updated_at: createdAt, source: 'api' };

	it.each<[{ output?: string; outputFields?: string[] }, unknown]>([
		[{}, { ...head, country: null, customer: null, transcript }],
		[{ output: 'simplified' }, { ...head, country: null, customer: null, transcript }],
		[
			{ output: 'selectedFields', outputFields: ['transcript'] },
			{ id: 'c1', transcript },
		],
		[{ output: 'selectedFields' }, { id: 'c1' }],
		[{ output: 'raw' }, expect.objectContaining({ messages: expect.anything() as unknown })],
	])('replaces the messages in a tool: %j', async (parameters, record) => {
		const { records } = await testbed.callTool({ chatbotId, ...parameters }, {});
		expect(records).toEqual([record]);
		if (parameters.output === 'raw') expect(records).not.toHaveProperty('0.transcript');
	});

	it('is beside the values of a form in a tool', async () => {
		const data = [{ id: 'c1', form_submission: { name: 'Kim', phone: '+1 555 0100' }, messages }];
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'otherShape', body: { data } } });
		const { records } = await testbed.callTool({ chatbotId }, {});
		expect(records).toEqual([
			{ id: 'c1', form_submission_name: 'Kim', form_submission_phone: '+1 555 0100', transcript },
		]);
	});
});

it('says that more may follow only in a tool', async () => {
	add(3);
	const limited = { chatbotId, limit: 2 };
	const { records } = await testbed.callTool(limited, {});
	expect(records).toMatchObject([
		{ id: 'c3' },
		{ id: 'c2' },
		{ message: 'The list may have more records, because Limit is 2.' },
	]);
	expect((await testbed.callTool({ ...limited, limit: 4 }, {})).records).toHaveLength(3);
	expect((await testbed.run(limited)).items).toHaveLength(2);
});
