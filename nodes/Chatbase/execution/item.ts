import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { isResourceLocatorValue, NodeOperationError } from 'n8n-workflow';

import { escapeHtml } from '../api/html';
import { isObject } from '../values/object';
import type { ExpressionScope } from './expression';
import { resolveValue } from './expression';
import type { RunContext } from './runContext';

/** The main request of an operation, as its routing in the description states it. */
export interface MainRequest {
	method: IHttpRequestMethods;
	/** Path below the Base URL with `{name}` placeholders. */
	path: string;
}

/** The chunks of a response that is streamed to whoever waits for the workflow. */
export type ChunkSender = (type: 'begin' | 'item' | 'end', content?: string) => Promise<void>;

/** An input item as an operation reads it. */
export class InputItem implements ExpressionScope {
	/**
	 * @param run the run that the item belongs to
	 * @param index its number, from 0 as n8n counts them
	 * @param request the main request of the operation
	 */
	constructor(
		private readonly run: RunContext,
		readonly index: number,
		readonly request: MainRequest,
	) {}

	/** What came in. */
	get json(): IDataObject {
		return this.run.items[this.index].json;
	}

	/** Whether an AI agent has called the node, so that the item holds what a model has filled in. */
	get isTool(): boolean {
		return this.run.isTool;
	}

	/** IANA name of the time zone of the workflow. */
	get timeZone(): string {
		return this.run.functions.getTimezone();
	}

	/** n8n's own evaluation of an expression without its leading `=`. */
	evaluate(expression: string): unknown {
		return this.run.functions.evaluateExpression(expression, this.index);
	}

	/** What the workflow stores under a parameter, expressions not resolved. */
	rawParameter(name: string): unknown {
		return this.run.parameter(name).value;
	}

	/**
	 * What a parameter holds for this item; of a resource locator, what is chosen.
	 *
	 * @returns undefined where it is not set, or its expression has no value
	 * @throws ExpressionError of n8n when an expression fails
	 */
	parameter(name: string): unknown {
		const { value, isDynamic } = this.run.parameter(name);
		const resolved = isDynamic ? resolveValue(this, value) : value;
		return chosen(resolved) ?? undefined;
	}

	/**
	 * The fields of a collection that the user has added.
	 *
	 * @throws ExpressionError of n8n when an expression fails
	 */
	collection(name: string): IDataObject {
		const fields = this.parameter(name);
		if (!isObject(fields)) return {};
		return Object.fromEntries(
			Object.entries(fields).map(([key, value]) => [key, chosen(value)]),
		) as IDataObject;
	}

	/**
	 * Name and type of the file of the item under a binary field.
	 *
	 * @throws NodeOperationError when the item has no such file
	 */
	describeFile(field: string): { fileName?: string; mimeType: string } {
		return this.run.functions.helpers.assertBinaryData(this.index, field);
	}

	async readFile(field: string): Promise<Buffer> {
		return await this.run.functions.helpers.getBinaryDataBuffer(this.index, field);
	}

	/**
	 * Sends chunks of the response; undefined where the workflow does not stream it. What a tool streams would reach the
	 * person who chats with the agent (n8n 2.41).
	 */
	get sendChunk(): ChunkSender | undefined {
		const { functions, isTool } = this.run;
		// Versions of n8n before streaming have neither function.
		if (isTool || !functions.isStreaming?.()) return undefined;
		return async (type, content) => await functions.sendChunk(type, this.index, content);
	}

	/**
	 * The error for input that cannot work, made before any request.
	 *
	 * @param title what is wrong, naming the field by its display name; no text from outside
	 * @param nextStep how to get on; may quote values, it is escaped here
	 */
	refusal(title: string, nextStep: string): NodeOperationError {
		// A model knows of no items.
		return this.failure(title, this.isTool ? nextStep : `Item ${this.index}: ${nextStep}`);
	}

	/**
	 * The error for something that concerns the whole run, and no item more than others.
	 *
	 * @param title what happened; no text from outside
	 * @param description what to do; may quote values, it is escaped here
	 */
	runFailure(title: string, description: string): NodeOperationError {
		return new NodeOperationError(this.run.node, title, { description: escapeHtml(description) });
	}

	/**
	 * The error for something that turned out while the item was worked on.
	 *
	 * @param title what happened; no text from outside
	 * @param description what to do; may quote values, it is escaped here
	 */
	failure(title: string, description: string): NodeOperationError {
		return new NodeOperationError(this.run.node, title, {
			description: escapeHtml(description),
			itemIndex: this.index,
		});
	}
}

function chosen(value: unknown): unknown {
	return isResourceLocatorValue(value) ? value.value : value;
}
