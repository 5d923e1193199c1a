import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { hasExpression } from './expression';

/** A parameter as the workflow stores it. */
export interface StoredParameter {
	value: unknown;
	/** Whether it holds expressions, so that it can differ from item to item. */
	isDynamic: boolean;
}

/** n8n registers the variant of a node that agents call under the name of the node with this ending (seen in 2.41). */
const toolEnding = 'Tool';

/** Whether an AI agent calls a node of this type, instead of a workflow. */
export function isToolType(node: INode): boolean {
	return node.type.endsWith(toolEnding);
}

/** What n8n gives a run. What costs n8n 2.41 something, such as a copy of the node, is asked for once. */
export class RunContext {
	readonly node: INode;

	readonly items: INodeExecutionData[];

	/** Whether an AI agent has called the node. */
	readonly isTool: boolean;

	/** Whether failed items go on as items instead of ending the run. */
	readonly continuesOnFail: boolean;

	private readonly parameters = new Map<string, StoredParameter>();

	/** @param functions n8n's own context, which requests are sent for */
	constructor(readonly functions: IExecuteFunctions) {
		this.node = functions.getNode();
		this.items = functions.getInputData();
		this.isTool = isToolType(this.node);
		this.continuesOnFail = functions.continueOnFail();
	}

	/** Whether the run ends with its failures. Agents get them as an answer instead, which they can act on. */
	get endsOnFailure(): boolean {
		return !this.isTool && !this.continuesOnFail;
	}

	parameter(name: string): StoredParameter {
		const known = this.parameters.get(name);
		if (known) return known;
		const stored = this.functions.getNodeParameter(name, 0, null, { rawExpressions: true });
		const parameter = { value: stored ?? undefined, isDynamic: hasExpression(stored) };
		this.parameters.set(name, parameter);
		return parameter;
	}
}

/**
 * Lets the functions that n8n's routing engine has for one item pass for those of a run, which has this item alone:
 * their like take no number of an item (n8n 2.41, `ExecuteSingleContext`). What only a whole run has is missing.
 */
export function asRunOfOneItem(single: IExecutePaginationFunctions): IExecuteFunctions {
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
