/** Faults: each kind as a client sees it, whether the request was handled, and which requests it strikes. */
import type { Fault, FaultCondition } from '../../service';
import { ask, received, useService } from './client';

const service = useService();

const contacts = '/chatbots/bot/contacts';
const create = async (externalId = 'new', signal?: AbortSignal) =>
	await ask(service, `POST ${contacts}`, { users: [{ external_id: externalId }] }, { signal });
const exists = () => service.store.contact('bot', 'new') !== undefined;
const plan = (fault: Fault, when?: FaultCondition) => service.faults.add({ when, fault });

const responses: Array<[Fault, number, string, Record<string, string>]> = [
	[{ kind: 'status', status: 503 }, 503, '{"message":"Simulated status 503"}', {}],
	[{ kind: 'status', status: 400, body: { message: 'No' } }, 400, '{"message":"No"}', {}],
	[
		{ kind: 'status', status: 502, body: '<html></html>', headers: { 'Retry-After': '7' } },
		502,
		'<html></html>',
		{ 'content-type': 'text/html; charset=utf-8', 'retry-after': '7' },
	],
	[{ kind: 'otherShape', body: [1] }, 200, '[1]', {}],
	[{ kind: 'empty' }, 200, '', {}],
	[{ kind: 'redirect', location: 'http://x.example/' }, 302, '', { location: 'http://x.example/' }],
];

describe.each([false, true])('handled: %s', (handled) => {
	it.each(responses)('%j', async (fault, status, text, headers) => {
		plan({ ...fault, handled } as Fault);
		const answer = await create();
		expect(answer).toMatchObject({ status, text });
		expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
		expect([exists(), service.requests[0].status]).toEqual([handled, status]);
	});

	it('a stall ends when the client leaves', async () => {
		plan({ kind: 'stall', handled }, { times: 1 });
		const controller = new AbortController();
		const arrived = new Promise<void>((resolve) => void service.onRequest(() => resolve()));
		const stalled = create('new', controller.signal);
		await arrived;
		// After a second request, the first one has been handled.
		await ask(service, `GET ${contacts}`);
		expect(service.inFlight).toBe(1);
		controller.abort();
		await expect(stalled).rejects.toThrow();
		expect([exists(), service.requests[0].status]).toEqual([handled, undefined]);
	});
});

it.each([
	['resetBefore', false, undefined],
	['resetAfter', true, undefined],
	['resetMidBody', true, 200],
] as const)('%s breaks the connection', async (kind, handled, status) => {
	plan({ kind });
	await expect(create()).rejects.toThrow();
	expect([exists(), service.requests[0].status]).toEqual([handled, status]);
});

it.each([
	[{ kind: 'resetMidBody' }, `GET ${contacts}`, undefined, 0.5],
	[
		{ kind: 'streamBreak', afterBytes: 7 },
		'POST /chat',
		{ chatbotId: 'bot', messages: [{ role: 'user', content: 'Hi' }], stream: true },
		7 / 12,
	],
] as const)('%j sends the beginning of the body', async (fault, request, body, part) => {
	const { text } = await ask(service, request, body);
	plan(fault);
	const { chunks, isBroken } = await received(service, request, body);
	expect([Buffer.concat(chunks).toString(), isBroken]).toEqual([
		text.slice(0, Math.floor(text.length * part)),
		true,
	]);
});

it('cutJson is a complete response with half of the JSON', async () => {
	plan({ kind: 'cutJson' });
	const answer = await create();
	expect(answer).toMatchObject({ status: 200, body: undefined });
	expect(answer.text).toMatch(/^\{"message":"Success"/);
	expect(exists()).toBe(true);
});

it('a delay happens before another fault', async () => {
	plan({ kind: 'delay', ms: 30 });
	plan({ kind: 'status', status: 500 });
	const start = performance.now();
	expect((await create()).status).toBe(500);
	// Timers may fire a millisecond early.
	expect(performance.now() - start).toBeGreaterThanOrEqual(29);
});

it('is worded as version 2 does, and matched by the relative path', async () => {
	plan({ kind: 'status', status: 503 }, { path: '/agents/bot' });
	const { body } = await ask(service, 'GET /agents/bot');
	expect(body.error.code).toBe('SERVICE_UNAVAILABLE');
});

it.each([
	[{}, [500, 500, 500, 500]],
	[{ nth: 2 }, [200, 500, 200, 200]],
	[{ nth: [1, 3] }, [500, 200, 500, 200]],
	[{ times: 2 }, [500, 500, 200, 200]],
	[{ nth: [2, 3], times: 1 }, [200, 500, 200, 200]],
	[{ method: 'get', path: contacts }, [500, 500, 500, 500]],
	[{ method: 'POST' }, [200, 200, 200, 200]],
	[{ path: '/chatbots' }, [200, 200, 200, 200]],
	[{ path: /contacts$/g }, [500, 500, 500, 500]],
	[{ matches: ({ number }) => number > 2 }, [200, 200, 500, 500]],
] as Array<[FaultCondition, number[]]>)('strikes %j', async (when, expected) => {
	plan({ kind: 'status', status: 500 }, when);
	const statuses = [];
	for (let index = 0; index < 4; index++) {
		statuses.push((await ask(service, `GET ${contacts}`)).status);
	}
	expect(statuses).toEqual(expected);
});

it('strikes the last page of a contact list, and nothing once it is removed', async () => {
	service.store.seedContacts('bot', 23);
	const fault = plan({ kind: 'status', status: 500 }, { nth: 'last' });
	const page = async (number: number) =>
		(await ask(service, `GET ${contacts}?per_page=10&page=${number}`)).status;
	expect([await page(1), await page(2), await page(3)]).toEqual([200, 200, 500]);
	service.faults.remove(fault);
	expect(await page(3)).toBe(200);
});
