/** What the service sees of its traffic, limits and disturbs; the faults themselves are in engine/faults. */
import { Clock, demoAttributes, Store, type FaultCondition } from '../../service';
import { RateLimiter } from '../../service/rateLimit';
import { ask, useService } from './client';

const bed = useService();
const contacts = '/chatbots/bot/contacts';
const list = async () => (await ask(bed.service, `GET ${contacts}`)).status;

it('logs each request unchanged, and its status', async () => {
	await ask(bed.service, `GET ${contacts}/${encodeURIComponent('a/b ü')}?x=1&x=2`);
	await ask(bed.service, 'POST /chat', '{broken');
	await fetch(`${bed.service.origin}/elsewhere`);
	expect(bed.service.requests).toMatchObject([
		{
			number: 1,
			method: 'GET',
			url: `/api/v1${contacts}/a%2Fb%20%C3%BC?x=1&x=2`,
			path: `${contacts}/a%2Fb%20%C3%BC`,
			query: { x: ['1', '2'] },
			headers: { authorization: `Bearer ${bed.service.apiKey}` },
			status: 404,
		},
		{ number: 2, path: '/chat', body: '{broken', status: 400 },
		{ number: 3, path: '/elsewhere', status: 404 },
	]);
});

it('counts requests that overlap, and not those that follow each other', async () => {
	const body = { chatbotId: 'bot', messages: [{ role: 'user', content: 'Hi' }], stream: true };
	for (let index = 0; index < 10; index++) {
		await list();
		await ask(bed.service, 'POST /chat', body);
	}
	expect(bed.service.maxInFlight).toBe(1);

	const waiting: Array<() => void> = [];
	const stop = bed.service.onRequest(async () => {
		if (waiting.length < 2) return await new Promise<void>((resolve) => waiting.push(resolve));
		waiting.forEach((resolve) => resolve());
	});
	await Promise.all([list(), list(), list()]);
	stop();
	expect([bed.service.maxInFlight, bed.service.inFlight]).toEqual([3, 0]);
});

it('has a rate limit that slides, and counts neither other keys nor refused requests', () => {
	let now = 0;
	const limiter = new RateLimiter(
		() => ({ requests: 2, windowMs: 1_000, retryAfter: 'date' }),
		() => now,
	);
	const refusal = (time: number, key = 'a') => {
		now = time;
		return limiter.refusalFor(key)?.['retry-after'];
	};
	const toSecond = (second: number) => `Thu, 01 Jan 1970 00:00:0${second} GMT`;
	expect([0, 600, 700, 999].map((time) => refusal(time))).toEqual([
		undefined,
		undefined,
		toSecond(1),
		toSecond(1),
	]);
	expect(refusal(999, 'b')).toBe(undefined);
	expect([1_000, 1_001, 1_600].map((time) => refusal(time))).toEqual([
		undefined,
		toSecond(2),
		undefined,
	]);
});

it.each([
	[{}, [500, 500, 500]],
	[{ nth: 2 }, [200, 500, 200]],
	[{ nth: [1, 3] }, [500, 200, 500]],
	[{ times: 2 }, [500, 500, 200]],
	[{ nth: [2, 3], times: 1 }, [200, 500, 200]],
	[{ method: 'get', path: contacts }, [500, 500, 500]],
	[{ method: 'POST' }, [200, 200, 200]],
	[{ path: '/chatbots' }, [200, 200, 200]],
	[{ path: /contacts$/g }, [500, 500, 500]],
	[{ matches: ({ number }) => number > 2 }, [200, 200, 500]],
] as Array<[FaultCondition, number[]]>)('strikes %j', async (when, expected) => {
	const fault = bed.service.faults.add({ when, fault: { kind: 'status', status: 500 } });
	expect([await list(), await list(), await list()]).toEqual(expected);
	bed.service.faults.remove(fault);
	expect(await list()).toBe(200);
});

it('seeds contacts that differ, with every kind of value', () => {
	const seeded = (count: number, seed?: number) => {
		const store = new Store(new Clock());
		store.addChatbot({ id: 'bot' });
		store.seedContacts('bot', count, { seed });
		return [...store.chatbot('bot').contacts];
	};
	const many = seeded(10_000);
	expect(seeded(100)).toEqual(many.slice(0, 100));
	expect(seeded(100, 2)).not.toEqual(seeded(100, 1));
	for (const field of ['id', 'external_id', 'email'] as const) {
		const values = many.flatMap((contact) => contact[field] ?? []);
		expect(new Set(values).size).toBe(values.length);
	}
	const typed = { text: 'string', number: 'number', boolean: 'boolean', date: 'string' };
	for (const { name, type } of demoAttributes) {
		const values = many.flatMap(({ custom_attributes: own }) => own[name] ?? []);
		expect(new Set(values.map((value) => typeof value))).toEqual(new Set([typed[type]]));
	}
	expect(many.some(({ payment_accounts }) => payment_accounts.length > 0)).toBe(true);
	expect(many.some(({ email }) => email === null)).toBe(true);
	expect(many.some(({ name }) => /[^\x20-\x7e]/.test(name ?? ''))).toBe(true);
});
