/** What the service counts, limits and disturbs; the faults themselves are in engine/faults. */
import { Clock, Store, type FaultCondition } from '../../service';
import { RateLimiter } from '../../service/rateLimit';
import { ask, useService } from './client';

const bed = useService();
const contacts = '/chatbots/bot/contacts';
const list = async () => (await ask(bed.service, `GET ${contacts}`)).status;

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
		() => ({ requests: 2, windowMs: 1_000, retryAfter: 'seconds' }),
		() => now,
	);
	const waits = (times: number[], key: string) =>
		times.map((time) => {
			now = time;
			return limiter.refusalFor(key)?.['retry-after'];
		});
	expect(waits([0, 600, 700, 999], 'a')).toEqual([undefined, undefined, '1', '1']);
	expect(waits([999], 'b')).toEqual([undefined]);
	expect(waits([1_000, 1_001, 1_600], 'a')).toEqual([undefined, '1', undefined]);
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

it.each([true, false])(
	'logs the status of a fault, which was handled or not: %s',
	async (handled) => {
		bed.service.faults.add({ fault: { kind: 'status', status: 500, handled } });
		const { status } = await ask(bed.service, `POST ${contacts}`, {
			users: [{ external_id: 'n' }],
		});
		expect([status, bed.service.requests[0].status]).toEqual([500, 500]);
		expect(bed.service.store.contact('bot', 'n') !== undefined).toBe(handled);
	},
);

it('seeds contacts that differ, the same ones each time', () => {
	const seeded = (count: number) => {
		const store = new Store(new Clock());
		store.addChatbot({ id: 'bot' });
		store.seedContacts('bot', count);
		return [...store.chatbot('bot').contacts];
	};
	const many = seeded(10_000);
	expect(seeded(100)).toEqual(many.slice(0, 100));
	for (const field of ['id', 'external_id', 'email'] as const) {
		const values = many.flatMap((contact) => contact[field] ?? []);
		expect(new Set(values).size).toBe(values.length);
	}
});
