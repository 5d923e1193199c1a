import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Resource } from '../fields/define';
import { RunContext } from './item';
import type { Operation } from './run';
import { runOperation } from './run';

type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

type CustomOperations = Record<string, Record<string, CustomOperation>>;

/** The functions that n8n calls for a run of all items, which it finds by resource and operation. */
export function customOperationsOf(resources: Resource[]): CustomOperations {
	return withoutPrototype(
		resources.map(({ option, operations }) => [
			String(option.value),
			withoutPrototype(operations.map((operation) => [operation.value, asCustom(operation)])),
		]),
	);
}

/**
 * The function that n8n's routing engine calls in the place of a request, for each item by itself. It comes to that
 * for tools that are connected as sub-nodes, where n8n does not look for `customOperations`, and if resource or
 * operation is none of the node's own, which the engine would send to the default address, the key included.
 */
export function paginationOf(customOperations: CustomOperations) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const [resource, operation] = ['resource', 'operation'].map((name) =>
			String(this.getNodeParameter(name, '', { rawExpressions: true })),
		);
		const run = customOperations[resource]?.[operation] ?? unknownOperation(resource, operation);
		const [items] = await run.call(asRunOfOneItem(this));
		return items.map((item) => ({ ...item, pairedItem: { item: this.getItemIndex() } }));
	};
}

function asCustom(operation: Operation): CustomOperation {
	return async function () {
		return [await runOperation(new RunContext(this), operation)];
	};
}

function unknownOperation(resource: string, operation: string): CustomOperation {
	return asCustom({
		value: operation,
		name: operation,
		action: operation,
		description: 'Not an operation of the node',
		request: { method: 'GET', path: '' },
		fields: [],
		validateRun(context) {
			throw context.error(
				'The node does not know this operation',
				`It has no operation "${operation}" of a resource "${resource}". Choose Resource and Operation from their lists; an expression does not work there. Nothing was sent.`,
			);
		},
		read: () => undefined,
	});
}

/** n8n 2.41 would take what a prototype holds for operations. */
function withoutPrototype<Value>(entries: Array<[string, Value]>): Record<string, Value> {
	return Object.assign(Object.create(null) as Record<string, Value>, Object.fromEntries(entries));
}

/**
 * Lets the functions that n8n's routing engine has for one item pass for those of a run, which has this item alone:
 * their like take no number of an item (n8n 2.41, `ExecuteSingleContext`). What only a whole run has is missing.
 */
function asRunOfOneItem(single: IExecutePaginationFunctions): IExecuteFunctions {
	const { helpers } = single;
	const functions: Partial<IExecuteFunctions> = {
		getInputData: () => [single.getInputData()],
		getNodeParameter: (name: string, _: number, fallback?: unknown, options?: object) =>
			single.getNodeParameter(name, fallback, options) as never,
		evaluateExpression: (expression) =>
			single.evaluateExpression(expression, single.getItemIndex()),
		getCredentials: async (type) => await single.getCredentials(type),
		helpers: {
			...helpers,
			assertBinaryData: (_: number, field: string) => helpers.assertBinaryData(field),
			getBinaryDataBuffer: async (_: number, field: string) =>
				await helpers.getBinaryDataBuffer(field),
		} as IExecuteFunctions['helpers'],
	};
	return Object.assign(Object.create(single) as IExecuteFunctions, functions);
}
