/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { InstanceSettings } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { setImmediate } from 'node:timers/promises';

import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { ProcessedItems, type RunOptions } from '../harness';
import { byId } from '../testbed';
import { chatbotId, goOn, outcomes, useWorld } from './world';

/** Of Node.js, which has loaded n8n-core. */
declare const requireShared: NodeJS.Require;

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
const upsert = async (
	contents: Record<string, string>,
	options: Partial<RunOptions> = {},
	more: INodeParameters = {},
) => await mirror(contents, { operation: 'upsert', options: more }, options);
const contentOf = (name: string) =>
	(world.source(`Docs: ${name}`).taught as { content?: string } | undefined)?.content;
const contents = () =>
	Object.fromEntries(['A', 'B', 'C'].map((name) => [name, contentOf(name) as string]));
const rows = () => [...world.processed.rows.values()];
/** The hints of a run, except for the one about the training. */
const messages = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message).filter((message) => !message.includes('in training'));

/** How many sources the memory gives up for those of this run, by its hint. */
const replaced = (result: Parameters<typeof messages>[0]) =>
	/instead of (.*) others?\. Use one node for each set\.$/m.exec(messages(result).join('\n'))?.[1];

/** Lets n8n crash at the access of this number to its table. Returns whether there was one. */
async function crashAt(number: number, run: () => Promise<unknown>): Promise<boolean> {
	let accesses = 0;
	let rowsAtCrash: Map<string, string> | undefined;
	world.processed.beforeAccess = () => {
		if (accesses === number) rowsAtCrash = new Map(world.processed.rows);
		accesses++;
	};
	await run();
	world.processed = new ProcessedItems();
	rowsAtCrash?.forEach((row, key) => world.processed.rows.set(key, row));
	return rowsAtCrash !== undefined;
}

const old = { A: 'one', B: 'two', C: 'six' };
const changed = { A: 'one', B: 'new', C: 'six' };

/** A question, a count, and what is unchanged in place of the earlier list. */
const accessesBeforeWrites = 4;
const firstAfterWrites = accessesBeforeWrites + 1;

describe('the memory of Mirror', () => {
	it.each<Partial<BehaviourV2>>([{}, { training: 'never' }, { trainingPolls: 3 }])(
		'sends nothing on later nights when the service has %j',
		async (behaviour) => {
			world.switchTo(behaviour);
			world.add({ name: 'Docs: A' });
			expect(outcomes((await mirror(old)).items)).toEqual(['updated', 'created', 'created']);
			for (let night = 2; night < 6; night++) {
				const { items } = await mirror(old);
				expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
				expect(world.steps).toEqual(['GET sources']);
			}
		},
	);

	it('does not notice a change made in the dashboard, which Always Send repairs', async () => {
		for (let night = 1; night <= 3; night++) await mirror(old);
		Object.assign(world.source('Docs: B'), { size: 99, taught: { content: 'edited' } });
		expect(outcomes((await mirror(old)).items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
		expect(world.writes).toEqual([]);
		const { items } = await mirror(old, { options: { alwaysSend: true } });
		expect(outcomes(items)).toEqual(['updated', 'updated', 'updated']);
		expect(contents()).toEqual(old);
	});

	it('asks n8n once a night, and leaves no more than one mark to remove', async () => {
		await mirror(old);
		for (let night = 2; night < 4; night++) {
			const accesses: string[] = [];
			world.processed.beforeAccess = (name) => accesses.push(name);
			await mirror(old);
			expect(accesses).toEqual(['checkProcessedAndRecord', 'removeProcessed']);
		}
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
			expect(messages(result)).toEqual([
				'1 source updated (Docs: B), 2 unchanged. 2 API requests.',
			]);
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
		const other = await mirror(changed, { chatbotId: byId('other') });
		expect(replaced(other)).toBe('3');
		const { items } = await mirror(changed, { chatbotId: byId('other') });
		expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
		await mirror(changed, { chatbotId });
		expect(contents()).toEqual(changed);
	});

	it('forgets a source whose write failed, and no other', async () => {
		await mirror(old);
		world.testbed.service.faults.add({ when: { method: 'PUT' }, fault: { kind: 'resetAfter' } });
		const { items } = await mirror(changed, {}, goOn);
		expect(outcomes(items)[1]).toBe(titleOf('broken'));
		expect(contentOf('B')).toBe('new');
		world.testbed.service.faults.clear();
		const { items: again } = await mirror(old, {}, goOn);
		expect(outcomes(again)).toEqual(['unchanged', 'updated', 'unchanged']);
	});

	it('does not remember a write that the service refused', async () => {
		await mirror(old);
		const refusal = { kind: 'status', status: 403 } as const;
		world.testbed.service.faults.add({ when: { method: 'PUT' }, fault: refusal });
		await mirror(changed, {}, goOn);
		expect(contents()).toEqual(old);
		world.testbed.service.faults.clear();
		await mirror(changed);
		expect(contents()).toEqual(changed);
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

	it('makes no twins when n8n crashes after any write and before it remembers that', async () => {
		for (let crash = 1; ; crash++) {
			world.reset();
			const isCut = await crashAt(crash, async () => await mirror(old));
			const { items } = await mirror(changed);
			expect(outcomes(items)).not.toContain('created');
			expect(world.sources).toHaveLength(3);
			expect(contents()).toEqual(changed);
			if (!isCut) return;
		}
	});

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
		let isOver = false;
		const slow = mirror(first).finally(() => (isOver = true));
		const hasWritten = () => isHeld && contentOf('B') === 'xyz';
		while (!isOver && !hasWritten()) await setImmediate();
		expect(hasWritten()).toBe(true);
		// It replaces what the first run has written, and is over before the first run remembers that.
		await mirror({ ...old, B: 'abc' });
		release();
		await slow;
		stop();
		await mirror(first);
		expect(contents()).toEqual(first);
	});

	it.each([
		'checkProcessedAndRecord',
		'clearAllProcessedItems',
		'getProcessedDataCount',
		'removeProcessed',
	] as const)('ends the run before its first write when %s fails', async (broken) => {
		await mirror(old);
		const before = new Map(world.processed.rows);
		world.processed.beforeAccess = (name) => {
			if (name === broken) throw new Error('No database');
		};
		const dryRun = broken === 'removeProcessed';
		const { error } = await mirror(changed, { dryRun });
		expect(error?.message).toBe("n8n can't use its memory of this node");
		expect(error?.description).toContain('No database. Nothing was written.');
		expect(world.writes).toEqual([]);
		world.processed.rows.clear();
		before.forEach((row, key) => world.processed.rows.set(key, row));
		const { items } = await mirror(changed, { dryRun }, goOn);
		expect(outcomes(items)).toEqual(Array(3).fill("n8n can't use its memory of this node"));

		world.processed.beforeAccess = () => {};
		expect(contents()).toEqual(old);
		await mirror(changed);
		expect(contents()).toEqual(changed);
	});

	it('may fail after the writes: a hint says so, and the next run sends them again', async () => {
		await mirror(old);
		world.processed.beforeAccess = () => {
			if (contentOf('B') === 'new') throw new Error('No database');
		};
		const result = await mirror(changed);
		expect(outcomes(result.items)).toEqual(['unchanged', 'updated', 'unchanged']);
		expect(messages(result)).toContain(
			'n8n could not remember what this run sent, so the next run may send it again: No database',
		);
		world.processed.beforeAccess = () => {};
		expect(outcomes((await mirror(old)).items)).toEqual(['unchanged', 'updated', 'unchanged']);
	});
});

const updated = ['updated', 'updated', 'updated'];

describe('where n8n has no memory, every source is sent', () => {
	const addAll = () => Object.keys(old).forEach((name) => world.add({ name: `Docs: ${name}` }));

	it('on the first run', async () => {
		addAll();
		expect(outcomes((await upsert(old)).items)).toEqual(updated);
		expect(outcomes((await upsert(changed)).items)).toEqual(['unchanged', 'updated', 'unchanged']);
	});

	it('for a source that is new in the input', async () => {
		await upsert({ A: 'one', C: 'six' });
		world.add({ name: 'Docs: B' });
		const result = await upsert(old);
		expect(outcomes(result.items)).toEqual(['unchanged', 'updated', 'unchanged']);
	});

	it('in a workflow that was never saved', async () => {
		for (let run = 1; run <= 2; run++) {
			addAll();
			const result = await upsert({ A: 'one' }, { workflowId: '' });
			expect(outcomes(result.items)).toEqual(['updated']);
			world.reset();
		}
	});

	it('in an n8n without these functions', async () => {
		const helpers = requireShared(
			'n8n-core/dist/execution-engine/node-execution-context/utils/deduplication-helper-functions',
		) as { getDeduplicationHelperFunctions(): object };
		jest.spyOn(helpers, 'getDeduplicationHelperFunctions').mockReturnValue({});
		addAll();
		await upsert(old);
		const result = await upsert(old);
		expect(outcomes(result.items)).toEqual(updated);
	});

	it('in a tool call', async () => {
		world.add({ name: 'Docs: A' });
		const parameters = { ...columns, operation: 'upsert', name: 'Docs: A', content: 'one' };
		const { processed } = world;
		for (let call = 1; call <= 2; call++) {
			const { text } = await world.testbed.engine.callTool({
				parameters: { ...world.testbed.fixed, ...parameters },
				arguments: {},
				processed,
			});
			const records = JSON.parse(text ?? '[]') as IDataObject[];
			expect(records).toMatchObject([{ name: 'Docs: A', _sync: { action: 'updated' } }]);
		}
		expect(rows()).toEqual([]);
	});

	it('after two runs at a time or a crash, of a dry run too', async () => {
		await upsert(old);
		await crashAt(1, async () => await upsert(old, {}, { dryRun: true }));
		const dry = await upsert(old, {}, { dryRun: true });
		expect(outcomes(dry.items)).toEqual(Array(3).fill('wouldUpdate'));
		expect(outcomes((await upsert(old)).items)).toEqual(updated);
	});
});

describe('the memory of Create or Update', () => {
	it('is that of Mirror', async () => {
		await upsert(old);
		expect(outcomes((await mirror(old)).items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
		const { items } = await upsert(changed);
		expect(outcomes(items)).toEqual(['unchanged', 'updated', 'unchanged']);
	});

	it.each(['manual', 'trigger'] as const)('is there in a worker, in the mode %s', async (mode) => {
		jest.spyOn(InstanceSettings.prototype, 'isWorker', 'get').mockReturnValue(true);
		const memory: IDataObject = {};
		await upsert(old, { memory, mode });
		const { items } = await upsert(changed, { memory, mode });
		expect(outcomes(items)).toEqual(['unchanged', 'updated', 'unchanged']);
		expect(memory).toEqual({});
	});

	it('is left as it was by a run that finds all of its items there', async () => {
		for (let night = 1; night <= 3; night++) await upsert(old);
		const before = rows();
		const part = await upsert({ A: 'one' });
		expect([outcomes(part.items), world.steps]).toEqual([['unchanged'], ['GET sources']]);
		expect(rows()).toEqual(before);
		expect(outcomes((await upsert(old)).items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
	});

	it('becomes that of the last run that sent something, which a hint says', async () => {
		await upsert(old);
		const batch = await upsert({ A: 'ONE' });
		expect(messages(batch)).toContain(
			'This node now remembers this source instead of at least 2 others. Use one node for each set.',
		);
		const result = await upsert(old);
		expect(outcomes(result.items)).toEqual(['updated', 'updated', 'updated']);
	});

	it.each([
		['a loop with other documents', { D: 'ten' }, '3'],
		['some documents that are new', { ...old, D: 'ten' }, undefined],
		['one that is gone', { A: 'ONE', B: 'two' }, undefined],
		['all of them changed', { A: 'ONE', B: 'TWO', C: 'SIX' }, undefined],
	])('says that another set is replaced in %s: %j, %s', async (_, next, others) => {
		await upsert(old);
		const result = await upsert(next as unknown as Record<string, string>);
		expect(replaced(result)).toBe(others);
	});

	it('names no other sources when a crash has made its list doubtful', async () => {
		await upsert(old);
		await crashAt(1, async () => await upsert(old, {}, { dryRun: true }));
		expect(replaced(await upsert(old))).toBeUndefined();
	});

	it('is left as it was by a run that stops before its first write', async () => {
		await upsert(old);
		const before = rows();
		world.add({ name: 'Docs: A' });
		const { error } = await upsert(changed);
		expect(error?.message).toBe('Several sources have this name');
		expect(rows()).toEqual(before);
	});

	it('says that the documents of another prefix are replaced', async () => {
		await mirror(old);
		const faq = { name: '=FAQ: {{ $json.name }}', namePrefix: 'FAQ: ' };
		expect(replaced(await mirror(old, faq))).toBe('3');
	});
});

describe('a clean-up of many lines', () => {
	const many = (text: string) =>
		Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}`, text]));

	// Of a source that the node has not written, looking adds a line.
	beforeEach(() => {
		for (const name of Object.keys(many('new'))) world.add({ name: `Docs: ${name}` });
	});

	it('that is cut off leaves no list that is trusted', async () => {
		const before = new Map(world.processed.rows);
		for (let crash = 1; ; crash++) {
			world.processed = new ProcessedItems();
			for (const [key, row] of before) world.processed.rows.set(key, row);
			const isCut = await crashAt(crash, async () => {
				await upsert(many('new'), {}, { dryRun: true });
			});
			if (!isCut) {
				expect(crash).toBeGreaterThan(3);
				return;
			}
			const dry = await upsert(many('new'), {}, { dryRun: true });
			expect(new Set(outcomes(dry.items))).toEqual(new Set(['wouldUpdate']));
		}
	});

	it('lets n8n do other work between its parts', async () => {
		let turns = 0;
		let isOver = false;
		const countTurns = async () => {
			for (; !isOver; turns++) await setImmediate();
		};

		const turnsAtParts: number[] = [];
		world.processed.beforeAccess = (name) => {
			if (name !== 'removeProcessed') return;
			turnsAtParts.push(turns);
			// A long list holds the thread for so long.
			const startedAt = performance.now();
			while (performance.now() - startedAt < 30);
		};
		const counting = countTurns();
		await upsert(many('new'), {}, { dryRun: true });
		isOver = true;
		await counting;

		expect(turnsAtParts.length).toBeGreaterThan(2);
		// A busy machine can end two pauses in one turn of the event loop.
		expect(new Set(turnsAtParts).size).toBeGreaterThan(1);
	});
});
