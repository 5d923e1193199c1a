import { type IDataObject, tryToParseDateTime } from 'n8n-workflow';

import { textIn } from './text';

const isoPattern =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** A Unix timestamp as text. Fewer digits, as before 1973, may be a year or a day. */
const digitsPattern = /^\d{9,}(\.\d+)?$/;

/** Timestamps below this are seconds. Times in milliseconds are above it since 1973. */
const minMilliseconds = 1e11;

/** How many milliseconds from 1970 a date can be away in every time zone (ECMAScript, time values: 8.64e15). */
const maxDistance = 8.639e15;

/** Reads a timestamp of the service in milliseconds since 1970. Its form is not documented; without an offset it is UTC. */
export function readTimestamp(value: unknown): number | undefined {
	if (typeof value === 'object') return undefined;
	return readInstant(value, 'UTC');
}

/** Sorts records by a time of the service, which is read once for each record. A time that can't be read counts as 1970. */
export function sortedByTime<Entry>(
	records: Entry[],
	timeOf: (record: Entry) => unknown,
	order: 'asc' | 'desc',
): Entry[] {
	const direction = order === 'asc' ? 1 : -1;
	return records
		.map((record) => ({ record, time: readTimestamp(timeOf(record)) ?? 0 }))
		.sort((one, other) => (one.time - other.time) * direction)
		.map(({ record }) => record);
}

/** Sorts records by a time. Those without a readable time come last. */
export function newestFirst(records: IDataObject[], field: string): IDataObject[] {
	return sortedByTime(records, (record) => record[field], 'desc');
}

function readUnixTime(value: number): number | undefined {
	const instant = Math.abs(value) < minMilliseconds ? value * 1000 : value;
	return Math.abs(instant) <= maxDistance ? instant : undefined;
}

/** Completes an offset of two digits, such as `+00`, as PostgreSQL writes it. JavaScript reads no such time. */
export function withFullOffset(text: string): string {
	return /\d:\d{2}.*[+-]\d{2}$/.test(text) ? `${text}:00` : text;
}

/** Whether text is an existing day or time in ISO 8601. */
export function isIsoDate(text: string): boolean {
	const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text) ?? [];
	if (day === undefined) return false;
	if (Number.isNaN(Date.parse(withFullOffset(`${day}T${time}${zone}`)))) return false;

	// Every month has 28 days. `Date` reads 30 February as 2 March.
	const date = Number(day.slice(-2));
	return date <= 28 || new Date(`${day}T00:00:00Z`).getUTCDate() === date;
}

/** The time of a date object, such as a `Date` or a Luxon `DateTime`, in milliseconds since 1970. */
export function instantOf(value: object | null): number | undefined {
	// Without a prototype, an object has no such function.
	if (typeof value?.valueOf !== 'function') return undefined;

	const instant: unknown = value.valueOf();
	if (typeof instant !== 'number') return undefined;
	return Math.abs(instant) <= maxDistance ? instant : undefined;
}

/**
 * Reads the time of a date field in milliseconds since 1970: text of the date picker, or from an expression a date, a
 * Luxon `DateTime`, a Unix timestamp (as a number or digits) or ISO 8601 text. The zone is for text without an offset.
 */
export function readInstant(value: unknown, timeZone: string): number | undefined {
	if (typeof value === 'number') return readUnixTime(value);
	if (typeof value === 'object') return instantOf(value);
	if (typeof value !== 'string') return undefined;

	const text = withFullOffset(value.trim());
	if (digitsPattern.test(text)) return readUnixTime(Number(text));
	if (!isIsoDate(text)) return undefined;

	const [, day, time = '00:00', zone] = isoPattern.exec(text)!;
	// Luxon needs 0.1 ms for each date, which is too long for comparing 100,000 contacts.
	if (zone || timeZone === 'UTC') return Date.parse(`${day}T${time}${zone ?? 'Z'}`);
	return tryToParseDateTime(`${day}T${time}`, timeZone).toMillis();
}

/** Times that records of the service can have. */
const plausibleTimes = { start: Date.UTC(2000), end: Date.UTC(2100) };

/**
 * Whether a number, or text of digits, is probably no Unix timestamp: Excel's number for a day would be a time of 1970, and so
 * would a date without hyphens.
 */
export function isImplausibleTime(value: unknown): boolean {
	if (typeof value !== 'number' && typeof value !== 'string') return false;

	const instant = readUnixTime(Number(value));
	if (instant === undefined) return false;
	return instant < plausibleTimes.start || instant >= plausibleTimes.end;
}

/** Like `readInstant`, for the end of a range: a day without a time stands for its last millisecond. */
export function readLastInstant(value: unknown, timeZone: string): number | undefined {
	const instant = readInstant(value, timeZone);
	const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
	if (instant === undefined || !isDay) return instant;

	return tryToParseDateTime(new Date(instant), timeZone).endOf('day').toMillis();
}

/** Reads the day of a date field as `YYYY-MM-DD`. A time with an offset is on the day that it is in the time zone. */
export function readDay(value: unknown, timeZone: string): string | undefined {
	const text = textIn(value).trim();
	const [, day, , zone] = isoPattern.exec(text) ?? [];
	const isWithoutZone = day !== undefined && zone === undefined;
	if (isWithoutZone) return isIsoDate(text) ? day : undefined;

	const instant = readInstant(value, timeZone);
	if (instant === undefined) return undefined;
	return tryToParseDateTime(new Date(instant), timeZone).toISODate() ?? undefined;
}
