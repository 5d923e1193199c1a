import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import type { Operation, SingleOperation } from './operation';
import type { Endpoint } from './run';
import { runOperation } from './run';
import { ownValue } from '../values/object';
import type { RunContext } from './runContext';
import { runOfItems, runOfOneItem } from './runContext';

/** Runs an operation, whose tasks are nobody else's business. */
export type Runner = (context: RunContext, endpoint: Endpoint) => Promise<INodeExecutionData[]>;

/** What the node does, by resource and operation. */
export type Runners = Record<string, Record<string, Runner>>;

/** Makes an operation one that the node can list. */
export function runnerOf<Task>(operation: Operation<Task>): Runner {
	return async (context, endpoint) => await runOperation(context, operation, endpoint);
}

/**
 * The functions that n8n calls for a run of all items, which it finds by resource and operation.
 *
 * @param properties the properties of the node; each option of `operation` states its main request as routing
 * @param runners what to do for each of them
 */
export function customOperationsOf(
	properties: INodeProperties[],
	runners: Runners,
): INodeType['customOperations'] {
	const functionOf = (resource: string, operation: string, run: Runner) => {
		const endpoint = endpointOf(properties, resource, operation);
		return async function (this: IExecuteFunctions) {
			return [await run(runOfItems(this), endpoint)];
		};
	};
	return mapValues(runners, (operations, resource) =>
		mapValues(operations, (run, operation) => functionOf(resource, operation, run)),
	);
}

/**
 * The function that n8n's routing engine calls in the place of a request, for each item by itself. It comes to that
 * for tools that are connected as sub-nodes, where n8n does not look for `customOperations`, and where resource or
 * operation is none of the node's own, which the engine would send to the default address, the key included.
 */
export function paginationOf(properties: INodeProperties[], runners: Runners) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const [resource, operation] = ['resource', 'operation'].map((name) =>
			String(this.getNodeParameter(name, '', { rawExpressions: true })),
		);
		const run = ownValue(ownValue(runners, resource) ?? {}, operation);
		const context = runOfOneItem(this);
		const items = run
			? await run(context, endpointOf(properties, resource, operation))
			: await runOperation(context, unknownOperation(resource, operation), nowhere);
		return items.map((item) => ({ ...item, pairedItem: { item: this.getItemIndex() } }));
	};
}

const nowhere: Endpoint = {
	request: { method: 'GET', path: '' },
	place: { requestOptions: false, maxConcurrency: false },
};

function unknownOperation(resource: string, operation: string): SingleOperation<never> {
	return {
		read(item) {
			throw item.failure(
				'The node does not know this operation',
				`It has no operation "${operation}" of a resource "${resource}". Choose Resource and Operation from their lists; an expression does not work there. Nothing was sent.`,
			);
		},
		send: async () => [],
	};
}

/** What the description says about an operation. */
function endpointOf(properties: INodeProperties[], resource: string, operation: string): Endpoint {
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
