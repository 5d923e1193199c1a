import { type RateLimit, startService, type SimulatedService } from '../../../service';
import { skippedTime } from '../fastTime';
import { createEngine, type Engine } from '../harness';
import { chatbotId, inputOf, rename } from '../parameters';

let engine: Engine;
let service: SimulatedService;
let restore: () => void;

beforeAll(async () => {
	engine = await createEngine();
});

afterEach(async () => {
	restore();
	await service.close();
});

afterAll(() => engine.close());

/** Starts a service with a rate limit, and renames so many of its contacts. */
async function renamed(count: number, rateLimit: RateLimit) {
	service = await startService({ rateLimit });
	restore = skippedTime(service);
	service.store.addChatbot({ id: 'bot' });
	const input = inputOf(count);
	for (const { id } of input) service.store.addContact('bot', { external_id: id });
	const { apiKey, baseUrl } = service;
	const { items, error } = await engine.run({
		parameters: { ...rename, requestOptions: { timeout: 600_000 } },
		input,
		credentials: { chatbaseV1Api: { apiKey, baseUrl } },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(count);
}

it.each(['seconds', 'date', 'none'] as const)(
	'200 updates succeed with 60 requests per 10 seconds, Retry-After: %s',
	async (retryAfter) => {
		await renamed(200, { requests: 60, windowMs: 10_000, retryAfter });
		expect([...service.store.chatbot('bot').contacts].every(({ name }) => name === 'New')).toBe(
			true,
		);
		const refused = service.requests.filter(({ status }) => status === 429).length;
		const times = service.requests.map(({ at }) => at);
		const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
		const shortestPause = retryAfter === 'none' ? 0.8 : 1;
		// Each of the five requests in flight can be refused once before every pause.
		expect(refused).toBeLessThanOrEqual(5 * (seconds / shortestPause + 1));
	},
	120_000,
);

it('all items succeed when five requests compete for two in 10 seconds', async () => {
	await renamed(30, { requests: 2, windowMs: 10_000, retryAfter: 'seconds' });
}, 120_000);

it.each([
	['429', 429],
	['503', 503],
])('%s waits until the date that the service names', async (_, status) => {
	service = await startService();
	restore = skippedTime(service);
	service.store.addChatbot({ id: 'bot' });
	const headers = { 'retry-after': new Date(Date.now() + 21_000).toUTCString() };
	service.faults.add({ when: { times: 1 }, fault: { kind: 'status', status, headers } });
	const { apiKey, baseUrl } = service;
	const { error } = await engine.run({
		parameters: {
			resource: 'customAttribute',
			operation: 'getAll',
			chatbotId,
			requestOptions: { timeout: 600_000 },
		},
		credentials: { chatbaseV1Api: { apiKey, baseUrl } },
	});
	expect(error).toBeUndefined();
	const [first, second] = service.requests.map(({ at }) => at);
	expect(second - first).toBeGreaterThanOrEqual(19_000);
	expect(second - first).toBeLessThan(40_000);
});
