import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ownValue } from '../contacts/compare';
import type { ItemContext } from '../transport/operation';

/** An expression that does nothing but take a value of the input item, as dragging a column makes it. */
const columnPattern =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)\s*\}\}$/;
const stepPattern = /\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/**
 * Resolves the expressions of mapped fields for one item.
 *
 * n8n has evaluated each of them before the node runs, without handing the results over. Evaluating them
 * once more costs about as much as everything else together, so columns of the input are looked up directly.
 *
 * @param context the item
 * @param values what each field holds: a fixed value or an expression
 */
export function readMappedValues(context: ItemContext, values: INodeParameters): IDataObject {
	const { json } = context.getInputData();
	const resolve = (value: INodeParameters[string]): unknown => {
		if (typeof value !== 'string' || !value.startsWith('=')) return value;
		const path = columnPattern.exec(value)?.[1];
		const found = path === undefined ? undefined : lookUp(json, path);
		return found ? found.value : context.evaluateExpression(value.slice(1), context.getItemIndex());
	};
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, resolve(value)]),
	) as IDataObject;
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

function isPlain(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}
