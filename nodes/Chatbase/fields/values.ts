import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isResourceLocatorValue, jsonParse } from 'n8n-workflow';

import { isPathSegment } from '../api/address';
import { hasExpression } from '../execution/expression';
import type { InputItem } from '../execution/item';
import { booleanOf, isBlank, isObject } from '../values/json';
import { countFormat, isExact, numberOf } from '../values/number';
import { readDay, readInstant, readLastInstant } from '../values/time';

/** A type of value that the API takes. */
export interface ValueType<Value = unknown> {
	/** Completes the sentence "It is not …". */
	expected: string;
	/** A sentence with an example, for the error. */
	rule?: string;
	/** Returns the value as it is sent, or undefined if it is of another type. */
	read(value: unknown): Value | undefined;
	/** How a field for it looks, if not as a text. */
	property?: Partial<INodeProperties>;
}

/** Text. A number becomes its digits, if none is lost, and a date becomes ISO 8601. */
export const text: ValueType<string> = {
	expected: 'text',
	read(value) {
		if (typeof value === 'string') return value;
		if (typeof value === 'number') return isExact(value) ? String(value) : undefined;
		const date = toJson(value);
		return typeof date === 'string' ? date : undefined;
	},
};

export const filledText: ValueType<string> = {
	expected: 'filled in',
	read(value) {
		const read = text.read(value);
		return read?.trim() ? read : undefined;
	},
};

export function textUpTo(maximum: number): ValueType<string> {
	return {
		expected: `a text of 1 to ${countFormat.format(maximum)} characters`,
		read(value) {
			const read = filledText.read(value);
			return read !== undefined && read.length <= maximum ? read : undefined;
		},
	};
}

/** A list of texts, none of them empty. Text becomes the list of its lines. */
export const stringList: ValueType<string[]> = {
	expected: 'a list of nonempty texts',
	read(value) {
		const isText = typeof value === 'string';
		const entries: unknown = isText
			? value.split(/\r?\n/).filter((line) => line.trim() !== '')
			: value;
		// Empty text can be an expression without a value, so it doesn't empty the list.
		if (!Array.isArray(entries) || (isText && entries.length === 0)) return undefined;
		const read = entries.map((entry: unknown) => filledText.read(entry));
		return read.includes(undefined) ? undefined : (read as string[]);
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
	const { expected, property, read } = numberBetween(minimum, maximum);
	return {
		expected: expected.replace('number', 'whole number'),
		property,
		read: (value) => (Number.isSafeInteger(read(value)) ? read(value) : undefined),
	};
}

export function numberBetween(minimum: number, maximum: number): ValueType<number> {
	const [from, to] = [minimum, maximum].map((bound) => countFormat.format(bound));
	return {
		expected: maximum < Infinity ? `a number from ${from} to ${to}` : `a number, ${from} or more`,
		property: {
			type: 'number',
			default: minimum,
			typeOptions: { minValue: minimum, ...(maximum < Infinity && { maxValue: maximum }) },
		},
		read(value) {
			const read = numberOf(value);
			return read !== undefined && read >= minimum && read <= maximum ? read : undefined;
		},
	};
}

/** A number whose field is a text, since that can be empty: n8n's guidelines want a number in a number field. */
export function entered(type: ValueType<number>): ValueType<number> {
	return { ...type, property: {} };
}

export const fraction = numberBetween(0, 1);

export const color: ValueType<string> = {
	expected: 'a hex color code such as #1e90ff',
	property: { type: 'color', placeholder: 'e.g. #1e90ff' },
	read: (value) =>
		typeof value === 'string' && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? value : undefined,
};

/** A time, in milliseconds since 1970. The zone, by its IANA name, is for text without an offset. */
export function moment(timeZone: string): ValueType<number> {
	return {
		expected: 'a date',
		rule: 'Use a form such as 2026-09-01 or 2026-09-01T08:30:00.',
		read: (value) => readInstant(value, timeZone),
	};
}

/** Like `moment`, for the end of a range: a day without a time counts up to its end. */
export function lastMoment(timeZone: string): ValueType<number> {
	return { ...moment(timeZone), read: (value) => readLastInstant(value, timeZone) };
}

/** A day in a time zone with an IANA name, as `YYYY-MM-DD`. */
export function day(timeZone: string): ValueType<string> {
	return { expected: 'a date such as 2026-09-01', read: (value) => readDay(value, timeZone) };
}

export function oneOf<Word extends string>(...words: Word[]): ValueType<Word> {
	return {
		expected: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
		read: (value) => words.find((word) => word === value),
	};
}

/** Throws if the value is of another type. `rule` is a sentence for the error, if the name of the type is not enough. */
export function readAs<Value>(
	item: Pick<InputItem, 'error'>,
	value: unknown,
	type: ValueType<Value>,
	label: string,
	rule = type.rule ?? '',
): Value {
	const read = type.read(value);
	if (read !== undefined) return read;
	throw item.error(
		`${label} is not ${type.expected}`,
		`It is ${describeValue(value)}. ${rule}`.trim(),
	);
}

/** Undefined for a field that was not added, has no value, or is an option that was added and not filled in. */
export function readOptional<Value>(
	item: InputItem,
	path: string,
	type: ValueType<Value>,
	label: string,
): Value | undefined {
	if (isUnfilledOption(item, path)) return undefined;
	const value = item.parameter(path);
	return hasValue(item, value) ? readAs(item, value, type, label) : undefined;
}

/** Whether an option was added and left empty. An expression that returns empty text is no such option. */
function isUnfilledOption(item: InputItem, path: string): boolean {
	if (!path.startsWith('options.')) return false;
	const options = item.rawParameter('options');
	const stored = isObject(options) ? options[path.slice('options.'.length)] : undefined;
	const value = isResourceLocatorValue(stored) ? stored.value : stored;
	return typeof value === 'string' && isBlank(value);
}

/** Whether a field that was added has a value. A model fills in every field of a tool, so empty text from it is none. */
export function hasValue(item: InputItem, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return !item.isTool || !isBlank(value);
}

/** Reads an ID that becomes part of a path. `advice` says what to do if it is empty. */
export function readId(
	item: InputItem,
	path: string,
	label: string,
	advice = 'Choose one From List or enter its ID.',
): string {
	const value = item.parameter(path);
	if (isBlank(value)) {
		throw item.error(
			`${label} is empty`,
			// A model sees no panel, but it can ask the user.
			item.isTool
				? 'This parameter needs an ID. Ask the user for it.'
				: hasExpression(item.rawParameter(path))
					? `The expression in ${label} returned nothing for this item.`
					: advice,
		);
	}
	const id = readAs(item, value, text, label, 'Enter a single ID.');
	assertPathSegment(item, id, label);
	return id;
}

export function assertPathSegment(item: InputItem, id: string, label: string) {
	if (isPathSegment(id)) return;
	throw item.error(
		`${label} is not valid`,
		/^\.+$/.test(id)
			? 'An ID can\'t be "." or "..".'
			: 'It ends or starts with half a character, such as an emoji that was cut in two.',
	);
}

/** Reads JSON from a field that accepts text and, from an expression, data; undefined if the field is empty. */
export function readJson(item: InputItem, value: unknown, label: string): unknown {
	if (typeof value !== 'string') {
		if (isJson(value)) return value;
		throw item.error(
			`${label} has a value that JSON can't hold`,
			'A number or date in it is invalid, such as the result of a division by zero. It would be sent as null.',
		);
	}
	if (value.trim() === '') return undefined;
	try {
		return jsonParse<unknown>(value);
	} catch {
		throw item.error(
			`${label} is not valid JSON`,
			'Check quotes, commas and brackets. Put names and text in double quotes.',
		);
	}
}

/** Like `readJson`, for fields that need a JSON object. An empty field means an empty object. */
export function readJsonObject(item: InputItem, value: unknown, label: string): IDataObject {
	const parsed = readJson(item, value, label) ?? {};
	if (isObject(parsed)) return parsed;
	throw item.error(
		`${label} is not a JSON object`,
		`It is ${describeValue(parsed)}. Start with { and end with }.`,
	);
}

/** Whether no number or date in the data of an expression would be sent as null. */
export function isJson(value: unknown): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || value === null) return true;
	const json = toJson(value);
	return json === undefined ? Object.values(value).every(isJson) : json !== null;
}

/** The result of `toJSON`, such as that of a date; undefined for any other value. */
function toJson(value: unknown): unknown {
	const convert = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
	return typeof convert === 'function' ? (convert.call(value) as unknown) : undefined;
}

const maxDescribedLength = 100;

export function describeValue(value: unknown): string {
	if (value === null || value === undefined || value === '') return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return `the boolean ${value}`;
	if (typeof value === 'number') return `the number ${value}`;
	const words = String(value);
	const isLong = words.length > maxDescribedLength;
	return `the text "${isLong ? `${words.slice(0, maxDescribedLength)} …` : words}"`;
}
