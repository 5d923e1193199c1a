/** What the service sees and says about traffic: its log, its listeners, its counts and its limit. */
import { Clock, demoAttributes, Store } from '../../service';
import { RateLimiter } from '../../service/rateLimit';
import { ask, useService } from './client';

const service = useService();
const contacts = '/chatbots/bot/contacts';
const list = async () => await ask(service, `GET ${contacts}`);

it('logs each request unchanged, until the log is cleared', async () => {
	await ask(service, `GET ${contacts}/${encodeURIComponent('a/b ü')}?x=1&x=2`);
	await ask(service, 'POST /chat', '{broken');
	await fetch(`${service.origin}/elsewhere`);
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
		{ number: 3, path: '/elsewhere', status: 404 },
	]);
	service.clearRequests();
	expect(service.requests).toEqual([]);
});

it('calls a listener before each request until it is removed', async () => {
	const stop = service.onRequest(async ({ number }) => {
		await Promise.resolve();
		service.store.addContact('bot', { external_id: `${number}` });
	});
	const totals = [(await list()).body.total, (await list()).body.total];
	stop();
	expect([...totals, (await list()).body.total]).toEqual([3, 4, 4]);
});

it('counts requests that overlap, and not those that follow each other', async () => {
	const body = { chatbotId: 'bot', messages: [{ role: 'user', content: 'Hi' }], stream: true };
	for (let index = 0; index < 10; index++)
		await list().then(() => ask(service, 'POST /chat', body));
	expect(service.maxInFlight).toBe(1);

	let open: () => void = () => undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	let arrived = 0;
	const stop = service.onRequest(async () => {
		if (++arrived === 3) open();
		await opened;
	});
	await Promise.all([list(), list(), list()]);
	stop();
	expect([service.maxInFlight, service.inFlight]).toEqual([3, 0]);
});

it('delays every request by the set time', async () => {
	service.delayMs = 30;
	const start = performance.now();
	await list();
	expect(performance.now() - start).toBeGreaterThanOrEqual(29);
});

describe('the rate limit', () => {
	it('slides, counts keys apart, and does not count refused requests', () => {
		let now = 0;
		const limiter = new RateLimiter(
			() => ({ requests: 2, windowMs: 1_000, retryAfter: 'seconds' }),
			() => now,
		);
		const passes = (time: number, key = 'a') => {
			now = time;
			return limiter.refusalFor(key) === undefined;
		};
		expect([0, 600, 700, 999].map((time) => passes(time))).toEqual([true, true, false, false]);
		expect(passes(999, 'b')).toBe(true);
		expect([1_000, 1_001, 1_600].map((time) => passes(time))).toEqual([true, false, true]);
	});

	it.each([
		['seconds', '2'],
		['date', 'Thu, 01 Jan 1970 00:00:02 GMT'],
		['none', undefined],
	] as const)('states how long to wait: %s', (retryAfter, expected) => {
		const limiter = new RateLimiter(
			() => ({ requests: 1, windowMs: 1_700, retryAfter }),
			() => 300,
		);
		limiter.refusalFor('a');
		expect(limiter.refusalFor('a')?.['retry-after']).toBe(expected);
	});
});

describe('a limited service', () => {
	const limited = useService({
		rateLimit: { requests: 1, windowMs: 60_000, retryAfter: 'seconds' },
	});

	it('answers 429 to both versions and handles nothing', async () => {
		const users = (externalId: string) => ({ users: [{ external_id: externalId }] });
		expect((await ask(limited, `POST ${contacts}`, users('n'))).status).toBe(200);
		const refused = await ask(limited, `POST ${contacts}`, users('m'));
		expect(refused).toMatchObject({ status: 429, body: { message: 'Rate limit exceeded' } });
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(limited.store.contact('bot', 'm')).toBeUndefined();
		expect((await ask(limited, 'GET /agents')).status).toBe(429);
	});
});

describe('seeded contacts', () => {
	const seeded = (count: number, seed?: number) => {
		const store = new Store(new Clock());
		store.addChatbot({ id: 'bot' });
		store.seedContacts('bot', count, { seed });
		return [...store.chatbot('bot').contacts];
	};

	it('depend on the seed and their index, and differ', () => {
		const many = seeded(10_000);
		expect(seeded(100)).toEqual(many.slice(0, 100));
		expect(seeded(100, 2)).not.toEqual(seeded(100, 1));
		for (const field of ['id', 'external_id', 'email'] as const) {
			const values = many.flatMap((contact) => contact[field] ?? []);
			expect(new Set(values).size).toBe(values.length);
		}
	});

	it('have every kind of value, of the type of its attribute', () => {
		const contacts = seeded(200);
		const typed = { text: 'string', number: 'number', boolean: 'boolean', date: 'string' };
		for (const { name, type } of demoAttributes) {
			const values = contacts.flatMap(({ custom_attributes: own }) => own[name] ?? []);
			expect(new Set(values.map((value) => typeof value))).toEqual(new Set([typed[type]]));
		}
		expect(contacts.some(({ payment_accounts }) => payment_accounts.length > 0)).toBe(true);
		expect(contacts.some(({ email }) => email === null)).toBe(true);
		expect(contacts.some(({ name }) => /[^\x20-\x7e]/.test(name ?? ''))).toBe(true);
	});
});
