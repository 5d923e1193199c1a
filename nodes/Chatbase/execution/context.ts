import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { OwnTitle } from '../api/ownErrors';
import { Failure } from '../api/failure';
import { SecretKeys } from '../api/secretKeys';
import { escapeHtml, shorten } from '../values/text';

/**
 * An expression that only reads a value of the input item. The editor writes such an expression when a column is dragged into
 * a field.
 */
const columnPattern =
	/^\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)\s*\}\}$/;
const stepPattern = /\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/** The item whose values an expression can read. */
interface Scope {
	json: IDataObject;
	/** Evaluates an expression in n8n. The expression comes without its leading `=`. */
	evaluate(expression: string): unknown;
}

/** Whether a stored value is an expression or contains one. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return (
		typeof value === 'object' &&
		value !== null &&
		Object.values(value).some(hasExpression)
	);
}

/**
 * Resolves a fixed value, an expression, or lists and objects of them, as the workflow stores it. n8n needs about 0.3 ms
 * for an expression (2.41, expression engine `vm`), so columns of the input are read directly.
 */
export function resolveValue(item: Scope, value: unknown): unknown {
	if (typeof value === 'string') {
		if (!value.startsWith('=')) return value;
		return resolveExpression(item, value.slice(1));
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((entry) => resolveValue(item, entry));

	const entries = Object.entries(value).map(([key, held]) => [
		key,
		resolveValue(item, held),
	]);
	return Object.fromEntries(entries);
}

/** Reads a path such as `.address["zip code"]` directly. n8n evaluates everything else, such as a property of a date. */
function resolveExpression(item: Scope, expression: string): unknown {
	const path = columnPattern.exec(expression)?.[1];
	if (path === undefined) return item.evaluate(expression);

	let value: unknown = item.json;
	for (const step of path.matchAll(stepPattern)) {
		const key = step[1] ?? step[2] ?? step[3] ?? step[4];
		if (key === undefined || !isPlain(value)) return item.evaluate(expression);
		value = Object.hasOwn(value, key) ? value[key] : undefined;
	}
	return value;
}

/** Whether a value is a list or a plain object, and not an instance of a class, which can have getters. */
function isPlain(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) return true;

	const prototype: unknown = Object.getPrototypeOf(value);
	// In another realm, such as that of a Code node, `Object` is a different one.
	return !prototype || Object.getPrototypeOf(prototype) === null;
}

type HintType = 'info' | 'warning';

/** Whether an AI agent calls a node of this type: n8n 2.41 adds this ending to the type of a node's tool. */
export function isToolType(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/** n8n's context of a run. Expensive calls, such as for a copy of the node (n8n 2.41), are made once. */
export class RunContext {
	readonly node: INode;

	readonly items: INodeExecutionData[];

	readonly isTool: boolean;

	/** The names of the parameters that contain expressions, so that they can differ between items. */
	readonly dynamic = new Set<string>();

	/** Set when an item reads a parameter that can differ between items. */
	hasReadDynamic = false;

	private readonly settings = new Map<string, unknown>();

	/** The hints that the editor shows beside the output, each text once: first results, then notes, then warnings. */
	private readonly results = new Map<string, HintType>();

	private readonly notes = new Set<string>();

	private readonly warnings = new Set<string>();

	/** The API keys that the items of the run use. */
	readonly keys = new SecretKeys();

	constructor(readonly functions: IExecuteFunctions) {
		this.node = functions.getNode();
		this.items = functions.getInputData();
		this.isTool = isToolType(this.node);

		for (const [name, value] of Object.entries(this.node.parameters)) {
			if (hasExpression(value)) this.dynamic.add(name);
		}
	}

	/** Whether failures end the run. Agents get them as a result instead. */
	get endsOnFailure(): boolean {
		return !this.isTool && !this.functions.continueOnFail();
	}

	/** Adds a hint about what a person should check after a run that succeeded. */
	warn(message: string): void {
		this.warnings.add(message);
	}

	/** Adds a hint about what a person may want to know. */
	note(message: string): void {
		this.notes.add(message);
	}

	/** Adds a hint with a result of the run. */
	inform(message: string, type: HintType = 'info'): void {
		this.results.set(message, type);
	}

	/** The warnings, without the keys of the run. */
	get tellableWarnings(): string[] {
		return [...this.warnings].map((text) => this.hideKeys(text));
	}

	/** Shows all hints in the editor. */
	showHints(): void {
		const notes = [...this.notes].map((text) => [text, 'info'] as const);
		const warnings = [...this.warnings].map((text) => [text, 'warning'] as const);

		const hints = [...this.results, ...notes, ...warnings].map(
			([text, type]): NodeExecutionHint => {
				const message = escapeHtml(this.hideKeys(text));
				return { type, message, location: 'outputPane' };
			},
		);
		this.functions.addExecutionHints?.(...hints);
	}

	/** Removes the keys of the run from the text of an error or a hint, which may quote a record. */
	hideKeys(text: string): string {
		return this.keys.hideIn(text);
	}

	/**
	 * Reads settings, or what the whole input says, once for all items. If they depend on an expression, reads them for each
	 * item.
	 */
	readSettings<Settings>(key: string, read: () => Settings): Readonly<Settings> {
		const known = this.settings.get(key) as Settings | undefined;
		if (known !== undefined) return known;

		// The read can read other settings.
		const before = this.hasReadDynamic;
		this.hasReadDynamic = false;
		try {
			const settings = Object.freeze(read());
			if (!this.hasReadDynamic) this.settings.set(key, settings);
			return settings;
		} finally {
			this.hasReadDynamic ||= before;
		}
	}

	/**
	 * Throws in a retry. For what must not be done twice: n8n has two kinds of retries, and both run all items again. n8n 2.41
	 * does not say whether the node ran in the execution that is retried, or in an earlier retry of it.
	 * @param harm what n8n would do, such as "send all messages again"
	 */
	assertNoRetry(harm: string): void {
		if (this.node.retryOnFail) {
			const nextStep = `n8n would ${harm}. The node itself repeats what surely did not run.`;
			throw this.error('Turn off Retry On Fail', nextStep);
		}
		if (this.functions.getMode() === 'retry') {
			const nextStep = `n8n could ${harm}. The node refuses this also if it has not run yet, because n8n does not say so. Start the workflow again.`;
			throw this.error('This operation refuses the retry of an execution', nextStep);
		}
	}

	/** The failure of an item, or of the whole run. The next step may quote values. */
	error(title: OwnTitle, nextStep: string, itemIndex?: number): Failure {
		return new Failure({ title, sentences: [shorten(nextStep)], itemIndex });
	}
}
