import {
	type IDataObject,
	type INodeExecutionData,
	isResourceLocatorValue,
} from 'n8n-workflow';

import type { OwnTitle } from '../api/ownErrors';
import type { Failure } from '../api/failure';
import type { Endpoint } from '../api/subjects';
import { isObject, objectIn } from '../values/json';
import { abbreviate, capitalize, textIn } from '../values/text';
import { hasExpression, resolveValue, type RunContext } from './context';

/** Streams the response to the caller of the workflow. */
export type ChunkSender = (
	type: 'begin' | 'item' | 'end',
	content?: string,
) => Promise<void>;

/** What n8n knows of a file. The node before may state it wrongly, or leave it out as a Code node can: then it is empty. */
export interface FileDescription {
	fileName: string;
	fileExtension: string;
	mimeType: string;
}

export class InputItem {
	/** How errors of the item start, instead of with its number. */
	name?: string;

	/** The record that the item names, even if the rest of the item is invalid. */
	identity: { id?: string; email?: string; type?: string; chatbotId?: string } = {};

	/** Whether a model filled in the values. */
	readonly isTool: boolean;

	/** Empty for an item without `json`, as some nodes return it. */
	readonly json: IDataObject;

	/** As n8n has it. */
	private readonly input: Partial<INodeExecutionData>;

	/** The parameters that can differ between items, with the values for this one. */
	private readonly resolved: Record<string, unknown> = {};

	constructor(
		readonly context: RunContext,
		readonly index: number,
		/** The request that the operation is about. */
		readonly request: Endpoint,
	) {
		this.input = context.items[index] ?? {};
		this.json = this.input.json ?? {};
		this.isTool = context.isTool;
	}

	get timeZone(): string {
		return this.context.functions.getTimezone();
	}

	/** n8n's own evaluation, for an expression without its leading `=`. */
	evaluate(expression: string): unknown {
		return this.context.functions.evaluateExpression(expression, this.index);
	}

	/**
	 * The value of a parameter, or of a field in a collection, such as `options.limit`. For a resource locator, this is the
	 * chosen value. Undefined if it is not set or its expression has no value. Throws if the expression fails.
	 */
	parameter(path: string): unknown {
		const [name = '', field] = path.split('.', 2);
		const value = at(this.resolve(name), field);
		const isResolvedLocator = isLocator(this.storedAt(path)) && isObject(value);
		return isResolvedLocator ? value.value : value;
	}

	/** The value of a field in Options; undefined also for a text that was added and left empty. */
	option(name: string): unknown {
		const path = `options.${name}`;
		const value = this.parameter(path);
		if (typeof value !== 'string' || value.trim() !== '') return value;

		return hasExpression(this.rawParameter(path)) ? value : undefined;
	}

	/**
	 * The value as the workflow stores it, with unresolved expressions. The path is the same as for `parameter`. Undefined if
	 * the field was not added.
	 */
	rawParameter(path: string): unknown {
		const stored = this.storedAt(path);
		if (isLocator(stored)) return stored.value;
		return stored;
	}

	private storedAt(path: string): unknown {
		const [name = '', field] = path.split('.', 2);
		return at(this.context.node.parameters[name], field);
	}

	private resolve(name: string): unknown {
		const { context, resolved } = this;
		const stored = context.node.parameters[name];
		if (!context.dynamic.has(name)) return stored;

		context.hasReadDynamic = true;
		if (!Object.hasOwn(resolved, name)) resolved[name] = resolveValue(this, stored);
		return resolved[name];
	}

	/** The fields of a collection that has no resource locators. */
	collection(name: string): IDataObject {
		return objectIn(this.parameter(name));
	}

	/** Throws if the item has no file under this binary field. */
	describeFile(field: string): FileDescription {
		this.assertNoErrorInPlaceOf(field);
		const { helpers } = this.context.functions;
		const file: Partial<FileDescription> = helpers.assertBinaryData(this.index, field);

		return {
			fileName: textIn(file.fileName),
			fileExtension: textIn(file.fileExtension),
			mimeType: textIn(file.mimeType),
		};
	}

	/** With On Error set to Continue, a download that fails leaves an error where its file would be. */
	private assertNoErrorInPlaceOf(field: string) {
		const { binary } = this.input;
		const { error } = this.json;
		const reason = isObject(error) ? error.message : error;
		if (binary?.[field] || typeof reason !== 'string') return;

		throw this.error('The item has no file', `The node before reports: ${reason}`);
	}

	/** The bytes of a file, piece by piece if n8n does not hold it in memory. */
	async streamFile(field: string): Promise<AsyncIterable<Uint8Array> | Uint8Array[]> {
		const { helpers } = this.context.functions;
		const { id } = helpers.assertBinaryData(this.index, field);
		if (id) return await helpers.getBinaryStream(id);
		return [await this.readFile(field)];
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

	/** Where people find the item: by the ID or email of its record, else by its number. */
	get place(): string {
		const { id, email } = this.identity;
		const key = id ?? email;
		if (key === undefined) return this.number;
		return abbreviate(key);
	}

	/** The number of the item, and the row of a spreadsheet that it comes from. */
	private get number(): string {
		const { row_number: row } = this.json;
		const isRow = typeof row === 'number' || typeof row === 'string';
		return isRow ? `item ${this.index}, row_number ${row}` : `item ${this.index}`;
	}

	/** Unlike `nextStep`, the title must not quote values. */
	error(title: OwnTitle, nextStep: string): Failure {
		// A model has no items.
		const number = this.isTool ? undefined : capitalize(this.number);
		const start = this.name ?? number;
		const words = start ? `${start}: ${nextStep}` : nextStep;
		return this.context.error(title, words, this.index);
	}
}

/** A field of a collection, or the parameter itself without a field. */
function at(parameter: unknown, field?: string): unknown {
	if (field === undefined) return chosen(parameter) ?? undefined;
	return chosen((Object(parameter) as IDataObject)[field]);
}

/** A resource locator as n8n 2.41 stores one that was added and not touched: its default, without the mark of others. */
function isLocator(stored: unknown): stored is IDataObject {
	const { mode, value } = Object(stored) as IDataObject;
	return typeof mode === 'string' && value !== undefined;
}

function chosen(value: unknown): unknown {
	if (isResourceLocatorValue(value)) return value.value;
	return value;
}
