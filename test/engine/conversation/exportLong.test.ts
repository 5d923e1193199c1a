import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { propertyRuns } from '../../propertyRuns';
import type { BehaviourV2 } from '../../../service';
import { byId, succeeded, useTestbed } from '../testbed';

/** Export of more conversations than a few pages hold: parts of the list are read at the same time. */
const testbed = useTestbed({
	resource: 'conversation',
	operation: 'export',
	chatbotId: byId('bot'),
	returnAll: true,
});

const day = 86_400_000;
const chatbotCreated = Date.UTC(2026, 0, 1);
const end = chatbotCreated + 200 * day;
const now = end + 10_000;

beforeAll(async () => {
	testbed.service.store.clock.set(now);
});

beforeEach(reset);

function reset() {
	testbed.reset();
	testbed.service.store.chatbot('bot').createdAt = iso(chatbotCreated);
}

const iso = (time: number) => new Date(time).toISOString();
const queries = () => testbed.service.requests.map(({ query }) => query);
const conversations = () => testbed.service.store.chatbot('bot').conversations;
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);

/** Times from `from` on, at equal distances until just before `to`. */
const spread = (count: number, from = chatbotCreated, to = end) =>
	Array.from({ length: count }, (_, index) => from + Math.round((index * (to - from)) / count));

/** Adds conversations, and returns their IDs, the newest first and as a service lists those of the same time. */
function add(times: number[], source?: string): string[] {
	const added = times.map((time, index) => ({ time, id: `c${conversations().length + index}` }));
	for (const { time, id } of added) {
		const messages = [{ role: 'user', content: id }];
		const createdAt = iso(time);
		testbed.service.store.addConversation('bot', {
			id,
			createdAt,
			messages,
			...(source && { source }),
		});
	}
	return added.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
}

/** With this filter, the bounds of parts are known: the node alone would end at its first request. */
const untilEnd = { filters: { endDate: iso(end) } };

async function run(parameters: INodeParameters = {}) {
	const { items, error } = await testbed.run(parameters);
	const ids = items.map(({ json }) => json.id as string);
	expect(items.every(({ json }) => Array.isArray(json.messages))).toBe(true);
	expect(testbed.illegal).toEqual([]);
	expect(testbed.service.maxInFlight).toBeLessThanOrEqual(5);
	return { ids, error };
}

/** The most pages that were read one after the other, since each needs the cursor of the one before. */
function longestChain(): number {
	const chains = new Map<string, number>();
	for (const { startDate, endDate } of queries()) {
		const range = `${String(startDate)} ${String(endDate)}`;
		chains.set(range, (chains.get(range) ?? 0) + 1);
	}
	return Math.max(...chains.values());
}

it('ends after the first page when the list is longer than one input item may have', async () => {
	add(spread(20));
	const data = conversations().map(({ id, messages }) => ({ id, messages, createdAt: 1 }));
	const pagination = { hasMore: true, cursor: 'next', total: 100_001 };
	testbed.service.faults.add({
		when: { nth: 1 },
		fault: { kind: 'otherShape', body: { data, pagination } },
	});
	expect(await run()).toMatchObject({
		ids: [],
		error: { message: 'The list is too long for one input item' },
	});
	expect(queries()).toHaveLength(1);
});

describe('are complete, each once, the newest first, in few requests', () => {
	const minute = chatbotCreated + 77.7 * day;

	// 1,000 conversations have 50 pages, and 400 have 20. Of the first ones, some lie on the bounds of parts.
	it.each<[string, number[], number, number]>([
		['evenly spread', spread(1000), 65, 6],
		[
			'in the same minute, most of them',
			[...spread(100), ...spread(900, minute, minute + 60_000)],
			78,
			50,
		],
		[
			'on the bounds of parts',
			[...spread(5, chatbotCreated, end - 1).flatMap((time) => Array<number>(80).fill(time)), end],
			50,
			11,
		],
		['in the last twenty days', spread(400, end - 20 * day), 33, 13],
		['in the same second', spread(400, minute, minute + 1000), 32, 20],
		[
			'older than the chatbot',
			[...spread(100, chatbotCreated - 90 * day, chatbotCreated), ...spread(300)],
			28,
			10,
		],
	])('when they are %s', async (_, times, requests, chain) => {
		const wanted = add(times);
		const { ids } = succeeded(await run(untilEnd));
		expect(ids).toEqual(wanted);
		expect(testbed.sent.length).toBeLessThanOrEqual(requests);
		expect(longestChain()).toBeLessThanOrEqual(chain);
	});
});

it.each([
	[200, 10],
	[201, 14],
])('is cut only if it has more than 200 conversations: %d', async (count, requests) => {
	const wanted = add(spread(count));
	const { ids } = await run();
	expect(ids).toEqual(wanted);
	expect(testbed.sent).toHaveLength(requests);
});

it('is read with five requests at the same time', async () => {
	add(spread(501));
	testbed.service.delayMs = 20;
	await run();
	testbed.service.delayMs = 0;
	expect(testbed.service.maxInFlight).toBe(5);
});

it('sends no more requests for a limit than it needs, and cuts no list that is longer', async () => {
	const wanted = add(spread(301));
	const { ids } = await run({ returnAll: false, limit: 300 });
	expect(ids).toEqual(wanted.slice(0, 300));
	expect(testbed.sent).toHaveLength(15);
	expect(queries().every(({ startDate, endDate }) => !startDate && !endDate)).toBe(true);
});

it('is cut for a limit that is not below the total', async () => {
	const wanted = add(spread(301));
	const { ids } = await run({ returnAll: false, limit: 301 });
	expect(ids).toEqual(wanted);
	expect(longestChain()).toBeLessThan(8);
});

describe('is complete, or fails, if the service has', () => {
	const incomplete = 'The conversations could not be read completely';

	// 400 conversations have 20 pages. Every hundredth lies on the bound of two parts.
	it.each<[Partial<BehaviourV2>, string | undefined, number]>([
		[{ exportDates: 'oldestFirst' }, undefined, 27],
		[{ lastPage: 'hasMoreWithoutCursor' }, undefined, 27],
		[{ lastPage: 'cursorWithoutMore' }, undefined, 27],
		[{ lastPage: 'repeatedCursor' }, undefined, 31],
		[{ pagesUnderChange: 'rowTwice' }, undefined, 31],
		[{ total: 'absent' }, undefined, 20],
		[{ missingScopes: ['agents:read'] }, undefined, 21],
		[{ exportDates: 'withoutBounds' }, undefined, 45],
		[{ exportDates: 'wholeDays' }, undefined, 45],
		[{ exportDates: 'startOnFirstPage' }, undefined, 35],
		[{ exportDates: 'ignored' }, undefined, 45],
		[{ total: 'tooLow' }, incomplete, 180],
		[{ pagesUnderChange: 'rowSkipped' }, incomplete, 180],
	])('%j', async (behaviour, failure, requests) => {
		const wanted = add(spread(400));
		switchTo(behaviour);
		const { ids, error } = await run(untilEnd);
		expect(error?.message).toBe(failure);
		expect(ids).toEqual(failure ? [] : wanted);
		expect(testbed.sent.length).toBeLessThanOrEqual(requests);
	});

	it('names the numbers of the whole list if it is not complete', async () => {
		add(spread(400));
		switchTo({ total: 'tooHigh' });
		const { error } = await run(untilEnd);
		expect(error?.description).toContain('read 400 of 401 conversations, in the last of three');
	});
});

it.each([
	['no time of its creation', { createdAt: null }],
	['a time of its creation that is no time', { createdAt: 'long ago' }],
	['a time of its creation that is to come', { createdAt: iso(now + day) }],
])('is read page by page if the chatbot has %s', async (_, fields) => {
	const wanted = add(spread(301));
	const body = { id: 'bot', ...fields };
	testbed.service.faults.add({
		when: { path: '/agents/bot' },
		fault: { kind: 'otherShape', body },
	});
	const { ids } = succeeded(await run());
	expect(ids).toEqual(wanted);
	expect(queries().every(({ startDate }) => !startDate)).toBe(true);
});

it('stops all parts when the service ignores Start Date after the first page', async () => {
	const wanted = add(spread(1500));
	switchTo({ exportDates: 'startOnFirstPage' });
	const { ids } = await run();
	expect(ids).toEqual(wanted);
	// 75 pages, the chatbot, and a few pages of parts.
	expect(testbed.sent.length).toBeLessThanOrEqual(95);
});

it('stops all parts when more was read than the list has', async () => {
	const wanted = add(spread(1500));
	conversations()
		.slice(0, 1200)
		.forEach((one) => Object.assign(one, { createdAt: 'unknown' }));
	switchTo({ exportDates: 'timelessInEach' });
	const { ids } = await run();
	expect([...ids].sort()).toEqual([...wanted].sort());
	// 75 pages page by page, at most as many in parts, and those by which parts are cut.
	expect(testbed.sent.length).toBeLessThanOrEqual(200);
});

it('keeps a conversation without a time', async () => {
	const wanted = add(spread(301));
	Object.assign(conversations()[150], { createdAt: 'unknown' });
	const stop = testbed.service.onRequest(({ number }) => {
		// This one belongs to the last part, so that as many are found as the list had at first.
		if (number === 2) add([now - 5000]);
	});
	const { ids } = succeeded(await run());
	stop();
	expect(ids).toEqual(expect.arrayContaining(wanted));
});

describe('waits for no rate limit that reading page by page would keep', () => {
	// What the service allows, the most requests, and how many of them are sent one after the other.
	it.each([
		['page by page: parts would not fit', 2000, 100, 100, 100],
		['page by page: parts may not fit', 1000, 77, 50, 50],
		['in parts: they fit', 1000, 78, 65, 6],
		['in parts: the list is short', 300, 100, 25, 6],
	])('%s', async (_, count, allowed, requests, chain) => {
		const wanted = add(spread(count));
		switchTo({ rateLimit: { requests: allowed, windowMs: 10_000, retryAfter: 'seconds' } });
		const { ids } = succeeded(await run());
		expect(ids).toEqual(wanted);
		expect(testbed.service.requests.map(({ status }) => status)).not.toContain(429);
		expect(testbed.sent.length).toBeLessThanOrEqual(requests);
		expect(longestChain()).toBeLessThanOrEqual(chain);
	});

	it('in parts: the service does not say what it allows', async () => {
		const wanted = add(spread(1000));
		const { origin, apiKey, faults } = testbed.service;
		const url = `${origin}/api/v2/agents/bot/conversations/export?limit=20&include=messages`;
		const page = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
		// The same first page, without headers.
		faults.add({ when: { nth: 1 }, fault: { kind: 'otherShape', body: await page.json() } });
		testbed.service.clearRequests();
		expect((await run()).ids).toEqual(wanted);
		expect(longestChain()).toBeLessThanOrEqual(6);
	});
});

it('is read page by page if the service accepts no times', async () => {
	const wanted = add(spread(301));
	switchTo({ exportDates: 'refused' });
	const { ids } = await run();
	expect(ids).toEqual(wanted);
});

it('is read page by page if a part fails', async () => {
	const wanted = add(spread(301));
	const fault = { kind: 'status', status: 403 } as const;
	const matches = ({ query }: { query: object }) => 'startDate' in query;
	testbed.service.faults.add({ when: { matches, nth: 2 }, fault });
	const { ids } = succeeded(await run());
	expect(ids).toEqual(wanted);
});

describe('while the chatbot is in use', () => {
	it('has no conversation that was deleted before it was read', async () => {
		const wanted = add(spread(301));
		const stop = testbed.service.onRequest(({ number }) => {
			if (number === 6) conversations().shift();
		});
		const { ids } = await run();
		stop();
		expect(ids).toEqual(wanted.slice(0, -1));
	});

	it('has all conversations that began before, and is read once', async () => {
		const wanted = add(spread(301));
		const stop = testbed.service.onRequest(({ number }) => {
			if (number > 1) add([now + number * 1000]);
		});
		const { ids } = succeeded(await run());
		stop();
		expect(ids).toEqual(wanted);
		expect(testbed.sent.length).toBeLessThanOrEqual(23);
	});

	it('has those that began in the second in which it was read', async () => {
		const wanted = add([...spread(301), now - 100]);
		const { ids } = await run();
		expect(ids).toEqual(wanted);
		expect(testbed.sent.length).toBeLessThanOrEqual(26);
	});
});

describe('with filters', () => {
	const startDate = iso(chatbotCreated + 50 * day);
	const endDate = iso(chatbotCreated + 150 * day);
	const between = ({ query }: { query: Record<string, unknown> }) =>
		String(query.startDate) >= startDate && String(query.endDate) <= endDate;

	it('stays between Start Date and End Date', async () => {
		const wanted = add(spread(800));
		const { ids } = await run({ filters: { startDate, endDate } });
		// Both bounds belong to the range.
		expect(ids).toEqual(wanted.slice(199, 600));
		expect(testbed.service.requests.every(between)).toBe(true);
		expect(longestChain()).toBeLessThan(8);
	});

	it('has all from Start Date on, or all up to End Date', async () => {
		const wanted = add(spread(400));
		expect((await run({ filters: { startDate } })).ids).toEqual(wanted.slice(0, 300));
		expect((await run({ filters: { endDate } })).ids).toEqual(wanted.slice(99));
	});

	it('has only the sources', async () => {
		add(spread(100), 'Email');
		const wanted = add(spread(400), 'WhatsApp');
		const { ids } = await run({ filters: { source: ['WhatsApp'] } });
		expect(ids).toEqual(wanted);
		const listed = queries().filter(({ limit }) => limit !== undefined);
		expect(listed.every(({ source }) => source === 'WhatsApp')).toBe(true);
		expect(longestChain()).toBeLessThan(8);
	});
});

it('is complete whenever the conversations began', async () => {
	const time = fc.integer({ min: -20 * day, max: 200 * day });
	const burst = fc.record({
		start: time,
		length: fc.constantFrom(0, 900, 60_000, day, 100 * day),
		count: fc.integer({ min: 50, max: 180 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 4 }), async (bursts) => {
			reset();
			const times = bursts.flatMap(({ start, length, count }) => {
				const from = chatbotCreated + start;
				return spread(count, from, Math.min(now, from + length));
			});
			const wanted = add(times);
			const { ids } = succeeded(await run());
			// Those of one moment may come in any order.
			expect(ids.sort()).toEqual(wanted.sort());
			// The node compares this with what the rate limit leaves. Pages that are read again don't belong to it.
			const again = queries().filter(({ cursor, endDate }) => cursor && !endDate).length;
			expect(testbed.sent.length - again).toBeLessThanOrEqual(0.075 * wanted.length + 3);
		}),
		propertyRuns(16),
	);
});
