import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, and neither an array nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unlike `record[key]`, ignores inherited values, such as `constructor`. */
export function ownValue<Value>(record: Record<string, Value>, key: string): Value | undefined {
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
