import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, and neither an array nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unlike `record[key]`, ignores inherited values, such as `constructor`. */
export function ownValue<Value>(
	record: Record<string, Value>,
	key: string,
): Value | undefined {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}

export function asObjects(value: unknown): IDataObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** A value as JSON holds it, such as a date as text, so that it can be compared with a response. */
export function plainJson(value: unknown): unknown {
	return typeof value === 'object' && value !== null
		? (JSON.parse(JSON.stringify(value)) as unknown)
		: value;
}

const booleans = new Map<unknown, boolean>([
	...[true, 1, 'true', '1', 'yes', 'on'].map((value) => [value, true] as const),
	...[false, 0, 'false', '0', 'no', 'off'].map((value) => [value, false] as const),
]);

/** A value as a boolean (case-insensitive); undefined if it is neither. */
export function booleanOf(value: unknown): boolean | undefined {
	return booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

export function isEmpty(value: unknown): value is null | undefined | '' {
	return value === '' || value === null || value === undefined;
}

/** Whether a value is empty, or a list without entries. */
export function isNothing(value: unknown): boolean {
	return isEmpty(value) || (Array.isArray(value) && value.length === 0);
}

/** Names and values of what a record has, without what is nothing. */
export function filledEntries(
	record: IDataObject,
): Array<[name: string, value: unknown]> {
	return Object.entries(record).filter(([, value]) => !isNothing(value));
}

/** Whether a value is empty, only spaces, or a list of such values. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}
