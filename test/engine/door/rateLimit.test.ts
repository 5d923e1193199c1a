import { startService, type SimulatedService } from '../../service';
import { fastTime } from '../fastTime';
import { createEngine, type Engine } from '../harness';
import { inputOf, rename } from '../parameters';

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

it.each(['seconds', 'date', 'none'] as const)(
	'300 patches pass a limit of 100 requests per 10 seconds, Retry-After: %s',
	async (retryAfter) => {
		restore = fastTime();
		service = await startService({ rateLimit: { requests: 100, windowMs: 10_000, retryAfter } });
		service.store.addChatbot({ id: 'bot' });
		const input = inputOf(300);
		for (const { id } of input) service.store.addContact('bot', { external_id: id });

		const { apiKey, baseUrl } = service;
		const { items, error } = await engine.run({
			parameters: { ...rename, requestOptions: { timeout: 600_000 } },
			input,
			credentials: { chatbaseV1Api: { apiKey, baseUrl } },
		});

		expect(error).toBeUndefined();
		expect(items).toHaveLength(300);
		expect([...service.store.chatbot('bot').contacts].every(({ name }) => name === 'New')).toBe(
			true,
		);
		const refused = service.requests.filter(({ status }) => status === 429).length;
		const times = service.requests.map(({ at }) => at);
		const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
		const shortestPause = retryAfter === 'none' ? 0.8 : 1;
		// The limit is found by running into it, which each of the five in flight can do once for every pause.
		expect(refused).toBeLessThanOrEqual(5 * (seconds / shortestPause + 1));
	},
	120_000,
);
