import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';
import { isResourceLocatorValue, NodeOperationError } from 'n8n-workflow';

import { escapeHtml, shorten } from '../api/errors';
import { isObject, ownValue } from '../values/object';
import type { ExpressionScope } from './expression';
import { hasExpression, resolveValue } from './expression';

/** The chunks of a response that is streamed to the caller of the workflow. */
export type ChunkSender = (type: 'begin' | 'item' | 'end', content?: string) => Promise<void>;

interface RawParameter {
	value: unknown;
	/** Whether it holds expressions, so that it can differ from item to item. */
	isDynamic: boolean;
}

/** Whether an AI agent calls a node of this type: n8n 2.41 adds this ending to the name of the node's tool variant. */
export function isToolType(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** What n8n gives a run. What costs n8n 2.41 something, such as a copy of the node, is asked for once. */
export class RunContext {
	readonly node: INode;

	readonly items: INodeExecutionData[];

	readonly isTool: boolean;

	private readonly parameters = new Map<string, RawParameter>();

	private readonly settings = new Map<string, unknown>();

	private hasReadExpression = false;

	constructor(readonly functions: IExecuteFunctions) {
		this.node = functions.getNode();
		this.items = functions.getInputData();
		this.isTool = isToolType(this.node);
	}

	/** Whether the run ends with its failures. Agents get them as an answer instead, which they can act on. */
	get endsOnFailure(): boolean {
		return !this.isTool && !this.functions.continueOnFail();
	}

	rawParameter(name: string): RawParameter {
		let parameter = this.parameters.get(name);
		if (!parameter) {
			const value = this.functions.getNodeParameter(name, 0, null, { rawExpressions: true });
			parameter = { value: value ?? undefined, isDynamic: hasExpression(value) };
			this.parameters.set(name, parameter);
		}
		this.hasReadExpression ||= parameter.isDynamic;
		return parameter;
	}

	/** Reads settings once for all items, unless one of them holds an expression and items can differ. */
	readSettings<Settings>(key: string, read: () => Settings): Readonly<Settings> {
		if (this.settings.has(key)) return this.settings.get(key) as Settings;
		this.hasReadExpression = false;
		const settings = Object.freeze(read());
		if (!this.hasReadExpression) this.settings.set(key, settings);
		return settings;
	}

	/** The error for something that concerns the whole run; may quote values in its description, which is escaped here. */
	error(title: string, description: string): NodeOperationError {
		return new NodeOperationError(this.node, title, {
			description: escapeHtml(shorten(description)),
		});
	}
}

export class InputItem implements ExpressionScope {
	/** What errors call the item, as soon as it is known to be about something with a name. */
	name?: string;

	/** Which record the item names, even if the rest of it is refused. */
	identity: { id?: string; email?: string } = {};

	private readonly resolved = new Map<string, unknown>();

	/** @param index from 0, as n8n counts items */
	constructor(
		readonly run: RunContext,
		readonly index: number,
		readonly request: { method: IHttpRequestMethods; path: string },
	) {}

	/** Some nodes return items without it. */
	get json(): IDataObject {
		const { json = {} }: Partial<INodeExecutionData> = this.run.items[this.index];
		return json;
	}

	/** Whether an AI agent has called the node, so that the item holds what a model has filled in. */
	get isTool(): boolean {
		return this.run.isTool;
	}

	/** IANA name of the time zone of the workflow. */
	get timeZone(): string {
		return this.run.functions.getTimezone();
	}

	evaluate(expression: string): unknown {
		return this.run.functions.evaluateExpression(expression, this.index);
	}

	/** What the workflow stores under a parameter, expressions not resolved. */
	rawParameter(name: string): unknown {
		return this.run.rawParameter(name).value;
	}

	/**
	 * What a parameter holds for this item; of a resource locator, what is chosen.
	 *
	 * @param path name of the parameter, or of a field in a collection, such as `options.limit`
	 * @returns undefined if it is not set, or its expression has no value
	 * @throws ExpressionError of n8n if an expression fails
	 */
	parameter(path: string): unknown {
		const [name, field] = path.split('.', 2);
		if (field !== undefined) {
			const fields = this.parameter(name);
			return isObject(fields) ? chosen(ownValue(fields, field)) : undefined;
		}
		const { value, isDynamic } = this.run.rawParameter(name);
		if (!isDynamic) return chosen(value) ?? undefined;
		if (!this.resolved.has(name)) this.resolved.set(name, chosen(resolveValue(this, value)));
		return this.resolved.get(name) ?? undefined;
	}

	/** The fields of a collection that the user has added, read as `parameter` does. */
	collection(name: string): IDataObject {
		const fields = this.parameter(name);
		if (!isObject(fields)) return {};
		return Object.fromEntries(
			Object.entries(fields).map(([key, value]) => [key, chosen(value)]),
		) as IDataObject;
	}

	/** @throws NodeOperationError if the item has no file under this binary field */
	describeFile(field: string): { fileName?: string; mimeType: string } {
		return this.run.functions.helpers.assertBinaryData(this.index, field);
	}

	async readFile(field: string): Promise<Buffer> {
		return await this.run.functions.helpers.getBinaryDataBuffer(this.index, field);
	}

	/**
	 * Sends chunks of the response; undefined if the workflow does not stream it. What a tool streams would reach the
	 * person who chats with the agent (n8n 2.41).
	 */
	get sendChunk(): ChunkSender | undefined {
		const { functions, isTool } = this.run;
		// n8n before 1.100 has neither function.
		if (isTool || !functions.isStreaming?.()) return undefined;
		return async (type, content) => await functions.sendChunk(type, this.index, content);
	}

	/**
	 * The error for this item.
	 *
	 * @param title what is wrong, naming the field by its display name; no text from outside
	 * @param nextStep how to get on; may quote values, it is escaped here
	 */
	error(title: string, nextStep: string): NodeOperationError {
		// A model knows of no items.
		const name = this.name ?? (this.isTool ? undefined : `Item ${this.index}`);
		const text = name === undefined ? nextStep : `${name}: ${nextStep}`;
		const description = escapeHtml(shorten(text));
		return new NodeOperationError(this.run.node, title, { description, itemIndex: this.index });
	}
}

function chosen(value: unknown): unknown {
	return isResourceLocatorValue(value) ? value.value : value;
}
