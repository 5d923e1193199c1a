/** n8n's clock is set while a run waits. Durations must not notice. */
import { sleep } from 'n8n-workflow';

import { startService, type SimulatedService } from '../../../service';
import { skippedTime } from '../fastTime';
import { createEngine, type Engine } from '../harness';
import { chatbotId, inputOf, read } from '../parameters';
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
});
