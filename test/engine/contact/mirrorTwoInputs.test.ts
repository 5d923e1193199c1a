/** In n8n 2.41, each line into the input of a node is a separate run with a part of the list, also of a node further up. */
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { branch, type NodeSettings } from '../harness';
import type { Connection } from '../harness/workflows';
import { mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';
import { idsIn, taggedMirror } from './rows';

const testbed = useTestbed();

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'source', type: 'text' });
	for (const id of ['a', 'b']) {
		store.addContact('bot', { external_id: id, custom_attributes: { source: 'crm' } });
	}
});

const parameters: INodeParameters = {
	resource: 'contact',
	...taggedMirror,
	...mapped({ external_id: '={{ $json.id }}' }),
};

/** By its second output, IF sends the contact `b`. */
const whole: IDataObject[] = [{ id: 'a' }, { id: 'b', output: 1 }];

interface Case {
	connections: Connection[];
	input?: IDataObject[];
	changed?: INodeParameters;
	onError?: NodeSettings['onError'];
}

/** Mirror after nodes that pass their input on. */
async function run({ connections, input = whole, changed, onError }: Case) {
	const { nodes } = await testbed.engine.runWorkflow({
		nodes: [
			{ name: 'Mirror', parameters: { ...parameters, ...changed }, nodeSettings: { onError } },
			...['IF', 'Edit', 'Join', 'Trigger'].map((name) => ({ name, node: branch.type })),
		],
		connections,
		input,
	});
	return nodes.Mirror;
}

const held = () => idsIn(testbed);

/** Lines such as `IF → Mirror`. Those from `IF 1` start at its second output. */
const lines = (...texts: string[]): Connection[] =>
	texts.map((text) => {
		const [start, to] = text.split(' → ');
		const [from, output = '0'] = start.split(' ');
		return { from, output: Number(output), to };
	});

const twoOutputs = lines('Start → IF', 'IF → Mirror', 'IF 1 → Mirror');

describe('lines that lead to it', () => {
	it.each([
		['two outputs of one node', twoOutputs, '"IF" and "IF"'],
		[
			'two nodes',
			lines('Start → IF', 'IF → Mirror', 'IF 1 → Edit', 'Edit → Mirror'),
			'"IF" and "Edit"',
		],
	])('are refused before any request when %s have them', async (_, connections, names) => {
		const { error } = await run({ connections });
		expect(error?.message).toBe('Mirror has several incoming connections');
		expect(error?.description).toContain(`at ${names}`);
		expect(error?.description).toContain('Put a Merge node before Mirror');
		expect(testbed.sent).toEqual([]);
	});

	it('are no obstacle when there is only one', async () => {
		const connections = lines('Start → IF', 'IF → Mirror');
		succeeded(await run({ connections, input: [{ id: 'a' }] }));
		expect(held()).toEqual(['a']);
	});

	it('are no obstacle when n8n does not tell them', async () => {
		Object.defineProperty(ExecuteContext.prototype, 'getConnections', {
			value: undefined,
			configurable: true,
		});
		try {
			expect((await run({ connections: twoOutputs })).error?.message).toBe(
				'Mirror can run only once per execution',
			);
		} finally {
			Reflect.deleteProperty(ExecuteContext.prototype, 'getConnections');
		}
	});
});

describe('lines that meet in a node before it', () => {
	const meeting: Array<[string, string, Connection[]]> = [
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
	const title = 'Branches join before Mirror without a Merge node';

	it.each(meeting)('are refused before any request when they come from %s', async (...given) => {
		const [, names, connections] = given;
		for (const changed of [{}, { dryRun: true }, { onMissing: 'mark' }]) {
			const { error } = await run({ connections, changed });
			expect(error?.message).toBe(title);
			expect(error?.description).toMatch(/^"(Join|Edit)" gets branches from .* Merge node/);
			expect(error?.description).toContain(names);
		}
		expect(testbed.sent).toEqual([]);
		expect(held()).toEqual(['a', 'b']);
	});

	it('are accepted when missing contacts are only reported', async () => {
		const [[, , connections]] = meeting;
		const changed = { onMissing: 'report' };
		succeeded(await run({ connections, input: [{ id: 'a' }], changed }));
		expect(held()).toEqual(['a', 'b']);
	});

	it.each([
		['itself', ['IF → Mirror']],
		['a node further up', ['IF → Join', 'Join → Mirror']],
	])('are refused when one output in a loop leads to %s and back', async (_, onward) => {
		const connections = lines('Start → IF', 'IF → Edit', 'Edit 1 → IF', ...onward);
		const { error } = await run({ connections, input: [{ id: 'a' }] });
		expect(error?.message).toBe('Mirror does not work inside a loop');
		expect(testbed.sent).toEqual([]);
	});

	it.each([
		['come from different triggers', ['Start → Join', 'Trigger → Join']],
		['close a loop', ['Start → IF', 'IF → Join', 'IF 1 → Edit', 'Edit → IF']],
	])('are accepted when they %s', async (_, before) => {
		const connections = lines(...before, 'Join → Mirror');
		succeeded(await run({ connections, input: [{ id: 'a' }] }));
		expect(held()).toEqual(['a']);
	});
});
