/** Lists of version 2 by cursor: conversations to export and to find. */
import { contractV2, type Conversation } from '../../../service';
import { agent, errorOf, start } from './client';

let v2: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
	v2 = await start();
	v2.service.clock.set('2026-07-20T12:00:00Z');
});
beforeEach(() => v2.reset());
afterAll(async () => await v2.service.close());

const exported = `${agent}/conversations/export`;
const search = `${agent}/conversations/search`;
const get = async (path: string) => await v2.ask('GET', path);
const identifiers = (rows: Array<{ id: string }>) => rows.map(({ id }) => id);

/** Conversations c1, c2 and so on, a day apart, the last one today. */
function add(count: number, fields: (number: number) => Partial<Conversation> = () => ({})) {
	for (let number = 1; number <= count; number++) {
		const createdAt = new Date(v2.service.clock.now() - (count - number) * 86_400_000);
		v2.store.addConversation('bot', {
			id: `c${number}`,
			createdAt: createdAt.toISOString(),
			...fields(number),
		});
	}
}

describe('pages', () => {
	it('follow each other to the last row, while rows come and go', async () => {
		add(5);
		const first = await get(`${exported}?limit=2`);
		expect(contractV2.listReply(contractV2.exportConversation).parse(first.body)).toBeTruthy();
		add(1, () => ({ id: 'new' }));
		const { cursor, total } = first.body.pagination;
		expect(total).toBe(5);
		const second = await get(`${exported}?limit=4&cursor=${encodeURIComponent(cursor)}`);
		expect(identifiers(second.body.data)).toEqual(['c3', 'c2', 'c1']);
		expect(second.body.pagination).toEqual({ cursor: null, hasMore: false, total: 6 });
	});

	it.each([
		['hasMoreWithoutCursor', null, true],
		['cursorWithoutMore', expect.any(String), false],
		['repeatedCursor', expect.any(String), true],
	] as const)('can end as %s', async (lastPage, cursor, hasMore) => {
		add(3);
		v2.set({ lastPage });
		const first = (await get(`${exported}?limit=2`)).body.pagination;
		const path = `${exported}?limit=2&cursor=${encodeURIComponent(first.cursor)}`;
		const { pagination } = (await get(path)).body;
		expect(pagination).toEqual({ cursor, hasMore, total: 3 });
		if (lastPage === 'repeatedCursor') expect(pagination.cursor).toBe(first.cursor);
	});

	it.each([
		['tooHigh', 4],
		['tooLow', 2],
		['absent', undefined],
	] as const)('can state a total that is %s', async (total, stated) => {
		add(3);
		v2.set({ total });
		expect((await get(exported)).body.pagination.total).toBe(stated);
	});

	it.each([
		['rowTwice', ['c5', 'c4', 'c4', 'c3', 'c2', 'c1']],
		['rowSkipped', ['c5', 'c4', 'c2', 'c1']],
	] as const)('can move: %s', async (pagesUnderChange, rows) => {
		add(5);
		v2.set({ pagesUnderChange });
		expect(identifiers(await v2.all(`${exported}?limit=2`))).toEqual(rows);
	});

	it('refuse a limit above the maximum, or cut it', async () => {
		add(25);
		expect(errorOf(await get(`${exported}?limit=21`))).toEqual([400, 'VALIDATION_INVALID_BODY']);
		v2.set({ limitAboveMaximum: 'clamp' });
		expect((await get(`${exported}?limit=21`)).body.data).toHaveLength(20);
	});

	it('refuse a cursor that is none', async () => {
		expect((await get(`${exported}?cursor=none`)).status).toBe(400);
	});
});

describe('an export', () => {
	it.each(['startDate=2026-7-1', 'endDate=2026-07-01T00:00:00', 'include=all', 'source=Widget'])(
		'refuses %s',
		async (query) => {
			expect(errorOf(await get(`${exported}?${query}`))).toEqual([400, 'VALIDATION_INVALID_BODY']);
		},
	);

	it('takes moments, and days in UTC with the whole last one', async () => {
		add(3);
		const of = async (query: string) => identifiers((await get(`${exported}?${query}`)).body.data);
		expect(await of('endDate=2026-07-19')).toEqual(['c2', 'c1']);
		expect(await of('endDate=2026-07-19T11:59:59Z')).toEqual(['c1']);
		expect(await of('startDate=2026-07-19T14:00:00%2B02:00')).toEqual(['c3', 'c2']);
		expect(errorOf(await get(`${exported}?startDate=2026-07-02&endDate=2026-07-01`))).toEqual([
			400,
			'VALIDATION_INVALID_DATE_RANGE',
		]);
	});

	it('can be narrowed to sources and left without messages', async () => {
		add(3, (number) => ({ source: ['API', 'WhatsApp', 'Email'][number - 1] }));
		const { data } = (await get(`${exported}?source=API,Email&include=summary`)).body;
		expect(identifiers(data)).toEqual(['c3', 'c1']);
		expect(data[0]).not.toHaveProperty('messages');
	});

	it('knows one conversation by its ID', async () => {
		add(2);
		expect(identifiers((await get(`${exported}?conversationId=c1`)).body.data)).toEqual(['c1']);
		expect((await get(`${exported}?conversationId=x`)).body.data).toEqual([]);
		v2.set({ exportUnknownConversation: 'filterIgnored' });
		expect((await get(`${exported}?conversationId=x`)).body.data).toHaveLength(2);
		v2.set({ exportUnknownConversation: 'notFound' });
		expect((await get(`${exported}?conversationId=x`)).status).toBe(404);
	});

	it('can have the oldest first', async () => {
		add(2);
		v2.set({ exportOrder: 'oldestFirst' });
		expect(identifiers((await get(exported)).body.data)).toEqual(['c1', 'c2']);
	});

	const createdAt = '2026-07-01T00:00:00.000Z';
	const messages = [
		{ role: 'user', content: 'Hi' },
		{ role: 'assistant', content: 'Hello', feedback: 'positive' as const, score: 0.5 },
	];
	const whole = {
		id: 'c1-2',
		role: 'assistant',
		parts: [{ type: 'text', text: 'Hello' }],
		createdAt: 1782864000,
		feedback: 'positive',
		metadata: { score: 0.5 },
	};

	it.each([
		['all', whole],
		['withoutCreatedAt', { ...whole, createdAt: undefined }],
		['withoutFeedback', { ...whole, feedback: undefined }],
		['withoutMetadata', { ...whole, metadata: undefined }],
		[
			'unknownPart',
			{ ...whole, parts: [...whole.parts, expect.objectContaining({ type: 'image' })] },
		],
		['emptyParts', { ...whole, parts: [] }],
		['systemRole', whole],
	] as const)('has messages with %s', async (messageFields, last) => {
		add(1, () => ({ createdAt, messages }));
		v2.set({ messageFields });
		const [conversation] = (await get(exported)).body.data;
		expect(conversation.messages.at(-1)).toEqual(last);
		expect(conversation.messages[0].role).toBe(messageFields === 'systemRole' ? 'system' : 'user');
	});

	it.each([
		['known', { source: 'API', status: 'ongoing', createdAt: 1782864000 }],
		['unknownSource', { source: 'Telegram' }],
		['unknownStatus', { status: 'archived' }],
		['nullSource', { source: null }],
		['milliseconds', { createdAt: 1782864000000 }],
	] as const)('has values that are %s', async (conversationValues, values) => {
		add(1, () => ({ createdAt }));
		v2.set({ conversationValues });
		expect((await get(exported)).body.data[0]).toMatchObject(values);
	});
});

describe('a search', () => {
	it('finds every word, the best first, and shows where', async () => {
		const say = (content: string) => ({ messages: [{ role: 'user', content }] });
		const texts = ['A refund? A refund!', 'Nothing', 'My refund'];
		add(3, (number) => say(texts[number - 1]));
		const { data, pagination } = (await get(`${search}?query=refund`)).body;
		expect(contractV2.foundConversation.array().parse(data)).toHaveLength(2);
		expect(identifiers(data)).toEqual(['c1', 'c3']);
		expect(data[1].snippet).toEqual({
			speaker: 'user',
			highlights: [
				{ value: 'My ', isHit: false },
				{ value: 'refund', isHit: true },
			],
		});
		expect(pagination).toEqual({ cursor: null, hasMore: false });
		expect(identifiers((await get(`${search}?query=refund+my`)).body.data)).toEqual(['c3']);
		expect(identifiers((await get(search)).body.data)).toEqual(['c3', 'c2', 'c1']);
	});

	it.each([
		['activityState=ended,paused', ['c1']],
		['userId=u', ['c1']],
		['sentiment=unspecified', ['c2']],
		['sentiment=positive', ['c1']],
		['topic=billing', ['c1']],
		['feedback=negative', ['c1']],
		['escalated=true', ['c1']],
		['hasVoice=false', ['c2']],
		['actionType=collect-leads', ['c1']],
		['tool=lookup', ['c1']],
		['tool=lookup&toolOutcome=error', []],
		['procedureOutcome=completed', ['c1']],
		['updatedBefore=2026-07-19', ['c1']],
		['startDate=2026-07-20', ['c2']],
	])('by %s', async (query, found) => {
		add(2, (number) =>
			number === 2
				? {}
				: {
						status: 'ended',
						userId: 'u',
						messages: [{ role: 'assistant', content: 'No', feedback: 'negative' }],
						facets: {
							sentiment: 'positive',
							topics: ['billing'],
							escalated: true,
							hasVoice: true,
							actionTypes: ['collect-leads'],
							tools: [
								{ name: 'lookup', outcome: 'success' },
								{ name: 'other', outcome: 'error' },
							],
							procedures: [{ name: 'Return', outcome: 'completed' }],
						},
					},
		);
		expect(identifiers((await get(`${search}?${query}`)).body.data)).toEqual(found);
	});

	it.each(['escalated=false', 'limit=26', 'activityState=open', 'feedback=good'])(
		'refuses %s',
		async (query) => {
			expect((await get(`${search}?${query}`)).status).toBe(400);
		},
	);

	it('can do without text search', async () => {
		v2.set({ searchText: 'unavailable' });
		expect(errorOf(await get(`${search}?query=a`))).toEqual([
			403,
			'CONVERSATION_SEARCH_UNAVAILABLE',
		]);
		expect((await get(`${search}?source=API`)).status).toBe(200);
	});

	it('binds its cursor to everything but the limit, or does not', async () => {
		add(3);
		const { cursor } = (await get(`${search}?limit=1&source=API`)).body.pagination;
		const next = `cursor=${encodeURIComponent(cursor)}`;
		expect((await get(`${search}?limit=2&source=API&${next}`)).body.data).toHaveLength(2);
		expect(errorOf(await get(`${search}?limit=1&${next}`))[1]).toBe(
			'VALIDATION_CURSOR_QUERY_MISMATCH',
		);
		v2.set({ searchCursor: 'free' });
		const free = (await get(`${search}?limit=1`)).body.pagination.cursor;
		const path = `${search}?source=API&cursor=${encodeURIComponent(free)}`;
		expect((await get(path)).status).toBe(200);
	});

	it.each([
		['short', 2],
		['empty', 4],
	] as const)('has pages that are %s', async (searchPages, length) => {
		add(9);
		v2.set({ searchPages });
		expect((await get(`${search}?limit=4`)).body.data).toHaveLength(length);
		expect(identifiers(await v2.all(`${search}?limit=4`))).toHaveLength(9);
	});

	it('can have every second page empty', async () => {
		add(2);
		v2.set({ searchPages: 'empty' });
		const { cursor } = (await get(`${search}?limit=1`)).body.pagination;
		const { data, pagination } = (
			await get(`${search}?limit=1&cursor=${encodeURIComponent(cursor)}`)
		).body;
		expect([data, pagination.hasMore]).toEqual([[], true]);
	});

	it('reaches back for twelve months, unless told otherwise', async () => {
		add(1);
		add(1, () => ({ id: 'old', createdAt: '2025-06-30T00:00:00Z' }));
		expect(identifiers((await get(search)).body.data)).toEqual(['c1']);
		expect((await get(`${search}?startDate=2025-06-30`)).status).toBe(400);
		v2.set({ searchWindow: 'unlimited' });
		expect(identifiers((await get(`${search}?startDate=2025-06-30`)).body.data)).toEqual([
			'c1',
			'old',
		]);
	});

	it('shows a conversation as it was when the index lags', async () => {
		add(2);
		v2.set({ searchLagSeconds: 60 });
		expect(identifiers((await get(search)).body.data)).toEqual(['c1']);
		const [first] = v2.store.chatbot('bot').conversations;
		const { updatedAt } = (await get(search)).body.data[0];
		Object.assign(first, { lastMessageAt: v2.service.clock.iso(), status: 'ended' });
		expect((await get(search)).body.data).toMatchObject([{ updatedAt, status: 'ongoing' }]);
		v2.set({ searchLagSeconds: 0 });
		expect((await get(`${search}?activityState=ended`)).body.data).toHaveLength(1);
	});

	it('can leave its extra fields out', async () => {
		add(1);
		expect((await get(search)).body.data[0]).toHaveProperty('parentSummary');
		v2.set({ searchExtras: 'absent' });
		expect((await get(search)).body.data[0]).not.toHaveProperty('parentSummary');
	});
});

describe('pausing', () => {
	const pause = async (body: object, id = 'c1') =>
		await v2.ask('PATCH', `${agent}/conversations/${id}`, body);

	it('pauses and resumes, however often', async () => {
		add(1);
		for (const paused of [true, true, false, false]) {
			const { body } = await pause({ paused });
			expect(contractV2.stateReply.parse(body).data).toEqual({
				id: 'c1',
				status: paused ? 'paused' : 'ongoing',
			});
		}
	});

	it.each([
		['paused', 200, 400],
		['status', 400, 200],
		['both', 200, 200],
	] as const)('takes the form %s', async (pauseForm, paused, status) => {
		add(1);
		v2.set({ pauseForm });
		expect((await pause({ paused: true })).status).toBe(paused);
		expect((await pause({ status: 'paused' })).status).toBe(status);
	});

	it.each([400, 409, 422] as const)('refuses what is over: %d', async (pauseTarget) => {
		add(1, () => ({ status: 'ended' }));
		v2.set({ pauseTarget });
		expect((await pause({ paused: true })).status).toBe(pauseTarget);
	});

	it.each(['RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const)(
		'of nothing: %s',
		async (pauseUnknownConversation) => {
			v2.set({ pauseUnknownConversation });
			expect(errorOf(await pause({ paused: true }))).toEqual([404, pauseUnknownConversation]);
		},
	);
});
