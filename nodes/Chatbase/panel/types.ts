import type { INodeProperties } from 'n8n-workflow';

import { booleanOf, countFormat, isExact, numberOf } from '../values/json';
import { isNonEmpty } from '../values/list';
import { abbreviate } from '../values/text';
import { isImplausibleTime, readDay, readInstant, readLastInstant } from '../values/time';

/** A type of value that the API takes. */
export interface ValueType<Value = unknown> {
	/** Completes the sentence "It is not …". */
	expected: string;
	/** A sentence with an example, for the error. */
	rule?: string;
	/** Returns the value as it is sent, or undefined if it is of another type. */
	read(value: unknown): Value | undefined;
	/** Whether it is a text. If a required one is missing, the error says that it is empty. */
	isText?: boolean;
	/** How a field for it looks, if not as a text. */
	property?: Partial<INodeProperties>;
}

/** Text. A number becomes its digits, if none is lost, and a date becomes ISO 8601. */
export const text: ValueType<string> = {
	expected: 'text',
	isText: true,
	read(value) {
		if (typeof value === 'string') return value;
		if (typeof value === 'number') return isExact(value) ? String(value) : undefined;

		const date = toJson(value);
		return typeof date === 'string' ? date : undefined;
	},
};

/** The values of a type that meet a condition. */
export function only<Value>(
	type: ValueType<Value>,
	expected: string,
	isMet: (value: Value) => boolean,
): ValueType<Value> {
	const read = (value: unknown) => {
		const found = type.read(value);
		const isWanted = found !== undefined && isMet(found);
		return isWanted ? found : undefined;
	};
	return { ...type, expected, read };
}

export const filledText = only(text, 'text', (value) => value.trim() !== '');

export function textUpTo(maximum: number): ValueType<string> {
	const expected = `a text of 1 to ${countFormat.format(maximum)} characters`;
	return only(filledText, expected, ({ length }) => length <= maximum);
}

export const webAddress = only(
	text,
	'a web address such as https://example.com/docs',
	(url) => /^https?:\/\//i.test(url) && URL.canParse(url),
);

/** A list of texts, none of them empty. Text becomes the list of its lines. */
export const stringList: ValueType<string[]> = {
	expected: 'a list of nonempty texts',
	read(value) {
		if (typeof value === 'string') {
			const lines = value.split(/\r?\n/).filter((line) => line.trim() !== '');
			// Empty text can be an expression without a value, so it doesn't empty the list.
			return isNonEmpty(lines) ? lines : undefined;
		}

		if (!Array.isArray(value)) return undefined;
		const read = value.map((entry: unknown) => filledText.read(entry));
		if (read.includes(undefined)) return undefined;
		return read as string[];
	},
};

/** A list of texts, or one text with commas between them. Spaces around them are ignored. */
export const commaSeparated: ValueType<string[]> = {
	expected: 'a list of texts',
	read(value) {
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		const read = entries.map((entry) => text.read(entry)?.split(','));
		if (read.includes(undefined)) return undefined;
		return read.flatMap((parts) => parts!.map((part) => part.trim()).filter(Boolean));
	},
};

/** What `commaSeparated` reads, as one text with commas. */
export const commaList: ValueType<string> = {
	expected: 'a list of texts',
	read: (value) => commaSeparated.read(value)?.join(',') || undefined,
};

/** A toggle, or the value of an expression for one. Empty text means off. */
export const boolean: ValueType<boolean> = {
	expected: 'true or false',
	property: { type: 'boolean', default: false },
	read: (value) => (value === '' ? false : booleanOf(value)),
};

export function wholeNumber(minimum: number, maximum = Infinity): ValueType<number> {
	const type = numberBetween(minimum, maximum);
	return only(
		type,
		type.expected.replace('number', 'whole number'),
		Number.isSafeInteger,
	);
}

function numberBetween(minimum: number, maximum: number): ValueType<number> {
	const [from, to] = [minimum, maximum].map((bound) => countFormat.format(bound));
	const hasMaximum = maximum < Infinity;
	const expected = hasMaximum
		? `a number from ${from} to ${to}`
		: `a number, ${from} or more`;
	const property: Partial<INodeProperties> = {
		type: 'number',
		default: minimum,
		typeOptions: { minValue: minimum, ...(hasMaximum && { maxValue: maximum }) },
	};

	const isBetween = (value: number) => value >= minimum && value <= maximum;
	return only({ expected, property, read: numberOf }, expected, isBetween);
}

/** A number in a text field. A number field can't be empty, since n8n's guidelines want a number in it. */
export function entered(type: ValueType<number>): ValueType<number> {
	return { ...type, property: {} };
}

export const fraction = numberBetween(0, 1);

export const color: ValueType<string> = {
	...only(text, 'a hex color code such as #1e90ff', (code) =>
		/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(code),
	),
	property: { type: 'color', placeholder: 'e.g. #1e90ff' },
};

const unixTimeRule =
	'A number counts as Unix time, in seconds or milliseconds, of the years 2000 to 2099.';

/** Refuses a number that is probably no time, such as Excel's number for a day. */
function plausible<Value>(read: (value: unknown) => Value | undefined) {
	return (value: unknown) => (isImplausibleTime(value) ? undefined : read(value));
}

/** A time, in milliseconds since 1970. The zone, by its IANA name, is for text without an offset. */
export function moment(timeZone: string): ValueType<number> {
	return {
		expected: 'a date',
		rule: `Use a form such as 2026-09-01 or 2026-09-01T08:30:00. ${unixTimeRule}`,
		read: plausible((value) => readInstant(value, timeZone)),
	};
}

/** Like `moment`, for the end of a range: a day without a time counts up to its end. */
export function lastMoment(timeZone: string): ValueType<number> {
	const read = plausible((value) => readLastInstant(value, timeZone));
	return { ...moment(timeZone), read };
}

/** A day in a time zone with an IANA name, as `YYYY-MM-DD`. */
export function calendarDay(timeZone: string): ValueType<string> {
	return {
		expected: 'a date such as 2026-09-01',
		rule: unixTimeRule,
		read: plausible((value) => readDay(value, timeZone)),
	};
}

export function oneOf<Word extends string>(...words: Word[]): ValueType<Word> {
	return {
		expected: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
		read: (value) => words.find((word) => word === value),
	};
}

/**
 * Whether JSON can hold a value of an expression. JSON would turn some numbers and dates into null, such as an invalid date.
 */
export function isJson(value: unknown): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || value === null) return true;

	const json = toJson(value);
	if (json === undefined) return Object.values(value).every(isJson);
	return json !== null;
}

/** The result of `toJSON`, such as that of a date; undefined for any other value. */
function toJson(value: unknown): unknown {
	const convert = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
	return typeof convert === 'function' ? (convert.call(value) as unknown) : undefined;
}

export function describeValue(value: unknown): string {
	if (value === null || value === undefined || value === '') return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return `the boolean ${value}`;
	if (typeof value === 'number') return `the number ${value}`;
	return `the text "${abbreviate(String(value))}"`;
}
