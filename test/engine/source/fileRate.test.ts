/** At most 10 uploads a minute, in skipped time. */
import { sleep } from 'n8n-workflow';

import type { RateLimit } from '../../../service/core/rateLimit';
import { skippedTime } from '../fastTime';
import { goOn, itemWithFile, outcomes, useWorld } from './world';

const world = useWorld('create');
let restore: () => void;

beforeEach(() => {
	world.reset();
	restore = skippedTime(world.testbed.service);
});

afterEach(() => restore());

const file = { sourceType: 'file' };
const files = (count: number) =>
	Array.from({ length: count }, (_, index) => itemWithFile(`${index}.txt`, `Text ${index}`));
const uploads = () =>
	world.testbed.service.requests.filter(({ method }) => method === 'POST' || method === 'PUT');
const statuses = () => uploads().map(({ status }) => status);

/** Seconds from each upload to the tenth after it. */
const windows = () =>
	uploads()
		.slice(10)
		.map(({ at }, index) => (at - uploads()[index].at) / 1000);

const documented: RateLimit = {
	requests: 10,
	windowMs: 60_000,
	retryAfter: 'seconds',
	countsRefused: true,
};
const limits: Array<Partial<RateLimit>> = [
	{},
	{ retryAfter: 'none' },
	{ countsRefused: false },
	{ countsRefused: false, retryAfter: 'date' },
	{ requests: Infinity },
];

it.each(limits)('35 files go out one at a time, and none is refused: %j', async (limit) => {
	world.switchTo({ fileRate: { ...documented, ...limit } });
	const startedAt = performance.now();
	const { items, hints } = await world.succeed(file, files(35));
	expect(items).toHaveLength(35);
	expect(statuses()).toEqual(Array.from({ length: 35 }, () => 201));
	expect(world.testbed.service.maxInFlight).toBe(1);
	expect(Math.min(...windows())).toBeGreaterThanOrEqual(61);
	expect(performance.now() - startedAt).toBeLessThan(190_000);
	expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
});

it.each(limits.slice(0, 4))(
	'waits when others have used up the minute, and loses nothing: %j',
	async (limit) => {
		world.switchTo({ fileRate: { ...documented, ...limit } });
		// Ten uploads of another client, just after the log was emptied.
		const { service } = world.testbed;
		const stop = service.onRequest(async () => {
			stop();
			await Promise.all(Array.from({ length: 10 }, async () => await uploadOfAnother()));
		});
		const uploadOfAnother = async () => {
			const form = new FormData();
			form.append('name', 'Other');
			form.append('file', new Blob(['other']), 'other.txt');
			const headers = { authorization: `Bearer ${service.apiKey}` };
			const url = `${service.origin}/api/v2/agents/bot/sources`;
			await fetch(url, { method: 'POST', headers, body: form });
		};
		const { items } = await world.succeed(file, files(12));
		expect(items).toHaveLength(12);
		expect(world.sources.filter(({ name }) => name !== 'Other')).toHaveLength(12);
	},
);

it('an upload that is refused for 10 minutes fails, and the others are tried', async () => {
	const when = { method: 'POST', times: 11 } as const;
	world.testbed.service.faults.add({ when, fault: { kind: 'status', status: 429 } });
	const startedAt = performance.now();
	const { items } = await world.run(file, files(2), goOn);
	expect(outcomes(items)).toEqual(['The service takes no more files at the moment', 'untrained']);
	expect(items[0].json.error).toContain('sent the request 11 times and waited 600 seconds');
	expect(performance.now() - startedAt).toBeLessThan(700_000);
	expect(Math.min(...windows())).toBeGreaterThanOrEqual(61);
});

it('Retry-After is kept, however long, up to 10 minutes', async () => {
	const headers = { 'Retry-After': '400' };
	const when = { method: 'POST', times: 1 } as const;
	world.testbed.service.faults.add({ when, fault: { kind: 'status', status: 429, headers } });
	await world.succeed(file, files(1));
	const [first, second] = uploads();
	expect(second.at - first.at).toBeGreaterThanOrEqual(400_000);
	expect(second.at - first.at).toBeLessThan(402_000);
});

it('an upload that is repeated counts each time', async () => {
	const upsert = { operation: 'upsert', ...file };
	for (let index = 0; index < 8; index++) world.add({ type: 'file', name: `${index}.txt` });
	const nth = [1, 3, 5, 7];
	world.testbed.service.faults.add({
		when: { method: 'PUT', nth },
		fault: { kind: 'status', status: 500 },
	});
	await world.succeed(upsert, files(8));
	expect(uploads()).toHaveLength(12);
	expect(statuses()).not.toContain(429);
	expect(Math.min(...windows())).toBeGreaterThanOrEqual(61);
});

it('a refused file does not hold up requests to the other host', async () => {
	const headers = { 'Retry-After': '300' };
	const when = { method: 'POST', times: 1 } as const;
	const kinds = { sourceType: '={{ $json.type ?? "file" }}', name: '={{ $json.name }}' };
	const { service } = world.testbed;
	service.faults.add({
		when: { ...when, matches: ({ headers: sent }) => /^multipart/.test(sent['content-type']!) },
		fault: { kind: 'status', status: 429, headers },
	});
	const texts = Array.from({ length: 20 }, (_, index) => ({ type: 'text', name: `T${index}` }));
	await world.succeed({ ...kinds, content: 'x' }, [...files(1), ...texts]);
	const sent = uploads();
	expect(sent.at(-1)!.at - sent.at(-2)!.at).toBeGreaterThan(290_000);
});

it('chatbots of one account share the limit', async () => {
	world.testbed.service.store.addChatbot({ id: 'second' });
	world.testbed.service.delayMs = 20;
	const input = files(14).map((item, index) => ({
		...item,
		json: { bot: index % 2 ? 'bot' : 'second' },
	}));
	const chatbotId = { __rl: true, mode: 'id', value: '={{ $json.bot }}' };
	await world.succeed({ ...file, chatbotId }, input);
	expect(statuses()).toEqual(Array.from({ length: 14 }, () => 201));
	expect(world.testbed.service.maxInFlight).toBe(1);
	expect(Math.min(...windows())).toBeGreaterThanOrEqual(61);
});

it('in Stop mode nothing is uploaded after a failure', async () => {
	const when = { method: 'POST', nth: 2 } as const;
	world.testbed.service.faults.add({ when, fault: { kind: 'status', status: 413 } });
	const startedAt = performance.now();
	const { error } = await world.run(file, files(30));
	expect(error?.message).toBe('The data is too large for the service');
	expect(error?.description).toContain('Done: item 0.');
	expect(uploads()).toHaveLength(2);
	expect(performance.now() - startedAt).toBeLessThan(30_000);
});

it('a canceled execution stops waiting at once', async () => {
	const controller = new AbortController();
	const stop = world.testbed.service.onRequest(({ number }) => {
		if (number === 10) void sleep(5000).then(() => controller.abort());
	});
	const startedAt = performance.now();
	await world.run(file, files(12), { signal: controller.signal });
	stop();
	expect(uploads()).toHaveLength(10);
	expect(performance.now() - startedAt).toBeLessThan(15_000);
});
