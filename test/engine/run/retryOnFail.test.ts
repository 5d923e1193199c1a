import { inSkippedTime } from '../fastTime';
import { useTestbed } from '../testbed';
import { inputOf, read, rename } from '../parameters';

const testbed = useTestbed();

beforeEach(() => {
	for (const { id } of inputOf(4)) testbed.service.store.addContact('bot', { external_id: id });
});

const nodeSettings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** Situations that end a run, and must not affect the next try. */
const endings = {
	'a refused key': { kind: 'status', status: 401 },
	'a refused request': { kind: 'status', status: 400 },
	'a response that is not JSON': { kind: 'otherShape', body: 'Hello' },
} as const;

it.each(Object.entries(endings))('Retry On Fail starts again after %s', async (_, fault) => {
	testbed.service.faults.add({ when: { nth: 1 }, fault });
	const { items, tries } = await testbed.succeed(rename, { input: inputOf(4), nodeSettings });
	expect(tries).toBe(2);
	expect(items).toHaveLength(4);
});

it('Retry On Fail starts again after an item was refused before any request', async () => {
	let evaluations = 0;
	testbed.service.onRequest(() => void evaluations++);
	const { error, tries } = await testbed.run(
		{ ...read, contactId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } },
		{ input: [...inputOf(2), { id: ' ' }], nodeSettings },
	);
	expect(tries).toBe(2);
	expect(error?.message).toBe('Contact is empty');
	expect(evaluations).toBe(0);
});

it('Retry On Fail starts again when Batching is set', async () => {
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'status', status: 401 } });
	const batch = { batchSize: 2, batchInterval: 1 };
	// A first item with an error counts as a failed try, even when the workflow continues.
	const { items, tries } = await testbed.run(
		{ ...rename, requestOptions: { batching: { batch } } },
		{
			input: inputOf(4),
			nodeSettings: { ...nodeSettings, onError: 'continueRegularOutput' },
		},
	);
	expect(tries).toBe(2);
	expect(items.map(({ json }) => json.error)).toEqual(Array(4).fill(undefined));
});

it('executions at the same time share neither a refused key nor a cancellation', async () => {
	testbed.service.delayMs = 20;
	testbed.service.faults.add({
		when: { path: '/chatbots/bot/contacts/c0' },
		fault: { kind: 'status', status: 401 },
	});
	const [refused, stopped, other] = await Promise.all([
		testbed.run(read, {
			input: inputOf(1),
			nodeSettings: { onError: 'continueRegularOutput' },
		}),
		testbed.run(read, { input: [{ id: 'c1' }, { id: ' ' }] }),
		testbed.run(read, { input: [{ id: 'c2' }, { id: 'c3' }] }),
	]);
	testbed.service.delayMs = 0;
	expect(refused.items[0].json.error).toMatch(/^The service rejected the API key/);
	expect(stopped.error?.message).toBe('Contact is empty');
	expect(other.items.map(({ json }) => json.external_id)).toEqual(['c2', 'c3']);
});

it('the nodes of a workflow share neither a refused key nor a cancellation', async () => {
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'status', status: 401 } });
	const { nodes, error } = await testbed.engine.runWorkflow({
		nodes: [
			{ name: 'First', parameters: read, nodeSettings: { onError: 'continueRegularOutput' } },
			{ name: 'Second', parameters: read },
		],
		connections: [
			{ from: 'Start', to: 'First' },
			{ from: 'Start', to: 'Second' },
		],
		input: inputOf(1),
	});
	expect(error).toBeUndefined();
	expect(nodes.First.items[0].json.error).toMatch(/^The service rejected the API key/);
	expect(nodes.Second.items[0].json.external_id).toBe('c0');
});

it('the nodes of a workflow keep their own concurrency', async () => {
	testbed.service.delayMs = 100;
	const workflow = {
		nodes: [
			{ name: 'Narrow', parameters: { ...rename, options: { maxConcurrency: 1 } } },
			{ name: 'Wide', parameters: { ...rename, options: { maxConcurrency: 4 } } },
		],
		connections: [
			{ from: 'Start', to: 'Narrow' },
			{ from: 'Start', to: 'Wide' },
		],
		input: inputOf(4),
	};
	const { nodes } = await inSkippedTime(
		testbed.service,
		async () => await testbed.engine.runWorkflow(workflow),
	);
	testbed.service.delayMs = 0;
	expect([nodes.Narrow.items.length, nodes.Wide.items.length]).toEqual([4, 4]);
	const [first, second] = testbed.service.requests.map(({ at }) => at);
	expect(second - first).toBeGreaterThanOrEqual(100);
	expect(testbed.service.maxInFlight).toBe(4);
});

describe('the tool calls of an agent', () => {
	const parameters = {
		...read,
		contactId: { __rl: true, mode: 'id', value: "={{ $fromAI('contact', '', 'string') }}" },
	};
	const call = (tool: string, contact: string) => ({ tool, arguments: { contact } });

	it('share neither a refused key nor a cancellation', async () => {
		testbed.service.faults.add({
			when: { path: '/chatbots/bot/contacts/c0' },
			fault: { kind: 'status', status: 401 },
		});
		const { answers } = await testbed.engine.callTools({
			tools: [
				{ name: 'One', parameters },
				{ name: 'Other', parameters },
			],
			calls: [call('One', 'c0'), call('One', 'c1'), call('One', ' '), call('Other', 'c2')],
		});
		const read = answers.map(
			({ text }) => (JSON.parse(text!) as Array<Record<string, unknown>>)[0],
		);
		expect(read.map(({ external_id, error }) => external_id ?? error)).toEqual([
			expect.stringMatching(/^The service rejected the API key\. /),
			'c1',
			expect.stringMatching(/^Contact is empty\. /),
			'c2',
		]);
	});
});
