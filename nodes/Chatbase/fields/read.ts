import type { IDataObject } from 'n8n-workflow';
import { isResourceLocatorValue, jsonParse } from 'n8n-workflow';

import { refusal } from '../transport/failure';
import type { ItemContext } from '../transport/operation';
import { resolveValue } from './expression';

/**
 * Reads an ID that becomes part of a path: text or a number, not blank, and neither `.` nor `..`,
 * which a URL would resolve to another path.
 *
 * @param context the item
 * @param name name of a resource locator or text parameter; may be a path into a collection
 * @param label display name of the field, for errors
 * @throws NodeOperationError when the value cannot be an ID
 */
export function readId(context: ItemContext, name: string, label: string): string {
	const held: unknown = context.getNodeParameter(name, '', { rawExpressions: true });
	const value = resolveValue(context, isResourceLocatorValue(held) ? held.value : held);
	const id = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
	if (id === undefined || id === null || (typeof id === 'string' && id.trim() === '')) {
		throw refuse(
			context,
			`${label} is empty`,
			'Choose one From List or enter its ID. If it is an expression, this item has no value for it.',
		);
	}
	if (typeof id !== 'string') {
		throw refuse(context, `${label} is not text`, `It is ${describe(value)}. Enter a single ID.`);
	}
	assertPathSegment(context, id, label);
	return id;
}

/**
 * Refuses text that cannot be a part of a path: `.` and `..`, which a URL resolves to another path, and
 * half a character, which no address can carry.
 *
 * @param context the item
 * @param text what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when it is any of these
 */
export function assertPathSegment(context: ItemContext, text: string, label: string) {
	if (text === '.' || text === '..') {
		throw refuse(context, `${label} is not valid`, `"${text}" would lead to another address.`);
	}
	if (!/\p{Surrogate}/u.test(text)) return;
	throw refuse(
		context,
		`${label} is not valid`,
		'It holds half a character, such as an emoji that was cut in two.',
	);
}

/**
 * Reads JSON from a field that accepts it as text or, from an expression, as data.
 *
 * @param context the item
 * @param value what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when the text is not JSON
 */
export function readJson(context: ItemContext, value: unknown, label: string): unknown {
	if (typeof value !== 'string') {
		if (isJson(value)) return value;
		throw refuse(
			context,
			`${label} holds a value that JSON does not know`,
			'A number or a date in it is none, such as the result of a division by zero. It would be sent as null.',
		);
	}
	if (value.trim() === '') return undefined;
	try {
		return jsonParse<unknown>(value);
	} catch {
		throw refuse(
			context,
			`${label} is not valid JSON`,
			'Check quotes, commas and brackets. Names and text need double quotes.',
		);
	}
}

/** Whether data from an expression can be sent without a number or a date in it turning into null. */
export function isJson(value: unknown): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || value === null) return true;
	const date = value as { toJSON?: unknown };
	if (typeof date.toJSON === 'function') return date.toJSON() !== null;
	return Object.values(value).every(isJson);
}

/**
 * Like `readJson`, for fields that need a JSON object; a blank field counts as an empty one.
 *
 * @param context the item
 * @param value what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when it is anything else
 */
export function readJsonObject(context: ItemContext, value: unknown, label: string): IDataObject {
	const parsed = readJson(context, value, label);
	if (parsed === undefined || parsed === null) return {};
	if (typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as IDataObject;
	throw refuse(
		context,
		`${label} is not a JSON object`,
		`It is ${describe(parsed)}. Start with { and end with }.`,
	);
}

/**
 * The error for input that cannot work, made before any request.
 *
 * @param context the item
 * @param title what is wrong, naming the field by its display name; no text from outside
 * @param nextStep how to get on; may quote values
 */
export function refuse(context: ItemContext, title: string, nextStep: string) {
	return refusal(context.getNode(), context.getItemIndex(), title, nextStep);
}

/** Says in words what kind of value was found. */
export function describe(value: unknown): string {
	if (value === null || value === undefined || value === '') return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return `the Boolean ${value}`;
	return typeof value === 'number' ? `the number ${value}` : `the text "${String(value)}"`;
}
