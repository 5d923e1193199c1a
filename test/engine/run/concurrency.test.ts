/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { byId, useTestbed } from '../testbed';
import { inputOf, read } from '../parameters';

const testbed = useTestbed();

const megabyte = 1024 * 1024;
const remove = { ...read, operation: 'delete' };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Responds only after this many requests have arrived. */
function holdUntilTogether(count: number) {
	let open = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	let arrived = 0;
	return testbed.service.onRequest(async () => {
		if (++arrived === count) open();
		await opened;
	});
}

it.each([
	[undefined, 5],
	[1, 1],
	[12, 12],
	['8', 8],
])('Max Concurrency %s: at most %d requests in flight', async (maxConcurrency, most) => {
	const release = holdUntilTogether(most);
	await testbed.run(
		{ ...read, options: maxConcurrency === undefined ? {} : { maxConcurrency } },
		{ input: inputOf(30), nodeSettings: { onError: 'continueRegularOutput' } },
	);
	release();
	expect(testbed.service.requests).toHaveLength(30);
	expect(testbed.service.maxInFlight).toBe(most);
});

it('is shared by the lists that several items read ahead', async () => {
	const chatbots = ['bot-1', 'bot-2', 'bot-3'];
	for (const id of chatbots) {
		testbed.service.store.addChatbot({ id });
		testbed.service.store.seedContacts(id, 100);
	}
	testbed.service.delayMs = 10;
	const parameters = { resource: 'contact', operation: 'getAll', returnAll: true };
	const { items } = await testbed.run(
		{ ...parameters, chatbotId: byId('={{ $json.bot }}'), options: { pageSize: 10 } },
		{ input: chatbots.map((bot) => ({ bot })) },
	);
	expect(items).toHaveLength(300);
	expect(testbed.service.maxInFlight).toBe(5);
});

it.each([0, -1, 1.5, 'many', '={{ "" }}'])(
	'Max Concurrency %j is refused',
	async (maxConcurrency) => {
		const { error } = await testbed.run(
			{ ...read, options: { maxConcurrency } },
			{ input: inputOf(2) },
		);
		expect(error).toMatchObject({ message: 'Max Concurrency is not a whole number, 1 or more' });
		expect(testbed.sent).toEqual([]);
	},
);

it.each(['={{ $json.max }}', '={{ $json.max === "many" ? $("Nobody").item.json.x : $json.max }}'])(
	'is that of the next item when %s is invalid for the first one and the workflow continues',
	async (maxConcurrency) => {
		const input = inputOf(6).map((item, index) => ({ ...item, max: index === 0 ? 'many' : 1 }));
		const parameters = { ...read, options: { maxConcurrency } };
		const onError = 'continueRegularOutput' as const;
		await testbed.run(parameters, { input, nodeSettings: { onError } });
		expect(testbed.service.requests.length).toBeGreaterThanOrEqual(5);
		expect(testbed.service.maxInFlight).toBe(1);
		testbed.service.clearRequests();
		const { error } = await testbed.run(parameters, { input });
		expect(error).toBeDefined();
		expect(testbed.sent).toEqual([]);
	},
);

it("is that of the next item when the first item's Request Options are invalid and the workflow continues", async () => {
	const input = inputOf(3).map((item, index) => ({ ...item, ms: index === 0 ? 1.5 : 60_000 }));
	const parameters = { ...read, requestOptions: { timeout: '={{ $json.ms }}' } };
	const onError = 'continueRegularOutput' as const;
	const { items } = await testbed.succeed(parameters, { input, nodeSettings: { onError } });
	expect(items).toHaveLength(3);
	expect(testbed.service.requests).toHaveLength(3);
	testbed.service.clearRequests();
	expect((await testbed.run(parameters, { input })).error?.message).toMatch(/^Timeout is not/);
	expect(testbed.sent).toEqual([]);
});

it('is kept for 60 items', async () => {
	for (const { id } of inputOf(60)) testbed.service.store.addContact('bot', { external_id: id });
	testbed.service.delayMs = 20;
	const { items } = await testbed.succeed(remove, { input: inputOf(60) });
	testbed.service.delayMs = 0;
	expect(items).toHaveLength(60);
	expect(testbed.service.requests).toHaveLength(60);
	expect(testbed.service.maxInFlight).toBe(5);
	expect([...testbed.service.store.chatbot('bot').contacts]).toEqual([]);
});

it('keeps no responses of finished items', async () => {
	const body = { message: 'Success', notes: 'x'.repeat(megabyte) };
	testbed.service.faults.add({ fault: { kind: 'status', status: 200, body } });
	let first = 0;
	let most = 0;
	const stopMeasuring = testbed.service.onRequest(({ number }) => {
		if (number % 20 !== 0) return;
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		first ||= heapUsed + external;
		most = Math.max(most, heapUsed + external);
	});
	const { items } = await testbed.run(remove, { input: inputOf(60) });
	stopMeasuring();
	expect(items).toHaveLength(60);
	// 40 MB have arrived between the first measurement and the last.
	expect(most - first).toBeLessThan(24 * megabyte);
}, 60_000);
