import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Operation, SingleOperation } from './operation';
import type { OperationEndpoint } from './run';
import { runOperation } from './run';
import { asRunOfOneItem, RunContext } from './runContext';

/** Runs an operation for all items, as n8n calls it. */
type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** What n8n looks for in a node: what to run, by resource and operation. */
type CustomOperations = Record<string, Record<string, CustomOperation>>;

/**
 * The functions that n8n calls for a run of all items, which it finds by resource and operation.
 *
 * @param properties the properties of the node; each option of `operation` states its main request as routing
 * @param operations what to do for each of them, by resource
 */
export function customOperationsOf(
	properties: INodeProperties[],
	operations: Record<string, Record<string, Operation>>,
): CustomOperations {
	return mapValues(operations, (ofResource, resource) =>
		mapValues(ofResource, (operation, name) =>
			customOperation(operation, endpointOf(properties, resource, name)),
		),
	);
}

/**
 * The function that n8n's routing engine calls in the place of a request, for each item by itself. It comes to that
 * for tools that are connected as sub-nodes, where n8n does not look for `customOperations`, and where resource or
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

function customOperation(operation: Operation, endpoint: OperationEndpoint): CustomOperation {
	return async function () {
		return [await runOperation(new RunContext(this), operation, endpoint)];
	};
}

function unknownOperation(resource: string, operation: string): CustomOperation {
	const refused: SingleOperation<never> = {
		read(item) {
			throw item.failure(
				'The node does not know this operation',
				`It has no operation "${operation}" of a resource "${resource}". Choose Resource and Operation from their lists; an expression does not work there. Nothing was sent.`,
			);
		},
		send: async () => [],
	};
	return customOperation(refused, endpointOf([], resource, operation));
}

/** What the description says about an operation. */
function endpointOf(
	properties: INodeProperties[],
	resource: string,
	operation: string,
): OperationEndpoint {
	const ofResource = properties.filter(({ displayOptions }) =>
		displayOptions?.show?.resource?.includes(resource),
	);
	const choices = ofResource.find(({ name }) => name === 'operation')?.options;
	const choice = choices?.find((option) => (option as INodePropertyOptions).value === operation);
	const { method = 'GET', url = '' } = (choice as INodePropertyOptions)?.routing?.request ?? {};
	const options = ofResource.find(
		({ name, displayOptions }) =>
			name === 'options' && displayOptions?.show?.operation?.includes(operation),
	)?.options;
	return {
		request: { method, path: String(url) },
		place: {
			requestOptions: true,
			maxConcurrency: options?.some(({ name }) => name === 'maxConcurrency') ?? false,
		},
	};
}

/** The result has no prototype: n8n 2.41 would take what that holds for operations. */
function mapValues<Value, Mapped>(
	record: Record<string, Value>,
	map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
	const entries = Object.entries(record).map(([key, value]) => [key, map(value, key)] as const);
	return Object.assign(Object.create(null) as Record<string, Mapped>, Object.fromEntries(entries));
}
