/** n8n's clock is set while a run waits. Durations must not notice. */
import { sleep } from 'n8n-workflow';

import { startService, type SimulatedService } from '../../../service';
import { skippedTime } from '../fastTime';
import { createEngine, type Engine } from '../harness';
import { chatbotId, contactId, inputOf, mapped, read } from '../parameters';
import { succeeded } from '../testbed';

const hour = 3_600_000;

let engine: Engine;
let service: SimulatedService;
let restore: () => void;

beforeAll(async () => {
	engine = await createEngine();
});

beforeEach(async () => {
	service = await startService();
	restore = skippedTime(service);
	service.store.addChatbot({ id: 'bot' });
});

afterEach(async () => {
	restore();
	await service.close();
});

afterAll(() => engine.close());

/** Sets n8n's clock some time after the first request that matches. The clock of the service is right. */
function setClock(by: number, method: string, later = 0) {
	const set = () => {
		jest.setSystemTime(Date.now() + by);
		service.clock.now = () => Date.now() - by;
	};
	const stop = service.onRequest((request) => {
		if (request.method !== method) return;
		stop();
		if (later > 0) void sleep(later).then(set);
		else set();
	});
}

async function run(parameters: object, input: object[]) {
	const { apiKey, baseUrl } = service;
	const startedAt = performance.now();
	const { items, error } = await engine.run({
		parameters: { chatbotId, ...parameters },
		input: input as never,
		credentials: { chatbaseV1Api: { apiKey, baseUrl } },
	});
	return { items, error, seconds: (performance.now() - startedAt) / 1000 };
}

describe.each([
	['back', -hour],
	['forward', hour],
])('when the clock is set %s by an hour', (_, by) => {
	it('a wait for the rate limit takes as long as the service asks', async () => {
		service.store.addContact('bot', { external_id: 'c0' });
		const headers = { 'Retry-After': '20' };
		service.faults.add({ when: { times: 1 }, fault: { kind: 'status', status: 429, headers } });
		setClock(by, 'GET', 5000);
		const { seconds } = succeeded(await run({ ...read }, inputOf(1)));
		expect(seconds).toBeGreaterThanOrEqual(20);
		expect(seconds).toBeLessThan(25);
	});

	it('Batching keeps its pace', async () => {
		const input = inputOf(4);
		for (const { id } of input) service.store.addContact('bot', { external_id: id });
		setClock(by, 'GET');
		const batch = { batchSize: 1, batchInterval: 4000 };
		const { error, seconds } = await run(
			{ ...read, requestOptions: { batching: { batch } } },
			input,
		);
		expect(error).toBeUndefined();
		expect(seconds).toBeGreaterThanOrEqual(12);
		expect(seconds).toBeLessThan(17);
	});

	it('a contact that was read a minute ago is read again before its attributes are sent', async () => {
		service.behaviour.attributesOnPatch = 'replace';
		for (const name of ['city', 'plan']) service.store.addAttribute('bot', { name, type: 'text' });
		const contact = service.store.addContact('bot', {
			external_id: 'c0',
			custom_attributes: { city: 'Oslo' },
		});
		const headers = { 'Retry-After': '50' };
		const when = { method: 'PATCH', times: 1 } as const;
		service.faults.add({ when, fault: { kind: 'status', status: 429, headers } });
		setClock(by, 'PATCH');
		const stop = service.onRequest(({ method }) => {
			if (method !== 'PATCH') return;
			stop();
			const custom_attributes = { city: 'Bergen' };
			service.store.chatbot('bot').contacts.change(contact, { custom_attributes });
		});
		const parameters = {
			resource: 'contact',
			operation: 'update',
			contactId,
			...mapped({ 'custom_attributes.plan': 'pro' }),
		};
		succeeded(await run(parameters, inputOf(1)));
		expect(service.store.chatbot('bot').contacts.find('c0')?.custom_attributes).toEqual({
			city: 'Bergen',
			plan: 'pro',
		});
	});

	it('a source whose response was lost is found as the one that this run created', async () => {
		service.faults.add({ when: { method: 'POST' }, fault: { kind: 'resetAfter' } });
		setClock(by, 'POST');
		const parameters = {
			resource: 'source',
			operation: 'create',
			sourceType: 'text',
			name: 'Returns',
			content: 'Within 30 days.',
		};
		const { items } = succeeded(await run(parameters, inputOf(1)));
		expect(items[0].json).toMatchObject({ name: 'Returns' });
	});
});
