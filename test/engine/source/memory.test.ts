/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { InstanceSettings } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { setImmediate } from 'node:timers/promises';

import type { BehaviourV2 } from '../../../service';
import { ProcessedItems, type RunOptions } from '../harness';
import { byId } from '../testbed';
import { chatbotId, goOn, outcomes, useWorld } from './world';

const world = useWorld('mirror');

afterEach(() => {
	jest.restoreAllMocks();
});

const columns = {
	sourceType: 'text',
	name: '=Docs: {{ $json.name }}',
	content: '={{ $json.content }}',
	namePrefix: 'Docs: ',
};

/** Documents with contents of one length, so that no size tells that a source has changed. */
const docs = (contents: Record<string, string>) =>
	Object.entries(contents).map(([name, content]) => ({ name, content }));
const mirror = async (
	contents: Record<string, string>,
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
) => await world.run({ ...columns, ...parameters }, docs(contents), options);
const upsert = async (contents: Record<string, string>, options: Partial<RunOptions> = {}) =>
	await mirror(contents, { operation: 'upsert' }, options);
const contentOf = (name: string) =>
	(world.source(`Docs: ${name}`).taught as { content?: string } | undefined)?.content;
const contents = () =>
	Object.fromEntries(['A', 'B', 'C'].map((name) => [name, contentOf(name) as string]));
const rows = () => [...world.processed.rows.values()];
const messages = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message);

const old = { A: 'one', B: 'two', C: 'six' };
const changed = { A: 'one', B: 'new', C: 'six' };

/** A question, and what is unchanged in place of the earlier list. */
const accessesBeforeWrites = 3;
const firstAfterWrites = accessesBeforeWrites + 1;

describe('the memory of Mirror', () => {
	it.each<Partial<BehaviourV2>>([
		{},
		{ sourceSize: 'afterTraining' },
		{ training: 'never' },
		{ training: 'never', sourceSize: 'afterTraining' },
		{ trainingPolls: 3, sourceSize: 'afterTraining' },
		{ updatedSize: 'oldUntilTrained' },
		{ updatedSize: 'oldUntilTrained', trainingPolls: 3 },
	])('sends nothing on later nights when the service has %j', async (behaviour) => {
		world.switchTo(behaviour);
		world.add({ name: 'Docs: A' });
		expect(outcomes((await mirror(old)).items)).toEqual(['updated', 'created', 'created']);
		for (let night = 2; night < 6; night++) {
			const { items } = await mirror(old);
			expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
			expect(world.steps).toEqual(['GET sources']);
		}
		// A size that was seen after the training is known from then on.
		const isKnown = world.source('Docs: B').status === 'trained';
		Object.assign(world.source('Docs: B'), { size: 99 });
		const { items } = await mirror(old);
		if (isKnown) expect(outcomes(items)).toEqual(['unchanged', 'updated', 'unchanged']);
	});

	it('forgets the earlier content of a source', async () => {
		for (const night of [old, changed, old, changed]) {
			await mirror(night);
			expect(contents()).toEqual(night);
		}
	});

	it.each(['manual', 'trigger', 'webhook'] as const)(
		'is there in the mode %s, and leaves the memory of other nodes alone',
		async (mode) => {
			await mirror(old, {}, { mode });
			const result = await mirror(changed, {}, { mode });
			expect(outcomes(result.items)).toEqual(['unchanged', 'updated', 'unchanged']);
			expect(messages(result)).toEqual(['1 source updated, 2 unchanged. 2 API requests.']);
			expect(world.memory).toEqual({});
		},
	);

	it('holds hashes only', async () => {
		await mirror(old);
		const [hashes] = rows().map((row) => JSON.parse(row) as string[]);
		expect(hashes).toHaveLength(3);
		for (const hash of hashes) expect(hash).toMatch(/^[\w+/]{22}==$/);
	});

	it('is as it was after a dry run', async () => {
		await mirror(old);
		const before = rows();
		const { items } = await mirror({ A: 'one', B: 'new', D: 'ten' }, { dryRun: true });
		expect(outcomes(items).sort()).toEqual(['missing', 'unchanged', 'wouldCreate', 'wouldUpdate']);
		expect(rows()).toEqual(before);
		expect(outcomes((await mirror(old)).items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
	});

	it('is as it was after a dry run of many sources', async () => {
		const many = (text: string) =>
			Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}`, text]));
		await mirror(many('old'));
		const before = rows();
		await mirror(many('new'), { dryRun: true });
		expect(rows()).toEqual(before);
	});

	it('belongs to one chatbot, the last', async () => {
		world.testbed.service.store.addChatbot({ id: 'other' });
		await mirror(old);
		await mirror(changed, { chatbotId: byId('other') });
		const { items } = await mirror(changed, { chatbotId: byId('other') });
		expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
		await mirror(changed, { chatbotId });
		expect(contents()).toEqual(changed);
	});

	it('forgets a source whose write failed, and no other', async () => {
		await mirror(old);
		world.testbed.service.faults.add({ when: { method: 'PUT' }, fault: { kind: 'resetAfter' } });
		const { items } = await mirror(changed, {}, goOn);
		expect(outcomes(items)[1]).toBe('The connection to the service was lost');
		expect(contentOf('B')).toBe('new');
		world.testbed.service.faults.clear();
		const { items: again } = await mirror(old, {}, goOn);
		expect(outcomes(again)).toEqual(['unchanged', 'updated', 'unchanged']);
	});

	it('knows after a cancelled run what was written', async () => {
		await mirror(old);
		const controller = new AbortController();
		const stop = world.testbed.service.onRequest(({ method }) => {
			if (method === 'PUT') controller.abort();
		});
		const all = { A: 'ONE', B: 'TWO', C: 'SIX' };
		const options = { options: { maxConcurrency: 1 } };
		await mirror(all, options, { signal: controller.signal });
		stop();
		expect(Object.values(contents()).filter((text) => text === text.toUpperCase()).length).toBe(1);
		await mirror(old);
		expect(contents()).toEqual(old);
	});

	it.each([
		['what was sent arrives', true],
		['nothing more arrives', false],
	])(
		'claims nothing that is not so when n8n crashes at any access to its table and %s',
		async (_, arrives) => {
			for (let crash = arrives ? firstAfterWrites : 1; ; crash++) {
				world.reset();
				await mirror(old);
				let accesses = 0;
				let atCrash = new Map<string, string>();
				let served = contents();
				world.processed.beforeAccess = () => {
					if (++accesses !== crash) return;
					atCrash = new Map(world.processed.rows);
					served = contents();
				};
				await mirror(changed);
				if (accesses < crash) {
					expect(crash).toBeGreaterThan(5);
					return;
				}
				world.processed = new ProcessedItems();
				for (const [key, row] of atCrash) world.processed.rows.set(key, row);
				for (const [name, content] of Object.entries(arrives ? {} : served)) {
					Object.assign(world.source(`Docs: ${name}`).taught!, { content });
				}
				const wanted = arrives ? old : changed;
				const { items } = await mirror(wanted);
				expect({ crash, ...contents() }).toEqual({ crash, ...wanted });
				if (crash !== firstAfterWrites) continue;
				expect(outcomes(items)).toEqual(['unchanged', 'updated', 'unchanged']);
			}
		},
	);

	it('is not trusted after two runs at a time', async () => {
		await mirror(old);
		let release = () => {};
		const isReleased = new Promise<void>((resolve) => (release = resolve));
		const held = world.source('Docs: C').id;
		let isHeld = false;
		const stop = world.testbed.service.onRequest(async ({ method, path }) => {
			if (method !== 'PUT' || !path.endsWith(held) || isHeld) return;
			isHeld = true;
			await isReleased;
		});
		const first = { A: 'one', B: 'xyz', C: 'ten' };
		const slow = mirror(first);
		while (!isHeld || contentOf('B') !== 'xyz') await setImmediate();
		// It replaces what the first run has written, and is over before the first run remembers that.
		await mirror({ ...old, B: 'abc' });
		release();
		await slow;
		stop();
		await mirror(first);
		expect(contents()).toEqual(first);
	});

	it.each(['checkProcessedAndRecord', 'clearAllProcessedItems', 'removeProcessed'] as const)(
		'is no part of success: %s may fail',
		async (broken) => {
			await mirror(old);
			world.processed.beforeAccess = (name) => {
				if (name === broken) throw new Error('No database');
			};
			const dry = await mirror(changed, { dryRun: true });
			const result = await mirror(changed);
			expect([dry.error, result.error]).toEqual([undefined, undefined]);
			const warned = messages(broken === 'removeProcessed' ? dry : result).join(' ');
			expect(warned).toContain('n8n has no memory of this node');
			expect(warned).toContain('No database');
			expect(contents()).toEqual(changed);
			world.processed.beforeAccess = () => {};
			await mirror(old);
			expect(contents()).toEqual(old);
		},
	);

	it('is no part of success: it may fail after the writes', async () => {
		await mirror(old);
		world.processed.beforeAccess = () => {
			if (contentOf('B') === 'new') throw new Error('No database');
		};
		const result = await mirror(changed);
		expect(outcomes(result.items)).toEqual(['unchanged', 'updated', 'unchanged']);
		expect(messages(result).join(' ')).toContain('No database');
		world.processed.beforeAccess = () => {};
		expect(outcomes((await mirror(old)).items)).toEqual(['unchanged', 'updated', 'unchanged']);
	});
});

describe('the memory of Create or Update', () => {
	const inWorker = () => {
		jest.spyOn(InstanceSettings.prototype, 'isWorker', 'get').mockReturnValue(true);
	};
	const warning = 'n8n does not remember what this run sent.';

	it('is not written by a worker, which n8n hands no memory', async () => {
		inWorker();
		const memory: IDataObject = {};
		const result = await upsert(old, { memory });
		expect(memory).toEqual({});
		expect(messages(result).join(' ')).toContain(warning);
		expect(outcomes((await upsert(old, { memory })).items)).toEqual([
			'updated',
			'updated',
			'updated',
		]);
	});

	it('is not written behind a polling trigger, whose place n8n would set back', async () => {
		const memory: IDataObject = {};
		const node = {
			name: 'Write',
			parameters: { ...world.testbed.fixed, ...columns, operation: 'upsert' },
		};
		for (let night = 1; night <= 2; night++) {
			const { nodes } = await world.testbed.engine.runWorkflow({
				nodes: [node, { name: 'Poll', node: 'n8n-nodes-chatbase.chatbaseTrigger' }],
				connections: [{ from: 'Start', to: 'Write' }],
				input: docs(old),
				mode: 'trigger',
				memory,
			});
			expect(messages(nodes.Write).join(' ')).toContain(warning);
		}
		expect(memory).toEqual({});
	});

	it('forgets a source whose write failed', async () => {
		await upsert(old);
		world.testbed.service.faults.add({ when: { method: 'PUT' }, fault: { kind: 'resetAfter' } });
		await upsert(changed, goOn);
		world.testbed.service.faults.clear();
		await upsert(old);
		expect(contents()).toEqual(old);
	});

	it('is read, but not written, by a test run, which says so', async () => {
		await upsert(old);
		const before = structuredClone(world.memory);
		const result = await upsert(changed, { mode: 'manual' });
		expect(outcomes(result.items)).toEqual(['unchanged', 'updated', 'unchanged']);
		expect(messages(result)[0]).toBe(
			'n8n does not remember what this run sent. If a published workflow has other content of the same length, turn on Always Send there for one run.',
		);
		expect(world.memory).toEqual(before);
		expect(messages(await upsert(old, { mode: 'manual' })).join(' ')).not.toContain(warning);
	});

	it.each([
		[upsert, mirror],
		[mirror, upsert],
	])('is not mixed up with that of Mirror (%#)', async (first, second) => {
		await first(old);
		await second(changed);
		await first(old);
		expect(contents()).toEqual(old);
	});
});
