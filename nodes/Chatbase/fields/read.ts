import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { isPathSegment } from '../api/path';
import { describeValue } from './describe';
import { text } from './values';

/**
 * Reads an ID that becomes part of a path: text or a number, not blank, and neither `.` nor `..`,
 * which a URL would resolve to another path.
 *
 * @param item the item
 * @param name name of a resource locator or text parameter; may be a path into a collection
 * @param label display name of the field, for errors
 * @throws NodeOperationError when the value cannot be an ID
 */
export function readId(item: InputItem, name: string, label: string): string {
	const value = item.parameter(name);
	if (value === undefined || (typeof value === 'string' && value.trim() === '')) {
		throw item.refusal(
			`${label} is empty`,
			// A model sees no panel, but it can ask.
			item.isTool
				? 'This parameter needs an ID. Ask the user for it.'
				: 'Choose one From List or enter its ID. If it is an expression, this item has no value for it.',
		);
	}
	const id = text.read(value);
	if (id === undefined) {
		throw item.refusal(`${label} is not text`, `It is ${describeValue(value)}. Enter a single ID.`);
	}
	assertPathSegment(item, id, label);
	return id;
}

/**
 * Refuses text that cannot be a part of a path: `.` and `..`, which a URL resolves to another path, and
 * half a character, which no address can carry.
 *
 * @param item the item
 * @param id what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when it is any of these
 */
export function assertPathSegment(item: InputItem, id: string, label: string) {
	if (isPathSegment(id)) return;
	throw item.refusal(
		`${label} is not valid`,
		/^\.+$/.test(id)
			? `"${id}" would lead to another address.`
			: 'It holds half a character, such as an emoji that was cut in two.',
	);
}

/**
 * Reads JSON from a field that accepts it as text or, from an expression, as data.
 *
 * @param item the item
 * @param value what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when the text is not JSON
 */
export function readJson(item: InputItem, value: unknown, label: string): unknown {
	if (typeof value !== 'string') {
		if (isJson(value)) return value;
		throw item.refusal(
			`${label} holds a value that JSON does not know`,
			'A number or a date in it is none, such as the result of a division by zero. It would be sent as null.',
		);
	}
	if (value.trim() === '') return undefined;
	try {
		return jsonParse<unknown>(value);
	} catch {
		throw item.refusal(
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
 * @param item the item
 * @param value what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when it is anything else
 */
export function readJsonObject(item: InputItem, value: unknown, label: string): IDataObject {
	const parsed = readJson(item, value, label);
	if (parsed === undefined || parsed === null) return {};
	if (typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as IDataObject;
	throw item.refusal(
		`${label} is not a JSON object`,
		`It is ${describeValue(parsed)}. Start with { and end with }.`,
	);
}
