import type { IDataObject } from 'n8n-workflow';

/** An expression that only reads a value of the input item, as dragging a column creates it. */
const columnPattern =
	/^\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)\s*\}\}$/;
const stepPattern = /\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/** The item whose values an expression can read. */
interface Scope {
	json: IDataObject;
	/** Lets n8n evaluate an expression, without its leading `=`. */
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
		return value.startsWith('=') ? resolveExpression(item, value.slice(1)) : value;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((entry) => resolveValue(item, entry));

	const entries = Object.entries(value).map(([key, held]) => [
		key,
		resolveValue(item, held),
	]);
	return Object.fromEntries(entries);
}

/** Follows a path such as `.address["zip code"]`, unless only n8n can, such as to a property of a date. */
function resolveExpression(item: Scope, expression: string): unknown {
	const path = columnPattern.exec(expression)?.[1];
	if (path === undefined) return item.evaluate(expression);

	let value: unknown = item.json;
	for (const step of path.matchAll(stepPattern)) {
		if (!isPlain(value)) return item.evaluate(expression);
		const key = step[1] ?? step[2] ?? step[3] ?? step[4];
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
