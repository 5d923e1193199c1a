import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyOptions,
} from 'n8n-workflow';

import { RunContext } from './context';
import { type Operation, runOperation } from './run';

type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

type CustomOperations = Record<string, Record<string, CustomOperation>>;

type Pagination = (this: IExecutePaginationFunctions) => Promise<INodeExecutionData[]>;

/** The functions that n8n calls for a run of all items, by resource and operation. */
export function customOperationsOf(
	resources: Array<{ option: INodePropertyOptions; operations: Operation[] }>,
): CustomOperations {
	return withoutPrototype(
		resources.map(({ option, operations }) => [
			String(option.value),
			withoutPrototype(
				operations.map((operation) => [operation.value, asCustom(operation)]),
			),
		]),
	);
}

/**
 * The function that n8n's routing engine calls instead of a request, for each item. That happens for tools that are
 * connected as sub-nodes, for which n8n does not use `customOperations`, and for an unknown resource or operation, for
 * which the engine would send a request with the key to the default address.
 */
export function paginationOf(customOperations: CustomOperations): Pagination {
	return async function () {
		const [resource, operation] = ['resource', 'operation'].map((name) =>
			String(this.getNodeParameter(name, '', { rawExpressions: true })),
		);
		const run =
			customOperations[resource]?.[operation] ?? unknownOperation(resource, operation);
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
		request: { method: 'GET', path: '', resource: 'chatbots' },
		validateRun(context) {
			throw context.error(
				'The operation is unknown',
				`The node has no operation "${operation}" for the resource "${resource}". Choose both from their lists, without an expression. Nothing was sent.`,
			);
		},
		read: () => undefined,
	});
}

/** n8n 2.41 would find inherited values, such as `constructor`, as operations. */
function withoutPrototype<Value>(entries: Array<[string, Value]>): Record<string, Value> {
	return Object.assign(
		Object.create(null) as Record<string, Value>,
		Object.fromEntries(entries),
	);
}

/**
 * Makes a run of one item from the context that n8n's routing engine has for it. Its functions have no parameter for the
 * item number (n8n 2.41, `ExecuteSingleContext`), and functions for a whole run are missing.
 */
function asRunOfOneItem(single: IExecutePaginationFunctions): IExecuteFunctions {
	const { helpers } = single;

	const functions: Partial<IExecuteFunctions> = {
		getInputData: () => [single.getInputData()],
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
