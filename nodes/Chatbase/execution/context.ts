import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { escapeHtml, redact, shorten } from '../api/errors';
import { hasExpression } from './expression';

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

	private readonly hints = new Set<string>();

	private readonly settings = new Map<string, unknown>();

	private hasReadExpression = false;

	/** The API keys that the items of the run use. */
	readonly keys = new Set<string>();

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
		this.hint('warning', message);
	}

	/** Tells the editor, once, the result of a run. */
	inform(message: string) {
		this.hint('info', message);
	}

	/** Text for an error or a hint, which may quote a record: without the keys of the run. */
	hideKeys(text: string): string {
		let shown = text;
		for (const key of this.keys) shown = redact(shown, key);
		return shown;
	}

	private hint(type: 'info' | 'warning', message: string) {
		if (this.isTool || this.hints.has(message)) return;
		this.hints.add(message);
		this.functions.addExecutionHints?.({
			type,
			message: escapeHtml(this.hideKeys(message)),
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

	/** For what must not be done twice: both retries of n8n run all items again. `harm` is a sentence that says so. */
	assertNoRetry(harm: string) {
		if (this.node.retryOnFail) {
			const nextStep = `${harm} The node itself repeats what surely did not run.`;
			throw this.error('Turn off Retry On Fail', nextStep);
		}
		if (this.functions.getMode() === 'retry') {
			const nextStep = `${harm} Start the workflow anew, without the items that are done.`;
			throw this.error('This operation refuses the retry of an execution', nextStep);
		}
	}

	/** The error of an item, or of the whole run. Its description may quote values; it is escaped here. */
	error(title: string, nextStep: string, itemIndex?: number): NodeOperationError {
		const description = escapeHtml(shorten(nextStep));
		return new NodeOperationError(this.node, title, { description, itemIndex });
	}
}
