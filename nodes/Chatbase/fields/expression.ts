import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../transport/operation';
import { ownValue } from '../values/object';

/** An expression that does nothing but take a value of the input item, as dragging a column makes it. */
const columnPattern =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)\s*\}\}$/;
const stepPattern = /\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/**
 * Resolves what a field holds for one item.
 *
 * n8n has evaluated each expression before the node runs, without handing the results over. Evaluating them
 * once more costs about as much as everything else together, so columns of the input are looked up directly.
 *
 * @param context the item
 * @param value a fixed value or an expression, as `getNodeParameter` returns it with `rawExpressions`
 */
export function resolveValue(context: ItemContext, value: unknown): unknown {
	if (typeof value !== 'string' || !value.startsWith('=')) return value;
	const path = columnPattern.exec(value)?.[1];
	const found = path === undefined ? undefined : lookUp(context.getInputData().json, path);
	return found ? found.value : context.evaluateExpression(value.slice(1), context.getItemIndex());
}

/**
 * Follows a path such as `.address["zip code"]` through plain data.
 *
 * @returns the value, or undefined where only n8n knows what the path means, as for a property of a date
 */
function lookUp(json: IDataObject, path: string): { value: unknown } | undefined {
	let value: unknown = json;
	for (const step of path.matchAll(stepPattern)) {
		if (!isPlain(value)) return undefined;
		value = ownValue(value, step[1] ?? step[2] ?? step[3] ?? step[4]);
	}
	return { value };
}

/** Whether a value is a list or a record, and no instance of a class, which can have more than it shows. */
function isPlain(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	// Another realm, such as that of a Code node, has an Object of its own.
	return Array.isArray(value) || !prototype || Object.getPrototypeOf(prototype) === null;
}
