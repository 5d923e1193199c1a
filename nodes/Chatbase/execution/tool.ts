import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { OwnTitle } from '../api/ownErrors';
import type { Endpoint } from '../api/subjects';
import { isToolType, RunContext } from './context';
import { type Operation, runOperation } from './run';

type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

type CustomOperations = Record<string, Record<string, CustomOperation>>;

type Pagination = (this: IExecutePaginationFunctions) => Promise<INodeExecutionData[]>;

interface ResourceOperations {
	option: INodePropertyOptions;
	operations: Operation[];
}

/** The functions that n8n calls for a run of all items, by resource and operation. */
export function customOperationsOf(resources: ResourceOperations[]): CustomOperations {
	return byResourceAndOperation(resources, (operation): CustomOperation => {
		return async function () {
			return [await runOperation(new RunContext(this), operation)];
		};
	});
}

/**
 * The function that n8n's routing engine calls instead of a request, for each item. That happens if n8n does not use
 * `customOperations`: for tools that are connected as sub-nodes, in Engine 2.0 (n8n 2.41), and for an unknown resource or
 * operation, for which the engine would send a request with the key to the default address.
 */
export function paginationOf(resources: ResourceOperations[]): Pagination {
	const operations = byResourceAndOperation(resources, (operation) => operation);

	return async function () {
		const stated = (parameter: string) =>
			String(this.getNodeParameter(parameter, '', { rawExpressions: true }));
		const [resource, name] = [stated('resource'), stated('operation')];
		const chosen = operations[resource]?.[name] ?? unknownOperation(resource, name);
		const lacksOtherItems = chosen.sendAll !== undefined && hasOtherItems(this);
		const operation = lacksOtherItems ? withoutOtherItems(chosen) : chosen;

		const context = new RunContext(asRunOfOneItem(this));
		const items = await runOperation(context, operation);
		return items.map((item) => ({ ...item, pairedItem: { item: this.getItemIndex() } }));
	};
}

/** Whether this call is for one of several items of a node in a workflow. A tool gets one item with each call. */
function hasOtherItems(single: IExecutePaginationFunctions): boolean {
	const { main = [] } = single.getExecuteData().data;
	const [items] = main;
	return (items?.length ?? 0) > 1 && !isToolType(single.getNode());
}

/** A mirror would take the item for the whole list, and delete the records of all other items. */
function withoutOtherItems({ value, request }: Operation): Operation {
	return refusing(
		{ value, request },
		'This n8n runs the node once for each item',
		"The operation needs all items at once, and n8n's Engine 2.0 gives it one at a time. Run this workflow without Engine 2.0. Nothing was sent.",
	);
}

/** n8n adds an entry with this value to the lists of resources and operations. */
const customApiCall = '__CUSTOM_API_CALL__';

function unknownOperation(resource: string, operation: string): Operation {
	const request: Endpoint = { method: 'GET', path: '', resource: 'chatbots' };
	if ([resource, operation].includes(customApiCall)) {
		return refusing(
			{ value: operation, request },
			'Custom API Call is no operation of this node',
			'Use an HTTP Request node with this credential: Predefined Credential Type, Chatbase API. Nothing was sent.',
		);
	}

	return refusing(
		{ value: operation, request },
		'The operation is unknown',
		`The node has no operation "${operation}" for the resource "${resource}". Choose both from their lists, without an expression. Nothing was sent.`,
	);
}

/** An operation that fails before any item is read. */
function refusing(
	subject: Pick<Operation, 'value' | 'request'>,
	title: OwnTitle,
	nextStep: string,
): Operation {
	return {
		...subject,
		validateRun(context) {
			throw context.error(title, nextStep);
		},
		read: () => undefined,
	};
}

/** Calls `make` for each operation. The results stand under the names of resource and operation. */
function byResourceAndOperation<Made>(
	resources: ResourceOperations[],
	make: (operation: Operation) => Made,
): Record<string, Record<string, Made>> {
	return withoutPrototype(
		resources.map(({ option, operations }) => [
			String(option.value),
			withoutPrototype(operations.map((operation) => [operation.value, make(operation)])),
		]),
	);
}

/** Without this, n8n 2.41 would take inherited values, such as `constructor`, for operations. */
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
