import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { type BehaviourV2, type Fault, type FaultCondition, illegalities } from '../../../service';
import { inSkippedTime } from '../fastTime';
import type { RunOptions } from '../harness';
import { byId, succeeded, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbot', operation: 'clone' });
const goOn = { nodeSettings: { onError: 'continueRegularOutput' as const } };
const clonePath = /\/clone$/;

beforeEach(() => {
	const { store } = testbed.service;
	store.chatbots.clear();
	store.addChatbot({ id: 'template', name: 'Template', instructions: 'Be brief.' });
	store.addSource('template', { name: 'Returns' });
	store.addSource('template', { name: 'Delivery', type: 'qna' });
	store.addSource('template', { name: 'Wiki', type: 'notionPage' });
});

const run = async (
	options: INodeParameters = {},
	{ items = 1, ...more }: Partial<RunOptions> & { items?: number } = {},
) =>
	await inSkippedTime(
		testbed.service,
		async () =>
			await testbed.run(
				{ chatbotId: byId('template'), options },
				{ input: Array.from({ length: items }, (_, index) => ({ index })), ...more },
			),
	);
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);
const clones = () =>
	[...testbed.service.store.chatbots.values()].filter(({ id }) => id !== 'template');
const idsOfClones = () => clones().map(({ id }) => id);
const steps = () =>
	testbed.service.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
const clonings = () => steps().filter((step) => step === 'POST clone');
const textOf = (error: { message: string; description?: string | null } | undefined) =>
	`${error?.message}: ${error?.description}`;

it('makes a copy with its settings and sources, and returns its ID', async () => {
	const { items } = succeeded(await run());
	const [clone] = clones();
	expect(items).toEqual([
		{
			json: {
				chatbotId: clone.id,
				name: 'Template',
				clonedFrom: 'template',
				pendingSteps: [],
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(clone.settings).toMatchObject({ name: 'Template', instructions: 'Be brief.' });
	expect(clone.agent.sources.map(({ name }) => name)).toEqual(['Returns', 'Delivery']);
	expect(steps()).toEqual(['POST clone', `GET ${clone.id}`]);
	expect(illegalities(testbed.service.requests)).toEqual([]);
});

it.each([
	["can't be read", { kind: 'status', status: 403 }],
	['is not in the answer', { kind: 'otherShape', body: { id: 'clone' } }],
] as const)('returns null as the name when it %s', async (_, fault) => {
	testbed.service.faults.add({ when: { method: 'GET' }, fault });
	const { items } = succeeded(await run());
	expect(items[0].json).toMatchObject({ chatbotId: idsOfClones()[0], name: null });
});

it('renames the clone by version 2, since version 1 may not know it yet', async () => {
	switchTo({ cloneLagSeconds: 60 });
	succeeded(await run({ name: '={{ $json.index }}. Customer' }, { items: 2 }));
	expect(clones().map(({ settings }) => settings.name)).toEqual(['0. Customer', '1. Customer']);
	const [first, second] = idsOfClones();
	expect(steps()).toEqual(['POST clone', `PUT ${first}`, 'POST clone', `PUT ${second}`]);
	expect(illegalities(testbed.service.requests)).toEqual([]);
});

it('refuses a name of more than 100 characters before any request', async () => {
	const { error } = await run({ name: 'a'.repeat(101) });
	expect(error?.message).toBe('New Name is not a text of 1 to 100 characters');
	expect(steps()).toEqual([]);
});

it.each(['A', 'a'.repeat(100)])('sets and returns the name %s', async (name) => {
	const { items } = succeeded(await run({ name }));
	expect(items[0].json.name).toBe(name);
	expect(clones()[0].settings.name).toBe(name);
});

it('keeps the name if New Name is blank', async () => {
	const { items } = succeeded(await run({ name: ' ' }));
	expect(items[0].json.name).toBe('Template');
	expect(steps()).toEqual(['POST clone', `GET ${idsOfClones()[0]}`]);
});

it('says which steps the service left out', async () => {
	switchTo({ clonePendingSteps: ['ADD_SOURCE', 'TRAIN_AGENT'] });
	const { items, hints } = succeeded(await run());
	expect(items[0].json.pendingSteps).toEqual(['ADD_SOURCE', 'TRAIN_AGENT']);
	expect(hints).toMatchObject([
		{ message: expect.stringContaining('A new chatbot is not complete') },
	]);
});

it('is found by version 1 later, if the service needs time', async () => {
	const { clock } = testbed.service.store;
	clock.set('2026-07-01T00:00:00Z');
	switchTo({ cloneLagSeconds: 60 });
	const { items } = await run();
	const get = { operation: 'get', chatbotId: byId(String(items[0].json.chatbotId)) };
	const { error } = await testbed.run(get);
	expect(error?.message).toBe(titleOf('404'));
	clock.advance(60_000);
	const later = await testbed.run(get);
	clock.release();
	expect(later.items[0].json.name).toBe('Template');
});

describe('Seconds to Wait for Training', () => {
	it('waits until all sources of the clone are trained', async () => {
		switchTo({ trainingPolls: 3 });
		const { items } = succeeded(await run({ waitForTraining: 60 }));
		expect(items).toHaveLength(1);
		expect(clones()[0].agent.sources.map(({ status }) => status)).toEqual(['trained', 'trained']);
		expect(steps()).toEqual([
			'POST clone',
			...Array<string>(4).fill('GET sources'),
			`GET ${idsOfClones()[0]}`,
		]);
	});

	it('fails if a training fails, and names the clone', async () => {
		switchTo({ training: 'fails' });
		const { error } = await run({ waitForTraining: 60 });
		expect(error?.message).toBe('The training of the source failed');
		expect(error?.description).toContain(`The clone exists: its ID is ${idsOfClones()[0]}.`);
	});

	it.each<[string, Partial<BehaviourV2>]>([
		['takes too long', { training: 'never' }],
		['was not started', { clonePendingSteps: ['TRAIN_AGENT'] }],
	])('ends with a hint if the training %s', async (_, behaviour) => {
		switchTo(behaviour);
		const { items, hints } = succeeded(await run({ waitForTraining: 60 }));
		expect(items[0].json.chatbotId).toBe(idsOfClones()[0]);
		expect(JSON.stringify(hints)).toContain('Seconds to Wait for Training');
	});

	it('advises no second clone if the sources could not be read completely', async () => {
		switchTo({ total: 'tooHigh' });
		const { error } = await run({ waitForTraining: 60 });
		expect(error?.message).toBe('The sources could not be read completely');
		expect(error?.description).toContain(
			`Look at the sources of the clone in the dashboard. The clone exists: its ID is ${idsOfClones()[0]}.`,
		);
		expect(error?.description).not.toContain('Run the node again');
	});

	it('has nothing to wait for in a chatbot without sources', async () => {
		testbed.service.store.chatbot('template').agent.sources = [];
		succeeded(await run({ waitForTraining: 60 }));
	});
});

describe('no clone is made twice', () => {
	it('nor after the timeout, which is 300 seconds', async () => {
		testbed.service.faults.add({
			when: { path: clonePath },
			fault: { kind: 'stall', handled: true },
		});
		let waited = 0;
		const { error } = await inSkippedTime(testbed.service, async () => {
			const start = performance.now();
			const result = await testbed.run({ chatbotId: byId('template') });
			waited = performance.now() - start;
			return result;
		});
		expect(waited).toBeGreaterThanOrEqual(300_000);
		expect(waited).toBeLessThan(310_000);
		expect(textOf(error)).toContain(titleOf('timeout'));
		expect(textOf(error)).toContain('A clone may exist.');
		expect(clonings()).toHaveLength(1);
	});

	it('waits for a slow service', async () => {
		testbed.service.faults.add({
			when: { path: clonePath },
			fault: { kind: 'delay', ms: 240_000 },
		});
		const { items } = succeeded(await run());
		expect(items[0].json.chatbotId).toBe(idsOfClones()[0]);
	});

	it('ends at once if the execution is canceled, and makes no further clone', async () => {
		const cancel = new AbortController();
		testbed.service.faults.add({ when: { path: clonePath, nth: 2 }, fault: { kind: 'stall' } });
		const arrived = new Promise<void>((resolve) =>
			testbed.service.onRequest(() => {
				if (clonings().length === 2) resolve();
			}),
		);
		const running = testbed.run(
			{ chatbotId: byId('template') },
			{ input: [{}, {}, {}], signal: cancel.signal },
		);
		await arrived;
		cancel.abort();
		await running;
		expect(clonings()).toHaveLength(2);
	});
});

describe('a failure of one item', () => {
	it.each([
		['Stop', {}],
		['Continue', goOn],
	] as const)(
		'after the first clone names that clone, and %s holds',
		async (onError, nodeSettings) => {
			testbed.service.faults.add({
				when: { path: clonePath, nth: 2 },
				fault: { kind: 'resetAfter' },
			});
			const { items, error } = await run({}, { items: 3, ...nodeSettings });
			const [first, unknown, third] = idsOfClones();
			const failure = onError === 'Stop' ? textOf(error) : String(items[1].json.error);
			expect(failure).toContain('A clone may exist.');
			expect(failure).toContain(`Other clones of this run: ${first}.`);
			expect(failure).not.toContain(unknown);
			expect(clonings()).toHaveLength(onError === 'Stop' ? 2 : 3);
			if (onError === 'Continue') {
				expect(items.map(({ json }) => json.chatbotId)).toEqual([first, undefined, third]);
			} else {
				expect(failure).toMatch(/ Done: item 0\. Unknown: item 1\.$/);
			}
		},
	);

	it('names the clone whose name could not be set', async () => {
		testbed.service.faults.add({
			when: { method: 'PUT' },
			fault: { kind: 'status', status: 403 },
		});
		const { items } = await run({ name: 'Customer' }, { items: 2, ...goOn });
		expect(items.map(({ json }) => String(json.error))).toEqual(
			idsOfClones().map(
				(id) => expect.stringContaining(`The clone exists: its ID is ${id}.`) as unknown,
			),
		);
		expect(clonings()).toHaveLength(2);
	});

	it.each<[string, Fault, FaultCondition, INodeParameters]>([
		[
			'the name is refused',
			{ kind: 'status', status: 403 },
			{ method: 'PUT', nth: 13 },
			{ name: 'C' },
		],
		[
			'the key is rejected',
			{ kind: 'status', status: 401 },
			{ method: 'PUT', nth: 13 },
			{ name: 'C' },
		],
		[
			'the sources cannot be read',
			{ kind: 'status', status: 403 },
			{ path: /\/sources$/, matches: () => clones().length === 13 },
			{ waitForTraining: 60 },
		],
		['the clone is refused', { kind: 'status', status: 403 }, { path: clonePath, nth: 13 }, {}],
	])(
		'names the twelve clones before it with their IDs in Stop mode, when %s',
		async (_, fault, when, options) => {
			switchTo({ trainingPolls: 0 });
			testbed.service.faults.add({ when, fault });
			const { error } = await run(options, { items: 14 });
			const before = idsOfClones().slice(0, 12);
			expect(textOf(error)).toContain(`Other clones of this run: ${before.join(', ')}. Done: `);
			if (clones().length > 12) expect(textOf(error)).toContain(`its ID is ${idsOfClones()[12]}.`);
		},
	);

	it('repeats a rename whose outcome is unknown', async () => {
		testbed.service.faults.add({
			when: { method: 'PUT', nth: 1 },
			fault: { kind: 'resetAfter' },
		});
		succeeded(await run({ name: 'Customer' }));
		expect(clones()[0].settings.name).toBe('Customer');
	});

	it('says that the plan allows no more chatbots', async () => {
		switchTo({ agentLimit: 2 });
		const { error } = await run({}, { items: 3 });
		expect(error?.message).toBe(titleOf('403'));
		expect(error?.description).toContain(`Other clones of this run: ${idsOfClones()[0]}.`);
		expect(error?.description).toMatch(/ Done: item 0\.$/);
		expect(error?.description).not.toContain('may exist');
		expect(clonings()).toHaveLength(2);
	});
});
