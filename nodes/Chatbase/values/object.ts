import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, and neither an array nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads an own property, so that a key such as `constructor` does not find what every object inherits.
 *
 * @returns undefined where the record has no such property
 */
export function ownValue<Value>(record: Record<string, Value>, key: string): Value | undefined {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A list of JSON objects, or undefined where a value is anything else. */
export function asObjects(value: unknown): IDataObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}
