/** What the service sees and says about traffic: its log, its listeners, its counts and its limit. */
import type { SimulatedService } from '../../service';
import { RateLimiter } from '../../service/rateLimit';
import { clientOf, chatbotId, serviceWithChatbot } from './client';

const contacts = `/chatbots/${chatbotId}/contacts`;
let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

beforeEach(async () => {
	service = await serviceWithChatbot();
	ask = clientOf(service);
});
afterEach(async () => await service.close());

describe('the log', () => {
	it('has each request unchanged', async () => {
		await ask('GET', `${contacts}/${encodeURIComponent('a/b ü')}?x=1&x=2`);
		await ask('POST', '/chat', '{broken');
		await ask('POST', '/chat', { chatbotId });
		expect(service.requests).toMatchObject([
			{
				number: 1,
				method: 'GET',
				url: `/api/v1${contacts}/a%2Fb%20%C3%BC?x=1&x=2`,
				path: `${contacts}/a%2Fb%20%C3%BC`,
				query: { x: ['1', '2'] },
				headers: { authorization: `Bearer ${service.apiKey}` },
				body: undefined,
				status: 404,
			},
			{ number: 2, path: '/chat', body: '{broken', status: 400 },
			{ number: 3, body: { chatbotId }, status: 400 },
		]);
	});

	it('has requests outside the Base URL', async () => {
		await fetch(`${service.origin}/elsewhere`);
		expect(service.requests).toMatchObject([{ path: '/elsewhere', status: 404 }]);
	});

	it('is empty after it was cleared', async () => {
		await ask('GET', contacts);
		service.clearRequests();
		await ask('GET', '/get-chatbots');
		expect(service.requests).toMatchObject([{ number: 1, path: '/get-chatbots' }]);
	});
});

describe('a listener', () => {
	it('runs before each request until it is removed', async () => {
		const stop = service.onRequest(async ({ number }) => {
			await Promise.resolve();
			service.store.addContact(chatbotId, { external_id: `${number}` });
		});
		expect((await ask('GET', contacts)).body.total).toBe(1);
		expect((await ask('GET', contacts)).body.total).toBe(2);
		stop();
		expect((await ask('GET', contacts)).body.total).toBe(2);
	});
});

describe('the counts', () => {
	it('count requests in flight', async () => {
		let open: () => void = () => undefined;
		const opened = new Promise<void>((resolve) => (open = resolve));
		let arrived = 0;
		service.onRequest(async () => {
			if (++arrived === 3) open();
			await opened;
		});
		await Promise.all([1, 2, 3].map(async () => await ask('GET', contacts)));
		expect(service.maxInFlight).toBe(3);
		expect(service.inFlight).toBe(0);
	});

	it('do not overlap when one request follows another', async () => {
		const messages = [{ role: 'user', content: 'Hi' }];
		for (let index = 0; index < 20; index++) {
			await ask('GET', contacts);
			await ask('POST', '/chat', { chatbotId, messages, stream: true });
		}
		expect(service.maxInFlight).toBe(1);
	});
});

it('delays every request by the set time', async () => {
	service.delayMs = 30;
	const start = performance.now();
	await ask('GET', contacts);
	expect(performance.now() - start).toBeGreaterThanOrEqual(29);
});

describe('the rate limit', () => {
	it('slides, and does not count refused requests', () => {
		let now = 0;
		const limiter = new RateLimiter(
			{ requests: 2, windowMs: 1_000, retryAfter: 'seconds' },
			() => now,
		);
		const passes = (time: number, key = 'a') => {
			now = time;
			return limiter.refusalFor(key) === undefined;
		};
		expect([passes(0), passes(600), passes(700), passes(999)]).toEqual([true, true, false, false]);
		expect(passes(999, 'b')).toBe(true);
		expect([passes(1_000), passes(1_001), passes(1_600)]).toEqual([true, false, true]);
	});

	it.each([
		['seconds', '2'],
		['date', 'Thu, 01 Jan 1970 00:00:02 GMT'],
		['none', undefined],
	] as const)('states how long to wait: %s', (retryAfter, expected) => {
		let now = 200;
		const limiter = new RateLimiter({ requests: 1, windowMs: 1_500, retryAfter }, () => now);
		limiter.refusalFor('a');
		now = 300;
		expect(limiter.refusalFor('a')?.['retry-after']).toBe(expected);
	});

	it('answers 429 and handles nothing', async () => {
		const limited = await serviceWithChatbot({
			rateLimit: { requests: 1, windowMs: 60_000, retryAfter: 'seconds' },
		});
		const create = async (externalId: string) =>
			await clientOf(limited)('POST', contacts, { users: [{ external_id: externalId }] });
		expect((await create('a')).status).toBe(200);
		const refused = await create('b');
		expect(refused).toMatchObject({ status: 429, body: { message: 'Rate limit exceeded' } });
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(limited.store.contact(chatbotId, 'b')).toBeUndefined();
		await limited.close();
	});
});
