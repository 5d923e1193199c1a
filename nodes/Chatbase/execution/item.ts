import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { isResourceLocatorValue, NodeOperationError } from 'n8n-workflow';

import { escapeHtml, shorten } from '../api/errors';
import type { Endpoint } from '../api/subjects';
import { isObject, ownValue } from '../values/json';

/** An expression that only reads a value of the input item, as dragging a column creates it. */
const columnPattern =
	/^\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)\s*\}\}$/;
const stepPattern = /\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/** Streams the response to the caller of the workflow. */
export type ChunkSender = (type: 'begin' | 'item' | 'end', content?: string) => Promise<void>;

interface RawParameter {
	value: unknown;
	/** Whether it contains expressions, so that it can differ between items. */
	isDynamic: boolean;
}

/** Whether an AI agent calls a node of this type: n8n 2.41 adds this ending to the type of a node's tool. */
export function isToolType(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** n8n's context of a run. Expensive calls, such as for a copy of the node (n8n 2.41), are made once. */
export class RunContext {
	readonly node: INode;

	readonly items: INodeExecutionData[];

	readonly isTool: boolean;

	private readonly parameters = new Map<string, RawParameter>();

	private readonly warnings = new Set<string>();

	private readonly settings = new Map<string, unknown>();

	private hasReadExpression = false;

	constructor(readonly functions: IExecuteFunctions) {
		this.node = functions.getNode();
		this.items = functions.getInputData();
		this.isTool = isToolType(this.node);
	}

	/** Whether failures end the run. Agents get them as a result instead. */
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

	/** Tells the editor, once, what a person should know about a run that succeeds. */
	warn(message: string) {
		if (this.isTool || this.warnings.has(message)) return;
		this.warnings.add(message);
		this.functions.addExecutionHints?.({
			type: 'warning',
			message: escapeHtml(message),
			location: 'outputPane',
		});
	}

	/** Reads settings once for all items, unless one of them holds an expression and items can differ. */
	readSettings<Settings>(key: string, read: () => Settings): Readonly<Settings> {
		if (this.settings.has(key)) return this.settings.get(key) as Settings;
		// The read can read other settings.
		const before = this.hasReadExpression;
		this.hasReadExpression = false;
		try {
			const settings = Object.freeze(read());
			if (!this.hasReadExpression) this.settings.set(key, settings);
			return settings;
		} finally {
			this.hasReadExpression ||= before;
		}
	}

	/** For what must not be done twice: a retry of n8n runs all items again. */
	assertNoRetry(harm: string) {
		const nextStep = `${harm} Nothing was sent. The node itself repeats what surely did not run.`;
		if (this.node.retryOnFail) throw this.error('Turn off Retry On Fail', nextStep);
	}

	/** The error of an item, or of the whole run. Its description may quote values; it is escaped here. */
	error(title: string, nextStep: string, itemIndex?: number): NodeOperationError {
		const description = escapeHtml(shorten(nextStep));
		return new NodeOperationError(this.node, title, { description, itemIndex });
	}
}

export class InputItem {
	/** Starts errors of the item instead of its number. */
	name?: string;

	/** The record that the item names, even if the rest of the item is invalid. */
	identity: { id?: string; email?: string } = {};

	/** Whether a model filled in the values. */
	readonly isTool: boolean;

	private resolved?: Map<string, unknown>;

	constructor(
		readonly context: RunContext,
		readonly index: number,
		/** What the operation is about. */
		readonly request: Endpoint,
	) {
		this.isTool = context.isTool;
	}

	/** Some nodes return items without `json`. */
	get json(): IDataObject {
		const { json = {} }: Partial<INodeExecutionData> = this.context.items[this.index];
		return json;
	}

	get timeZone(): string {
		return this.context.functions.getTimezone();
	}

	/** n8n's own evaluation, for an expression without its leading `=`. */
	evaluate(expression: string): unknown {
		return this.context.functions.evaluateExpression(expression, this.index);
	}

	/**
	 * The value of a parameter, or of a field in a collection, such as `options.limit`; of a resource locator, the chosen
	 * value. Undefined if it is not set, its expression has no value, or it is an option that was added and left empty.
	 * Throws if the expression fails.
	 */
	parameter(path: string): unknown {
		const [name, field] = path.split('.', 2);
		if (field !== undefined) {
			const value = fieldOf(this.parameter(name), field);
			const isUnfilled = name === 'options' && typeof value === 'string' && value.trim() === '';
			return isUnfilled && !hasExpression(this.rawParameter(path)) ? undefined : value;
		}
		const { value, isDynamic } = this.context.rawParameter(name);
		if (!isDynamic) return chosen(value) ?? undefined;
		this.resolved ??= new Map();
		if (!this.resolved.has(name)) this.resolved.set(name, chosen(resolveValue(this, value)));
		return this.resolved.get(name) ?? undefined;
	}

	/** The stored value at a path as `parameter` takes it, with unresolved expressions; undefined if it was not added. */
	rawParameter(path: string): unknown {
		const [name, field] = path.split('.', 2);
		const { value } = this.context.rawParameter(name);
		return field === undefined ? chosen(value) : fieldOf(value, field);
	}

	/** The fields of a collection that has no resource locators. */
	collection(name: string): IDataObject {
		const fields = this.parameter(name);
		return isObject(fields) ? fields : {};
	}

	/** Throws if the item has no file under this binary field. */
	describeFile(field: string): { fileName?: string; mimeType: string } {
		return this.context.functions.helpers.assertBinaryData(this.index, field);
	}

	/** The bytes of a file, piece by piece if n8n does not hold it in memory. */
	async streamFile(field: string): Promise<AsyncIterable<Uint8Array> | Uint8Array[]> {
		const { helpers } = this.context.functions;
		const { id } = helpers.assertBinaryData(this.index, field);
		return id ? await helpers.getBinaryStream(id) : [await this.readFile(field)];
	}

	async readFile(field: string): Promise<Buffer> {
		return await this.context.functions.helpers.getBinaryDataBuffer(this.index, field);
	}

	/** Undefined if the workflow does not stream. A tool would stream to the user of the agent (n8n 2.41). */
	get sendChunk(): ChunkSender | undefined {
		const { functions, isTool } = this.context;
		// n8n before 1.100 has neither function.
		if (isTool || !functions.isStreaming?.()) return undefined;
		return async (type, content) => await functions.sendChunk(type, this.index, content);
	}

	/** Unlike `nextStep`, the title must not quote values. */
	error(title: string, nextStep: string): NodeOperationError {
		// A model has no items.
		const name = this.name ?? (this.isTool ? undefined : `Item ${this.index}`);
		return this.context.error(title, name ? `${name}: ${nextStep}` : nextStep, this.index);
	}
}

function fieldOf(collection: unknown, name: string): unknown {
	return chosen((Object(collection) as IDataObject)[name]);
}

function chosen(value: unknown): unknown {
	return isResourceLocatorValue(value) ? value.value : value;
}

type Scope = Pick<InputItem, 'evaluate' | 'json'>;

/** Whether a stored value is an expression or contains one. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/**
 * Resolves a fixed value, an expression, or lists and objects of them, as the workflow stores it. n8n needs about 0.3 ms
 * for an expression (2.41, expression engine `vm`), so columns of the input are read directly.
 */
export function resolveValue(item: Scope, value: unknown): unknown {
	if (!hasExpression(value)) return value;
	if (typeof value === 'string') return resolveExpression(item, value.slice(1));
	if (Array.isArray(value)) return value.map((entry) => resolveValue(item, entry));
	return Object.fromEntries(
		Object.entries(value as object).map(([key, held]) => [key, resolveValue(item, held)]),
	);
}

/** Follows a path such as `.address["zip code"]`, unless only n8n can, such as to a property of a date. */
function resolveExpression(item: Scope, expression: string): unknown {
	const path = columnPattern.exec(expression)?.[1];
	if (path === undefined) return item.evaluate(expression);
	let value: unknown = item.json;
	for (const step of path.matchAll(stepPattern)) {
		if (!isPlain(value)) return item.evaluate(expression);
		value = ownValue(value, step[1] ?? step[2] ?? step[3] ?? step[4]);
	}
	return value;
}

/** Whether a value is a list or a plain object, and not an instance of a class, which can have getters. */
function isPlain(value: unknown): value is Record<string, unknown> {
	if (!isObject(value)) return Array.isArray(value);
	const prototype: unknown = Object.getPrototypeOf(value);
	// In another realm, such as that of a Code node, `Object` is a different one.
	return !prototype || Object.getPrototypeOf(prototype) === null;
}
