/** Readers of responses of unknown shape. */
import { differs, notFoundOut, type Answer } from './answer';
import type { ServiceResponse } from './client';

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

/** What stands in the field `data` of a response. */
export function dataOf({ json }: ServiceResponse): unknown {
	return objectOf(json).data;
}

/** A page of version 2; undefined if the response is none. */
export function cursorPageOf(response: ServiceResponse) {
	const { data, pagination } = objectOf(response.json);
	const rows = recordsOf(data);
	if (!isSuccess(response) || !rows || !isObject(pagination)) return undefined;
	const { cursor, hasMore, total } = pagination;
	return { rows, hasMore, total, cursor: typeof cursor === 'string' ? cursor : '' };
}

export function isSuccess({ status }: ServiceResponse): boolean {
	return status >= 200 && status < 300;
}

/** The answer that a status stands for: `success` is 200 to 299, `missing` a 404 of the service itself. */
export function byStatus<Name extends string | number>(
	response: ServiceResponse,
	answers: Record<number, Name> & { success?: Name; missing?: Name },
): Name | undefined {
	if (isSuccess(response)) return answers.success;
	return isMissing(response) && answers.missing ? answers.missing : answers[response.status];
}

/** The first name whose condition is true. */
export function firstOf<Name extends string | number>(
	conditions: Array<[name: Name, holds: boolean]>,
): Name | undefined {
	return conditions.find(([, holds]) => holds)?.[0];
}

/** The service's message about a failure; undefined if there is none. */
export function messageOf({ json }: ServiceResponse): string | undefined {
	const { message } = objectOf(json);
	return typeof message === 'string' ? message : undefined;
}

/** The code of a failure in version 2. */
export function codeOf({ json }: ServiceResponse): unknown {
	return objectOf(objectOf(json).error).code;
}

/** Whether the service itself says that something is missing, not a page of HTML. */
export function isMissing(response: ServiceResponse): boolean {
	return response.status === 404 && (messageOf(response) ?? codeOf(response)) !== undefined;
}

/**
 * Describes an unexpected response without a quote. A refusal that has
 * nothing to do with the question leaves it open.
 */
export function unexpected(response: ServiceResponse): Answer {
	const { status, isUnclear } = response;
	if (status === 0) return notFoundOut('no response');
	const isUnrelated = isUnclear || [401, 402, 403, 429, 502, 503, 504].includes(status);
	return (isUnrelated ? notFoundOut : differs)(`status ${status}, ${bodyOf(response)}`);
}

function bodyOf(response: ServiceResponse): string {
	const { text, json } = response;
	if (text === '') return 'no body';
	if (messageOf(response) !== undefined) return 'JSON with a message';
	if (codeOf(response) !== undefined) return 'JSON with a code';
	if (json !== undefined) return 'JSON of another shape';
	return text.trimStart().startsWith('<') ? 'HTML' : 'text';
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

/** The order of records by their times; undefined when they are too few or all the same. */
export function orderOf(moments: number[]): 'oldestFirst' | 'newestFirst' | 'other' | undefined {
	const steps = moments.slice(1).map((moment, index) => Math.sign(moment - moments[index]));
	if (!steps.some(Boolean)) return undefined;
	if (steps.every((step) => step >= 0)) return 'oldestFirst';
	return steps.every((step) => step <= 0) ? 'newestFirst' : 'other';
}
