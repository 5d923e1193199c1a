import type { IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { InputItem } from '../../../nodes/Chatbase/execution/item';
import { RunContext } from '../../../nodes/Chatbase/execution/context';
import { type Operation, runOperation } from '../../../nodes/Chatbase/execution/run';

const node = { name: 'Node', type: 'chatbase', typeVersion: 1 } as INode;
const request = { method: 'GET', path: '', resource: 'chatbots' } as const;

function contextOf(
	items: object[],
	parameters: INodeParameters = {},
	continueOnFail = false,
): RunContext {
	const functions = {
		getNode: () => ({ ...node, parameters }),
		getInputData: () => items,
		continueOnFail: () => continueOnFail,
		getCredentials: async () => ({ apiKey: 'key', baseUrl: 'https://api.example' }),
	};
	return new RunContext(functions as unknown as IExecuteFunctions);
}

it('reads an item as empty when it has no json', () => {
	const context = contextOf([{}], { message: '={{ $json.text }}' });
	const item = new InputItem(context, 0, request);
	expect(item.json).toEqual({});
	expect(item.parameter('message')).toBeUndefined();
});

it('reads settings for each item when they hold an expression and settings that are fixed', () => {
	const context = contextOf([{ json: { id: 1 } }, { json: { id: 2 } }], {
		id: '={{ $json.id }}',
		fixed: 'same',
	});
	const read = (index: number) => {
		const item = new InputItem(context, index, request);
		return context.readSettings('outer', () => ({
			id: item.parameter('id'),
			inner: context.readSettings('inner', () => ({ fixed: item.parameter('fixed') })),
		}));
	};
	expect([read(0).id, read(1).id]).toEqual([1, 2]);
});

it('has the number of the first item when several fail with one error', async () => {
	const error = new NodeOperationError(node, 'The list is not readable');
	const operation: Operation = {
		value: 'read',
		request,
		read: () => undefined,
		async send({ item }) {
			await sleep(item.index === 1 ? 0 : 20);
			throw error;
		},
	};
	const context = contextOf([{ json: {} }, { json: {} }]);
	await expect(runOperation(context, operation)).rejects.toMatchObject({
		message: 'The list is not readable',
		context: { itemIndex: 0 },
	});
});

describe('if the workflow continues after errors', () => {
	const outputOf = async (answered: number) => {
		const operation: Operation = {
			value: 'read',
			request,
			read: () => undefined,
			async sendAll({ items }) {
				items.slice(0, answered).forEach(({ answer }) => answer([{ id: 1 }]));
				if (answered !== 1) throw new NodeOperationError(node, 'The end is missing');
			},
		};
		const context = contextOf([{ json: {} }, { json: {} }], {}, true);
		return (await runOperation(context, operation)).map(({ json }) => json);
	};

	it.each([0, 2])('a run that fails fails its items: after %s of 2 results', async (answered) => {
		const error = 'The end is missing';
		expect(await outputOf(answered)).toEqual([{ error }, { error }]);
	});

	it('a forgotten item fails', async () => {
		expect(await outputOf(1)).toEqual([{ id: 1 }, { error: expect.any(String) as string }]);
	});
});

describe('an error', () => {
	const megabyte = 'x'.repeat(1_000_000);

	it.each([
		[
			'an item',
			(context: RunContext, text: string) =>
				new InputItem(context, 0, request).error('All items are blank', text),
		],
		['a run', (context: RunContext, text: string) => context.error('All items are blank', text)],
	])('stays short and keeps its next step when %s holds 1 MB', (_, errorOf) => {
		const { description } = errorOf(contextOf([{}]), `"${megabyte}" is wrong. Change it.`);
		expect(description.length).toBeLessThan(1_100);
		expect(description).toMatch(/ … x+" is wrong\. Change it\.$/);
	});
});
