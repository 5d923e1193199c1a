/** Input that is not the whole list is refused by both mirrors before any request. n8n 2.41 runs a node once for each line into it. */
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { branch, type NodeSettings } from '../harness';
import type { Connection } from '../harness/workflows';
import { byId, succeeded } from '../testbed';
import { goOn, mirrors, rows, useMirror } from './mirrors';

/** Lines such as `IF → Mirror`. Those from `IF 1` start at its second output. */
const lines = (...texts: string[]): Connection[] =>
	texts.map((text) => {
		const [start, to] = text.split(' → ');
		const [from, output = '0'] = start.split(' ');
		return { from, output: Number(output), to };
	});

const twoOutputs = lines('Start → IF', 'IF → Mirror', 'IF 1 → Mirror');

describe.each(mirrors)('the input of a mirror of %s', (many, kind) => {
	const world = useMirror(kind);
	const { testbed } = world;

	beforeEach(async () => await world.settle('a', 'b'));

	interface Case {
		connections: Connection[];
		input?: IDataObject[];
		changed?: INodeParameters;
		nodeSettings?: NodeSettings;
	}

	/** Mirror after nodes that pass their input on. By its second output, IF sends `b`. */
	async function runAfter({ connections, changed, nodeSettings, ...given }: Case) {
		const [a, b] = rows('a', 'b');
		const { input = [a, { ...b, output: 1 }] } = given;
		const parameters = { dryRun: false, ...kind.parameters, ...changed };
		const { nodes } = await testbed.engine.runWorkflow({
			nodes: [
				{ name: 'Mirror', parameters, nodeSettings },
				...['IF', 'Edit', 'Join', 'Trigger'].map((name) => ({ name, node: branch.type })),
			],
			connections,
			input: input as never,
			mode: 'trigger',
			processed: world.processed,
		});
		return nodes.Mirror;
	}

	const accepted = async (given: Case) => {
		succeeded(await runAfter({ input: rows('a'), ...given }));
		return world.held();
	};

	it('can come from one output of several', async () => {
		expect(await accepted({ connections: lines('Start → IF', 'IF → Mirror') })).toEqual(['a']);
	});

	it('is a part of the list in a second run, which is seen without connections, too', async () => {
		Object.defineProperty(ExecuteContext.prototype, 'getConnections', {
			value: undefined,
			configurable: true,
		});
		try {
			const { error } = await runAfter({ connections: twoOutputs });
			expect(error?.message).toBe('Mirror can run only once per execution');
		} finally {
			Reflect.deleteProperty(ExecuteContext.prototype, 'getConnections');
		}
	});

	describe('behind branches that join without a Merge node', () => {
		const joined: Array<[string, string, Connection[]]> = [
			['two outputs of one node, in Mirror', '"IF" and "IF"', twoOutputs],
			[
				'two nodes, in Mirror',
				'"IF" and "Edit"',
				lines('Start → IF', 'IF → Mirror', 'IF 1 → Edit', 'Edit → Mirror'),
			],
			[
				'a node and one after it',
				'"IF" and "Edit"',
				lines('Start → IF', 'IF → Join', 'IF 1 → Edit', 'Edit → Join', 'Join → Mirror'),
			],
			[
				'two outputs of one node',
				'"IF" and "IF"',
				lines('Start → IF', 'IF → Join', 'IF 1 → Join', 'Join → Mirror'),
			],
			[
				'nodes further up',
				'"IF" and "IF"',
				lines('Start → IF', 'IF → Edit', 'IF 1 → Edit', 'Edit → Join', 'Join → Mirror'),
			],
		];

		it.each(joined)('may be a part of the list: %s', async (_, nodeNames, connections) => {
			for (const changed of [{ dryRun: true }, ...kind.handlings]) {
				const { error } = await runAfter({ connections, changed });
				expect(error?.message).toBe('Branches join before Mirror without a Merge node');
				expect(error?.description).toMatch(/^"(Mirror|Join|Edit)" gets branches from /);
				expect(error?.description).toContain(nodeNames);
				expect(error?.description).toContain(`the ${many} of the second as missing`);
			}
			expect(testbed.sent).toEqual([]);
		});

		it('is accepted when missing records are only reported', async () => {
			const [, , [, , connections]] = joined;
			const changed = { onMissing: 'report' };
			expect(await accepted({ connections, changed })).toEqual(['a', 'b']);
		});

		it.each([
			[
				'the branches come from different triggers',
				['Start → Join', 'Trigger → Join', 'Join → Mirror'],
			],
			['these join in Mirror', ['Start → Mirror', 'Trigger → Mirror']],
			[
				'one of them closes a loop',
				['Start → IF', 'IF → Join', 'IF 1 → Edit', 'Edit → IF', 'Join → Mirror'],
			],
		])('is accepted when %s', async (_, before) => {
			expect(await accepted({ connections: lines(...before) })).toEqual(['a']);
		});
	});

	it.each([
		['Mirror stands in it', lines('Start → Mirror', 'Mirror → Edit', 'Edit → Mirror')],
		[
			'each round also leads to Mirror',
			lines('Start → IF', 'IF → Edit', 'Edit 1 → IF', 'IF → Mirror'),
		],
		[
			'each round also leads to a node before Mirror',
			lines('Start → IF', 'IF → Edit', 'Edit 1 → IF', 'IF → Join', 'Join → Mirror'),
		],
	])('is a part of the list in a loop: %s', async (_, connections) => {
		const { error } = await runAfter({ connections, input: rows('a') });
		expect(error?.message).toBe('Mirror does not work inside a loop');
		expect(testbed.sent).toEqual([]);
	});

	it('is its first item alone with Execute Once', async () => {
		const { error } = await world.run(rows('a', 'b'), {}, { nodeSettings: { executeOnce: true } });
		expect(error?.message).toBe('Mirror does not work with Execute Once');
		expect(testbed.sent).toEqual([]);
	});

	it('is one record of an agent', async () => {
		const { records } = await testbed.callTool(kind.parameters, {});
		expect(JSON.stringify(records)).toContain('Mirror does not work as a tool');
		expect(testbed.sent).toEqual([]);
	});

	describe('with an item that has no ID', () => {
		it.each([
			['a blank one', { id: ' ', value: 'x' }],
			['an invisible one', { id: '\u00a0', value: 'x' }],
			['nothing at all', {}],
		])('is no list: %s', async (_, item) => {
			for (const input of [[...rows('a'), item], [item]]) {
				const options = { onFailedItems: 'finish' };
				const { items } = await world.run(input, { options }, goOn);
				for (const { json } of items) {
					expect(json.error).toMatch(new RegExp(`^${kind.withoutId}\\. `));
					// It says so once, and to the other items, too.
					expect(String(json.error).split('Nothing was written')).toHaveLength(2);
				}
				const { error } = await world.run(input, { dryRun: true });
				expect(error?.message).toBe(kind.withoutId);
			}
			expect(testbed.sent).toEqual([]);
		});
	});

	describe('from an operation of this node', () => {
		const notAList = 'The input of Mirror is a result, not a list';
		const deleted = { _sync: { action: 'deleted' } };

		it.each<[string, IDataObject]>([
			['a record', deleted],
			['text, as a data table has it', { _sync: JSON.stringify({ action: 'unchanged' }) }],
			['a column of its action, as a CSV file has it', { '_sync.action': 'updated' }],
		])('is no list, with `_sync` as %s', async (_, kept) => {
			const [first, second] = rows('a', 'new');
			for (const changed of [{}, { dryRun: true }, { onMissing: 'report' }]) {
				const { error } = await world.run([first, { ...second, ...kept }], changed);
				expect(error?.message).toBe(notAList);
				expect(error?.description).toMatch(
					/^Item 1 has _sync, .* Connect Mirror to the list itself\./,
				);
			}
			expect(testbed.sent).toEqual([]);
		});

		it.each([{}, { dryRun: true }, { operation: 'upsert' }])(
			'is no list for the mirror of another chatbot, after %j',
			async (changed) => {
				testbed.service.store.addChatbot({ id: 'second' });
				const first = { dryRun: false, ...kind.parameters, ...changed };
				const second = { ...kind.parameters, dryRun: false, chatbotId: byId('second') };
				const { nodes } = await testbed.engine.runWorkflow({
					nodes: [
						{ name: 'First', parameters: first },
						{ name: 'Second', parameters: second },
					],
					input: rows('a') as never,
				});
				expect(succeeded(nodes.First).items.length).toBeGreaterThan(0);
				expect(nodes.Second.error?.message).toBe(notAList);
				expect(world.held('second')).toEqual([]);
			},
		);

		it.each<[string, IDataObject]>([
			['create', deleted],
			['upsert', { '_sync.action': 'deleted' }],
		])('does not create a deleted record again (%s)', async (operation, kept) => {
			const [item] = rows('gone');
			const input = [...rows('new'), { ...item, ...kept }];
			const { items } = await world.run(input, { operation }, goOn);
			expect(world.outcomes({ items })[1]).toEqual([
				'gone',
				`A mirror has deleted this ${kind.one}`,
			]);
			expect(world.held()).toContain('new');
			expect(world.held()).not.toContain('gone');
		});
	});
});
