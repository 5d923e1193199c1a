/** ISO 8601 text: a day, and where it goes on, a time, and where that goes on, an offset. */
const isoPattern =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/;

/** A Unix timestamp that was written as text. Fewer digits than it has since 1973 may be a year or a day. */
const digitsPattern = /^\d{9,}(\.\d+)?$/;

/** Timestamps below this are seconds; a time in milliseconds is beyond it since 1973. */
const smallestMilliseconds = 1e11;

/** How far from 1970 a date can be (ECMAScript, time values). */
const largestMoment = 8.64e15;

/**
 * Reads a timestamp whose form is not documented.
 *
 * @param value seconds or milliseconds since 1970, as a number or as digits, or ISO 8601 text, in UTC
 *   where it has no offset
 * @returns milliseconds since 1970, or undefined when it cannot be read
 */
export function readTimestamp(value: unknown): number | undefined {
	return typeof value === 'object' ? undefined : readInstant(value, 'UTC');
}

/** A number of seconds or milliseconds since 1970, in milliseconds; undefined where no date is so far away. */
function readUnixTime(value: number): number | undefined {
	const instant = Math.abs(value) < smallestMilliseconds ? value * 1000 : value;
	return Math.abs(instant) <= largestMoment ? instant : undefined;
}

/** The offset of a time zone at an instant, in milliseconds east of UTC. */
function offsetAt(instant: number, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(instant);
	const part = (type: Intl.DateTimeFormatPartTypes) =>
		Number(parts.find((candidate) => candidate.type === type)?.value);
	const wallClock = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return wallClock - Math.floor(instant / 1000) * 1000;
}

/**
 * Whether a day exists, which `Date.parse` does not tell: it reads 30 February as 2 March.
 *
 * @param day `YYYY-MM-DD`
 */
function dayExists(day: string): boolean {
	return new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(-2));
}

/** Whether text is a day or an instant in ISO 8601 that exists. */
export function isIsoDate(text: string): boolean {
	const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text) ?? [];
	return day !== undefined && dayExists(day) && !Number.isNaN(Date.parse(`${day}T${time}${zone}`));
}

/**
 * The instant that a date object stands for, such as a `Date` or a Luxon `DateTime`.
 *
 * @returns milliseconds since 1970, or undefined when it is no date
 */
export function instantOf(value: object | null): number | undefined {
	const instant: unknown = typeof value?.valueOf === 'function' ? value.valueOf() : undefined;
	return typeof instant === 'number' && Math.abs(instant) <= largestMoment ? instant : undefined;
}

/**
 * Reads an instant from what a date field holds: text of the date picker, or a date, a Luxon
 * `DateTime`, a Unix timestamp (as a number or as digits) or ISO 8601 text from an expression.
 *
 * @param value what the field holds
 * @param timeZone IANA name of the zone for text without an offset
 * @returns milliseconds since 1970, or undefined when it is no date
 */
export function readInstant(value: unknown, timeZone: string): number | undefined {
	if (typeof value === 'number') return readUnixTime(value);
	if (typeof value === 'object') return instantOf(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (digitsPattern.test(text)) return readUnixTime(Number(text));
	if (!isIsoDate(text)) return undefined;
	const [, day, time = '00:00', zone] = isoPattern.exec(text)!;
	if (zone || timeZone === 'UTC') return Date.parse(`${day}T${time}${zone ?? 'Z'}`);
	return instantOfWallClock(Date.parse(`${day}T${time}Z`), timeZone);
}

const dayLength = 24 * 60 * 60 * 1000;

/**
 * The instant at which clocks show a time. Where they show it twice, it is the first; where they leave it out, they
 * are as far beyond it as they were put forward, so that a day that begins with such a change begins with the change.
 *
 * @param wallClock what clocks show, as if it were UTC, in milliseconds since 1970
 * @param timeZone IANA name of the zone
 * @returns milliseconds since 1970
 */
function instantOfWallClock(wallClock: number, timeZone: string): number {
	const [before, after] = [wallClock - dayLength, wallClock + dayLength].map(
		(instant) => wallClock - offsetAt(instant, timeZone),
	);
	const isShownAt = (instant: number) => instant + offsetAt(instant, timeZone) === wallClock;
	return [before, after].find(isShownAt) ?? before;
}

/**
 * Reads a day from what a date field holds, as `readInstant` does. Text without an offset names its
 * day itself; an instant lies on the day that the workflow's time zone has then.
 *
 * @param value what the field holds
 * @param timeZone IANA name of the zone of the workflow
 * @returns the day as `YYYY-MM-DD`, or undefined when it is no date
 */
export function readDay(value: unknown, timeZone: string): string | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	const [, day, , zone] = isoPattern.exec(text) ?? [];
	if (day && !zone) return isIsoDate(text) ? day : undefined;
	const instant = readInstant(value, timeZone);
	if (instant === undefined) return undefined;
	// Sweden writes dates in the form of ISO 8601.
	return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant);
}
