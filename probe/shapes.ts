/** Readers of values of unknown shape. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a JSON object; an empty one when it is something else. */
export function objectOf(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}

/** The value as a list of JSON objects; undefined when it is something else. */
export function recordsOf(value: unknown): JsonObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** The value of a JSON text; undefined when it is none. */
export function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function firstOf<Name extends string>(
	conditions: Array<[name: Name, holds: boolean]>,
): Name | undefined {
	return conditions.find(([, holds]) => holds)?.[0];
}

/** How times are written. A number may be seconds or milliseconds: this is the year 1973 in milliseconds. */
export function timeFormat(value: unknown): 'seconds' | 'milliseconds' | 'iso' | 'other' {
	if (typeof value === 'number') return value < 1e11 ? 'seconds' : 'milliseconds';
	const isIso =
		typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value);
	return isIso ? 'iso' : 'other';
}

/** The same, if seconds and milliseconds are one. */
export function roughFormat(time: unknown): 'iso' | 'number' | 'other' {
	const format = timeFormat(time);
	return format === 'seconds' || format === 'milliseconds' ? 'number' : format;
}

/** Milliseconds since 1970, however the time is written; NaN when it is none. */
export function momentOf(value: unknown): number {
	if (typeof value === 'number') return timeFormat(value) === 'seconds' ? value * 1000 : value;
	return typeof value === 'string' ? Date.parse(value) : NaN;
}
