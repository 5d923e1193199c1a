import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'conversation', operation: 'export' });

const chatbotId = byId('bot');
const path = '/api/v2/agents/bot/conversations/export';
const ids = (items: Array<{ json: { id?: unknown } }>) => items.map(({ json }) => json.id);
const queries = () => testbed.service.requests.map(({ query }) => query);
const countdown = (count: number) =>
	Array.from({ length: count }, (_, index) => `c${count - index}`);
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);

const question = 'Where is my <b>parcel</b>?';

/** Adds conversations, one a minute, the newest last; the service lists the newest first. */
function add(count: number) {
	for (let number = 1; number <= count; number++) {
		testbed.service.store.addConversation('bot', {
			id: `c${number}`,
			createdAt: new Date(Date.UTC(2026, 6, 1, 0, number)).toISOString(),
			messages: [{ role: 'user', content: `${question} ${number}` }],
		});
	}
}

it('returns conversations of every source with their messages, as the service returns them', async () => {
	for (const [id, source] of Object.entries({ c1: 'WhatsApp', c2: 'Widget or Iframe' })) {
		testbed.service.store.addConversation('bot', {
			id,
			source,
			title: 'Refund question',
			userId: 'user-1',
			status: 'ended',
			createdAt: '2026-07-01T00:00:00Z',
			messages: [
				{ role: 'user', content: question },
				{ role: 'assistant', content: 'On its way 🚚', feedback: 'positive', score: 0.87 },
			],
		});
	}
	const { items } = await testbed.succeed({ chatbotId });
	expect(testbed.sent).toEqual([[`GET ${path}?limit=20&include=messages`]]);
	const createdAt = 1_782_864_000;
	const record = (id: string, source: string) => ({
		id,
		title: 'Refund question',
		createdAt,
		updatedAt: createdAt,
		userId: 'user-1',
		source,
		status: 'ended',
		messages: [
			{ id: `${id}-1`, role: 'user', parts: [{ type: 'text', text: question }], createdAt },
			{
				id: `${id}-2`,
				role: 'assistant',
				parts: [{ type: 'text', text: 'On its way 🚚' }],
				createdAt,
				feedback: 'positive',
				metadata: { score: 0.87 },
			},
		],
	});
	expect(items).toEqual([
		{ json: record('c2', 'Widget or Iframe'), pairedItem: { item: 0 } },
		{ json: record('c1', 'WhatsApp'), pairedItem: { item: 0 } },
	]);
});

describe('pages', () => {
	it.each([
		['no conversation', 0, 2],
		['a short page', 19, 1],
		['a full page', 20, 1],
		['several pages', 45, 3],
	])('are read to the end: %s', async (_, count, requests) => {
		add(count);
		const { items } = await testbed.succeed({ chatbotId, returnAll: true });
		expect(ids(items)).toEqual(countdown(count));
		expect(testbed.sent).toHaveLength(requests);
	});

	it.each([
		[1, 1, '1'],
		[20, 1, '20'],
		[21, 2, '20'],
		[50, 3, '20'],
	])('are as few as a limit of %d needs', async (limit, requests, size) => {
		add(60);
		const { items } = await testbed.run({ chatbotId, limit });
		expect(ids(items)).toEqual(countdown(60).slice(0, limit));
		expect(queries().map((query) => query.limit)).toEqual(Array(requests).fill(size));
	});

	const positions: Array<[Partial<BehaviourV2>, string?]> = [
		[{ lastPage: 'hasMoreWithoutCursor' }],
		[{ lastPage: 'cursorWithoutMore' }],
		[{ lastPage: 'repeatedCursor' }],
		[{ exportDates: 'oldestFirst' }],
		[{ total: 'absent' }],
		[{ pagesUnderChange: 'rowTwice' }],
		[{ messageFields: 'withoutCreatedAt' }],
		[{ pagesUnderChange: 'rowSkipped' }, 'The conversations could not be read completely'],
		[{ total: 'tooHigh' }, 'The conversations could not be read completely'],
		[{ total: 'tooLow' }, 'The conversations could not be read completely'],
		[{ total: 'absent', lastPage: 'hasMoreWithoutCursor' }, titleOf('unexpectedResponse')],
		[{ total: 'absent', lastPage: 'repeatedCursor' }, titleOf('unexpectedResponse')],
		[{ agentId: 'own', unknownAgent: 'emptyLists' }, titleOf('404')],
		[{ agentId: 'own', unknownAgent: 'notFound' }, titleOf('404')],
		[{ agentId: 'own', unknownAgent: 'forbidden' }, titleOf('AUTH_INSUFFICIENT_PERMISSIONS')],
		[
			{ plan: 'SUBSCRIPTION_API_RESTRICTED_PLAN' },
			'The plan does not include this part of the API',
		],
		[{ plan: 'SUBSCRIPTION_PLAN_REQUIRED' }, 'The plan does not include this part of the API'],
		[{ missingScopes: ['chatlogs:export'] }, titleOf('AUTH_INSUFFICIENT_PERMISSIONS')],
		[{ key: 'expired' }, titleOf('401')],
	];

	it.each(positions.map(([behaviour, failure]) => [behaviour, failure] as const))(
		'are complete, or fail, when the service has %j',
		async (behaviour, failure) => {
			add(45);
			switchTo(behaviour);
			const { items, error } = await testbed.run({ chatbotId, returnAll: true });
			expect(error?.message).toBe(failure);
			expect(ids(items).sort()).toEqual(failure ? [] : countdown(45).sort());
			// A cursor that comes back leads in no circles.
			expect(testbed.sent.length).toBeLessThan(10);
		},
	);

	it('say how many are missing when they never add up', async () => {
		add(45);
		switchTo({ total: 'tooHigh' });
		const { error } = await testbed.run({ chatbotId, returnAll: true });
		expect(error?.description).toContain('read 45 of 46 conversations, in the last of three tries');
		expect(testbed.sent).toHaveLength(9);
	});

	// A clock of the service that is wrong, and times that are finer than those of the service.
	it.each([0, -300, 300])(
		'have all that was there while one begins before each page, with a Date header %d seconds off',
		async (seconds) => {
			const { store, onRequest } = testbed.service;
			store.clock.set(Date.now() + seconds * 1000);
			for (let number = 0; number < 45; number++) {
				const createdAt = new Date(Date.now() - 45 + number).toISOString();
				store.addConversation('bot', { id: `c${number + 1}`, createdAt });
			}
			const stop = onRequest(({ number }) => {
				store.addConversation('bot', { id: `n${number}`, createdAt: new Date().toISOString() });
			});
			const { items } = await testbed.succeed({ chatbotId, returnAll: true });
			stop();
			store.clock.release();
			expect(ids(items)).toEqual(expect.arrayContaining(countdown(45)));
			expect(new Set(ids(items)).size).toBe(items.length);
			// What was added meanwhile may be missing, so that nothing is read twice.
			expect(testbed.sent).toHaveLength(3);
		},
	);

	it('fail when a removal hides that a conversation is missing', async () => {
		add(45);
		switchTo({ pagesUnderChange: 'rowSkipped' });
		const stop = testbed.service.onRequest(({ number }) => {
			if (number === 2) testbed.service.store.chatbot('bot').conversations.pop();
		});
		const { error, items } = await testbed.run({ chatbotId, returnAll: true });
		stop();
		expect(error?.message).toBe('The conversations could not be read completely');
		expect(items).toEqual([]);
	});

	it('keep an End Date that is earlier when they are read again', async () => {
		add(45);
		const endDate = '2026-07-01T12:00:00.000Z';
		const stop = testbed.service.onRequest(({ number }) => {
			if (number === 2) testbed.service.store.chatbot('bot').conversations.pop();
		});
		const { items } = await testbed.run({ chatbotId, returnAll: true, filters: { endDate } });
		stop();
		expect(ids(items)).toEqual(countdown(44));
		expect(queries().map((query) => query.endDate)).toEqual(Array(6).fill(endDate));
	});

	it('go on through pages that are empty', async () => {
		add(3);
		const pagination = { cursor: 'next', hasMore: true, total: 3 };
		const fault = { kind: 'otherShape', body: { data: [], pagination } } as const;
		testbed.service.faults.add({ when: { nth: 1 }, fault });
		const rest = { cursor: null, hasMore: false, total: 1 };
		const body = { data: [{ id: 'c1', messages: [] }], pagination: rest };
		testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'otherShape', body } });
		const { items } = await testbed.run({ chatbotId, limit: 1 });
		expect(ids(items)).toEqual(['c1']);
		expect(queries()[1].cursor).toBe('next');
	});

	it.each([
		['no list', { pagination: { cursor: null, hasMore: false } }],
		['no pagination', { data: [] }],
		['no word about more', { data: [{ id: 'c1', messages: [] }], pagination: { cursor: null } }],
		['a list in a list', { data: { data: [] }, pagination: { cursor: null, hasMore: false } }],
	])('fail when a response has %s', async (_, body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { error, items } = await testbed.run({ chatbotId });
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
		expect(items).toEqual([]);
	});
});

it('names the operation of version 1 when version 2 does not know the chatbot', async () => {
	add(1);
	switchTo({ agentId: 'own', unknownAgent: 'emptyLists' });
	const { error } = await testbed.run({ chatbotId });
	expect(error).toMatchObject({ message: titleOf('404'), httpCode: '404' });
	expect(error?.description).toContain('may not know a chatbot that version 1 knows');
	expect(error?.description).toContain('Conversation: Get Many uses version 1.');
	expect(testbed.sent.at(-1)).toEqual(['GET /api/v2/agents/bot']);
});

it('looks an empty chatbot up once, for all items', async () => {
	const { items } = await testbed.succeed({ chatbotId }, { input: [{}, {}, {}] });
	expect(items).toEqual([]);
	expect(testbed.sent.filter(([address]) => address === 'GET /api/v2/agents/bot')).toHaveLength(1);
});

it('fails when a conversation comes without the messages that were asked for', async () => {
	const pagination = { cursor: null, hasMore: false, total: 1 };
	const body = { data: [{ id: 'c1' }], pagination };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { error, items } = await testbed.run({ chatbotId, options: { transcript: true } });
	expect(error?.message).toBe('A conversation came without its messages');
	expect(items).toEqual([]);
});

describe('filters', () => {
	it.each([
		[{ startDate: '2026-07-01' }, { startDate: '2026-06-30T15:00:00.000Z' }],
		[{ endDate: '2026-07-31' }, { endDate: '2026-07-31T14:59:59.999Z' }],
		[
			{ startDate: '2026-07-01T00:00:00', endDate: '2026-07-31T00:00:00' },
			{ startDate: '2026-06-30T15:00:00.000Z', endDate: '2026-07-30T15:00:00.000Z' },
		],
		[
			{ startDate: '2026-07-01', endDate: '2026-07-01' },
			{ startDate: '2026-06-30T15:00:00.000Z', endDate: '2026-07-01T14:59:59.999Z' },
		],
		[
			{ endDate: '={{ DateTime.fromISO("2026-07-04T20:00:00Z") }}' },
			{ endDate: '2026-07-04T20:00:00.000Z' },
		],
		[{ source: ['WhatsApp', 'Widget or Iframe'] }, { source: 'WhatsApp,Widget or Iframe' }],
		[{ source: '={{ "Email, API" }}' }, { source: 'Email,API' }],
	])('%j become %j', async (filters, query) => {
		add(1);
		await testbed.succeed({ chatbotId, filters }, { timezone: 'Asia/Tokyo' });
		expect(queries()[0]).toEqual({ limit: '20', include: 'messages', ...query });
	});

	it.each([
		[{ startDate: '2026-07-02', endDate: '2026-07-01' }, 'Start Date is after End Date'],
		[
			{ startDate: '2026-07-02T12:00:00', endDate: '2026-07-02T11:59:59' },
			'Start Date is after End Date',
		],
		[{ startDate: 'yesterday' }, 'Start Date is not a date'],
		[{ endDate: '' }, 'The filter End Date is empty'],
		[{ source: [] }, 'The filter Channels is empty'],
		[{ source: '={{ " , " }}' }, 'Channels is not a list of texts'],
	])('%j are refused before any request', async (filters, message) => {
		const refusal = await testbed.refusal({ chatbotId, filters });
		expect(refusal).toBe(message);
	});
});

describe('messages and transcript', () => {
	const transcript = `[2026-07-01 09:01:00] User: ${question} 1`;

	beforeEach(() => add(1));

	it.each<[INodeParameters, string, string[]]>([
		[{}, 'messages', ['messages']],
		[{ transcript: true }, 'messages', ['messages', 'transcript']],
		[{ messages: false }, 'summary', []],
		[{ messages: false, transcript: true }, 'messages', ['transcript']],
		[{ messages: '={{ "no" }}', transcript: '={{ "yes" }}' }, 'messages', ['transcript']],
	])('are returned as %j asks', async (options, include, fields) => {
		const { items } = await testbed.run({ chatbotId, options }, { timezone: 'Asia/Tokyo' });
		expect(queries()[0].include).toBe(include);
		const added = Object.keys(items[0].json).filter((name) =>
			['messages', 'transcript'].includes(name),
		);
		expect(added).toEqual(fields);
		if (fields.includes('transcript')) expect(items[0].json.transcript).toBe(transcript);
	});

	it.each([
		['systemRole', `System: Be polite.\nUser: ${question} 1`],
		['unknownPart', `User: ${question} 1`],
	] as const)('keep messages of other kinds: %s', async (messageFields, words) => {
		switchTo({ messageFields });
		const { items } = await testbed.run({ chatbotId, options: { transcript: true } });
		expect(String(items[0].json.transcript).replace(/\[[^\]]+\] /g, '')).toBe(words);
	});
});

it('gives an agent the transcript in the place of the messages, and says where the list ends', async () => {
	add(3);
	const { records } = await testbed.callTool({ chatbotId, limit: 2 }, {});
	const head = { title: null, userId: null, source: 'API', status: 'ongoing' };
	expect(records).toEqual([
		{ ...head, id: 'c3', ...anyTimes, transcript: expect.stringContaining(question) as string },
		{ ...head, id: 'c2', ...anyTimes, transcript: expect.stringContaining(question) as string },
		{ message: 'The list may have more records, because Limit is 2.' },
	]);
});

const anyTimes = {
	createdAt: expect.any(Number) as number,
	updatedAt: expect.any(Number) as number,
};

it('says which permission is missing when the list is empty and the chatbot cannot be read', async () => {
	switchTo({ missingScopes: ['agents:read'] });
	const { error } = await testbed.run({ chatbotId, returnAll: true });
	expect(error?.message).toBe(titleOf('AUTH_INSUFFICIENT_PERMISSIONS'));
});
