/** Faults: each kind as a client sees it, and the requests that they affect. */
import type { Fault, SimulatedService } from '../../service';
import { chatbotId, chunksOf, clientOf, serviceWithChatbot } from './client';

let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

beforeEach(async () => {
	service = await serviceWithChatbot();
	ask = clientOf(service);
});
afterEach(async () => await service.close());

const contacts = `/chatbots/${chatbotId}/contacts`;
const create = async (externalId = 'a') =>
	await ask('POST', contacts, { users: [{ external_id: externalId }] });
const exists = () => service.store.contact(chatbotId, 'a') !== undefined;

describe('a fault instead of the response', () => {
	const cases: Array<[Fault, number, string]> = [
		[{ kind: 'status', status: 503 }, 503, '{"message":"Simulated status 503"}'],
		[
			{ kind: 'status', status: 502, body: '<html>Bad gateway</html>' },
			502,
			'<html>Bad gateway</html>',
		],
		[{ kind: 'status', status: 400, body: { message: 'No' } }, 400, '{"message":"No"}'],
		[{ kind: 'otherShape', body: [1] }, 200, '[1]'],
		[{ kind: 'empty' }, 200, ''],
		[{ kind: 'redirect', location: 'http://example.com/' }, 302, ''],
		[{ kind: 'redirect', status: 307, location: 'http://example.com/' }, 307, ''],
	];

	describe.each([false, true])('handled: %s', (handled) => {
		it.each(cases)('%j', async (fault, status, text) => {
			service.faults.add({ fault: { ...fault, handled } as Fault });
			const answer = await create();
			expect(answer).toMatchObject({ status, text });
			expect(exists()).toBe(handled);
			expect(service.requests[0].status).toBe(status);
			if (fault.kind === 'redirect') expect(answer.headers.get('location')).toBe(fault.location);
		});
	});

	it('has the given headers', async () => {
		service.faults.add({
			fault: {
				kind: 'status',
				status: 429,
				headers: { 'Retry-After': '7', 'Content-Type': 'text/x' },
			},
		});
		const { headers } = await create();
		expect(headers.get('retry-after')).toBe('7');
		expect(headers.get('content-type')).toBe('text/x');
	});

	it('may be HTML with its content type', async () => {
		service.faults.add({ fault: { kind: 'status', status: 502, body: '<html></html>' } });
		expect((await create()).headers.get('content-type')).toMatch('text/html');
	});
});

describe('a broken connection', () => {
	it.each([
		['resetBefore', false, undefined],
		['resetAfter', true, undefined],
		['resetMidBody', true, 200],
	] as const)('%s', async (kind, ran, status) => {
		service.faults.add({ fault: { kind } });
		await expect(create()).rejects.toThrow();
		expect(exists()).toBe(ran);
		expect(service.requests[0].status).toBe(status);
	});

	it('mid-body sends half of the response', async () => {
		service.store.seedContacts(chatbotId, 100);
		const whole = (await ask('GET', contacts)).text;
		service.faults.add({ fault: { kind: 'resetMidBody' } });
		const bytes = await received('GET', contacts);
		expect(bytes.toString()).toBe(Buffer.from(whole).subarray(0, bytes.length).toString());
		expect(bytes.length).toBe(Math.floor(Buffer.byteLength(whole) / 2));
	});

	it('of a stream happens after the given bytes', async () => {
		service.faults.add({ fault: { kind: 'streamBreak', afterBytes: 7 } });
		service.behaviour.streamChunkBytes = 3;
		const messages = [{ role: 'user', content: 'Hello' }];
		const bytes = await received('POST', '/chat', { chatbotId, messages, stream: true });
		expect(bytes.toString()).toBe('You sai');
	});

	/** What arrives of a body whose connection breaks. */
	async function received(method: string, path: string, body?: unknown): Promise<Buffer> {
		const response = await fetch(service.baseUrl + path, {
			method,
			headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const chunks: Uint8Array[] = [];
		const read = async () => {
			for await (const chunk of chunksOf(response)) chunks.push(chunk);
		};
		await expect(read()).rejects.toThrow();
		return Buffer.concat(chunks);
	}
});

it('cutJson is a complete response with half of the JSON', async () => {
	service.faults.add({ fault: { kind: 'cutJson' } });
	const answer = await create();
	expect(answer).toMatchObject({ status: 200, body: undefined });
	expect(answer.text).toMatch(/^\{"message":"Success"/);
	expect(exists()).toBe(true);
});

describe('a stall', () => {
	it.each([false, true])('handled: %s, ends when the client leaves', async (handled) => {
		service.faults.add({ when: { times: 1 }, fault: { kind: 'stall', handled } });
		const controller = new AbortController();
		const users = [{ external_id: 'a' }];
		const arrived = new Promise<void>((resolve) => void service.onRequest(() => resolve()));
		const stalled = ask('POST', contacts, { users }, { signal: controller.signal });
		await arrived;
		// After a second request, the first one has been handled.
		await ask('GET', contacts);
		expect(service.inFlight).toBe(1);
		controller.abort();
		await expect(stalled).rejects.toThrow();
		expect(exists()).toBe(handled);
		expect(service.requests[0].status).toBeUndefined();
	});

	it('does not prevent the service from closing', async () => {
		service.faults.add({ fault: { kind: 'stall' } });
		const arrived = new Promise<void>((resolve) => void service.onRequest(() => resolve()));
		const stalled = expect(create()).rejects.toThrow();
		await arrived;
		await service.close();
		await stalled;
	});
});

describe('a delay', () => {
	it('happens before another fault', async () => {
		service.faults.add({ fault: { kind: 'delay', ms: 30 } });
		service.faults.add({ fault: { kind: 'status', status: 500 } });
		const start = performance.now();
		expect((await create()).status).toBe(500);
		// Timers may fire a millisecond early.
		expect(performance.now() - start).toBeGreaterThanOrEqual(29);
	});
});

describe('the requests of a fault', () => {
	const statuses = async (count: number) => {
		const result = [];
		for (let index = 0; index < count; index++) result.push((await ask('GET', contacts)).status);
		return result;
	};

	it.each([
		[{}, [500, 500, 500, 500]],
		[{ nth: 'all' }, [500, 500, 500, 500]],
		[{ nth: 2 }, [200, 500, 200, 200]],
		[{ nth: [1, 3] }, [500, 200, 500, 200]],
		[{ times: 2 }, [500, 500, 200, 200]],
		[{ nth: [2, 3], times: 1 }, [200, 500, 200, 200]],
		[{ method: 'get' }, [500, 500, 500, 500]],
		[{ method: 'POST' }, [200, 200, 200, 200]],
		[{ path: contacts }, [500, 500, 500, 500]],
		[{ path: '/chatbots' }, [200, 200, 200, 200]],
		[{ path: /contacts$/g }, [500, 500, 500, 500]],
		[{ path: /custom/ }, [200, 200, 200, 200]],
	] as const)('%j', async (when, expected) => {
		const condition = { ...when, nth: 'nth' in when ? (when.nth as never) : undefined };
		service.faults.add({ when: condition, fault: { kind: 'status', status: 500 } });
		expect(await statuses(4)).toEqual(expected);
	});

	it('are those that a function chooses by their body', async () => {
		const isB = ({ body }: { body: unknown }) => JSON.stringify(body ?? '').includes('"b"');
		const fault = service.faults.add({
			when: { matches: isB },
			fault: { kind: 'status', status: 500 },
		});
		expect([(await create('a')).status, (await create('b')).status]).toEqual([200, 500]);
		expect(fault).toMatchObject({ matched: 1, struck: 1 });
	});

	it('are those of the last page of a contact list', async () => {
		service.store.seedContacts(chatbotId, 25);
		service.faults.add({ when: { nth: 'last' }, fault: { kind: 'status', status: 500 } });
		const page = async (number: number) =>
			(await ask('GET', `${contacts}?per_page=10&page=${number}`)).status;
		expect([await page(1), await page(2), await page(3)]).toEqual([200, 200, 500]);
		for (let index = 0; index < 10; index++) {
			service.store.addContact(chatbotId, { external_id: `more-${index}` });
		}
		expect([await page(3), await page(4)]).toEqual([200, 500]);
		expect((await ask('GET', `${contacts}?page=x`)).status).toBe(400);
	});

	it('are none after the faults were removed', async () => {
		const fault = service.faults.add({ fault: { kind: 'empty' } });
		service.faults.remove(fault);
		service.faults.add({ fault: { kind: 'resetBefore' } });
		service.faults.clear();
		expect(await statuses(1)).toEqual([200]);
	});
});
