import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Credential } from '../transport/credential';
import { credentialName, readCredential } from '../transport/credential';
import type { ServiceContext } from '../transport/service';
import { hasExpression } from './expression';

/** A parameter as the workflow stores it. */
export interface StoredParameter {
	value: unknown;
	/** Whether it holds expressions, so that it can differ from item to item. */
	isDynamic: boolean;
}

/** The chunks of a response that is streamed to whoever waits for the workflow. */
export type ChunkSender = (type: 'begin' | 'item' | 'end', content?: string) => Promise<void>;

/** What a run needs of n8n, whichever way n8n has called the node. */
export interface RunContext {
	/** n8n's own context, which requests are sent for. */
	functions: ServiceContext;
	/** The node. n8n 2.41 copies it whenever it is asked, so it is asked once. */
	node: INode;
	/** Whether an AI agent has called the node. */
	isTool: boolean;
	/** Whether failed items go on as items instead of ending the run. */
	continuesOnFail: boolean;
	items: INodeExecutionData[];
	/** IANA name of the time zone of the workflow. */
	timeZone: string;
	parameter(name: string): StoredParameter;
	evaluate(expression: string, itemIndex: number): unknown;
	credential(itemIndex: number): Promise<Credential>;
	binary: {
		/** @throws NodeOperationError when the item has no such file */
		describe(itemIndex: number, field: string): { fileName?: string; mimeType: string };
		read(itemIndex: number, field: string): Promise<Buffer>;
	};
	/** Sends chunks for an item, where the workflow streams its response. */
	chunkSender?(itemIndex: number): ChunkSender;
	/** The functions that n8n has for a whole run only; none in a call through the routing engine. */
	execution?: IExecuteFunctions;
}

/** n8n 2.41 registers the variant of a node that agents call under the name of the node with this ending. */
const toolEnding = 'Tool';

/** Whether an AI agent calls a node of this type, instead of a workflow. */
export function isToolType(node: INode): boolean {
	return node.type.endsWith(toolEnding);
}

/** A run of all items of the node, as n8n starts it through `customOperations`. */
export function runOfItems(functions: IExecuteFunctions): RunContext {
	const node = functions.getNode();
	const { helpers } = functions;
	return {
		...sharedBy(functions, node, (name) =>
			functions.getNodeParameter(name, 0, null, { rawExpressions: true }),
		),
		items: functions.getInputData(),
		evaluate: (expression, itemIndex) => functions.evaluateExpression(expression, itemIndex),
		credential: async (itemIndex) =>
			await readCredential(node, await functions.getCredentials(credentialName, itemIndex)),
		binary: {
			describe: (itemIndex, field) => helpers.assertBinaryData(itemIndex, field),
			read: async (itemIndex, field) => await helpers.getBinaryDataBuffer(itemIndex, field),
		},
		// What a tool streams would reach the person who chats with the agent (n8n 2.41). Versions of n8n before
		// streaming have neither function.
		chunkSender:
			!isToolType(node) && functions.isStreaming?.()
				? (itemIndex) => async (type, content) => {
						await functions.sendChunk(type, itemIndex, content);
					}
				: undefined,
		execution: functions,
	};
}

/**
 * A run of one item, as n8n's routing engine starts it: for tools that are connected as sub-nodes, which bypass
 * `customOperations` (n8n 2.41, `makeHandleToolInvocation`), and for operations that the node does not know.
 */
export function runOfOneItem(functions: IExecutePaginationFunctions): RunContext {
	const node = functions.getNode();
	const { helpers } = functions;
	// Operations see one item with the number 0; n8n's functions know by themselves which one it is.
	return {
		...sharedBy(functions, node, (name) =>
			functions.getNodeParameter(name, null, { rawExpressions: true }),
		),
		items: [functions.getInputData()],
		evaluate: (expression) => functions.evaluateExpression(expression, functions.getItemIndex()),
		credential: async () =>
			await readCredential(node, await functions.getCredentials(credentialName)),
		binary: {
			describe: (_, field) => helpers.assertBinaryData(field),
			read: async (_, field) => await helpers.getBinaryDataBuffer(field),
		},
	};
}

function sharedBy(
	functions: IExecuteFunctions | IExecutePaginationFunctions,
	node: INode,
	readRaw: (name: string) => unknown,
) {
	const stored = new Map<string, StoredParameter>();
	return {
		functions,
		node,
		isTool: isToolType(node),
		continuesOnFail: functions.continueOnFail(),
		timeZone: functions.getTimezone(),
		parameter(name: string): StoredParameter {
			const known = stored.get(name);
			if (known) return known;
			const value = readRaw(name) ?? undefined;
			const parameter = { value, isDynamic: hasExpression(value) };
			stored.set(name, parameter);
			return parameter;
		},
	};
}
