import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { isExact } from '../values/number';
import { readDay, readInstant } from '../values/time';
import { describeValue } from './describe';

/** A kind of value that the API takes. */
export interface ValueType<Value = unknown> {
	/** What the value has to be, to complete the sentence "It is not …". */
	expected: string;
	/** @returns the value as it is sent, or undefined where it is of another kind */
	read(value: unknown): Value | undefined;
}

/** Text. A number counts as the text that it is written with, as long as it has all its digits; a date, as ISO 8601. */
export const text: ValueType<string> = {
	expected: 'text',
	read(value) {
		if (typeof value === 'number') return isExact(value) ? String(value) : undefined;
		if (typeof value !== 'object' || value === null) return isText(value) ? value : undefined;
		const date = (value as { toJSON?: () => unknown }).toJSON?.();
		return isText(date) ? date : undefined;
	},
};

/** Text with something in it. */
export const filledText: ValueType<string> = {
	expected: 'filled in',
	read(value) {
		const read = text.read(value);
		return read?.trim() ? read : undefined;
	},
};

/** A list of texts, none of them blank. Several lines of text count as the list of these lines. */
export const stringList: ValueType<string[]> = {
	expected: 'a list of texts, each with something in it',
	read(value) {
		const entries = isText(value) ? linesOf(value) : value;
		// Blank text is what an expression without a value gives, and no wish to empty the list.
		if (!Array.isArray(entries) || (isText(value) && entries.length === 0)) return undefined;
		const read = entries.map((entry: unknown) => filledText.read(entry));
		return read.includes(undefined) ? undefined : (read as string[]);
	},
};

/** A list of texts, or one text with commas between them; blanks in between do not count. */
export const commaSeparated: ValueType<string[]> = {
	expected: 'a list of texts',
	read(value) {
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		const read = entries.map((entry) => text.read(entry)?.split(','));
		if (read.includes(undefined)) return undefined;
		return read.flatMap((parts) => parts!.map((part) => part.trim()).filter(Boolean));
	},
};

const booleans = new Map<unknown, boolean>([
	...[true, 1, 'true', '1', 'yes', 'on'].map((value) => [value, true] as const),
	...[false, 0, 'false', '0', 'no', 'off', ''].map((value) => [value, false] as const),
]);

/** A switch, or what an expression may give for one. Nothing at all means off. */
export const boolean: ValueType<boolean> = {
	expected: 'true or false',
	read: (value) => booleans.get(isText(value) ? value.trim().toLowerCase() : value),
};

/**
 * A whole number, or text that is one.
 *
 * @param minimum smallest allowed
 * @param maximum largest allowed, if there is one
 */
export function wholeNumber(minimum: number, maximum?: number): ValueType<number> {
	return {
		expected:
			maximum === undefined
				? `a whole number, ${minimum} or more`
				: `a whole number from ${minimum} to ${maximum}`,
		read(value) {
			const number = numberOf(value);
			const isInRange = number! >= minimum && number! <= (maximum ?? Infinity);
			return Number.isSafeInteger(number) && isInRange ? number : undefined;
		},
	};
}

/**
 * A number, or text that is one.
 *
 * @param minimum smallest allowed
 * @param maximum largest allowed
 */
export function numberBetween(minimum: number, maximum: number): ValueType<number> {
	return {
		expected: `a number from ${minimum} to ${maximum}`,
		read(value) {
			const number = numberOf(value);
			return number !== undefined && number >= minimum && number <= maximum ? number : undefined;
		},
	};
}

/** A number from 0 to 1, or text that is one. */
export const fraction = numberBetween(0, 1);

/** A hex color code. */
export const color: ValueType<string> = {
	expected: 'a hex color code such as #1e90ff',
	read: (value) =>
		isText(value) && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? value : undefined,
};

/**
 * A moment, in milliseconds since 1970.
 *
 * @param timeZone IANA name of the zone for text without an offset
 */
export function moment(timeZone: string): ValueType<number> {
	return {
		expected: 'a date such as 2026-09-01 or 2026-09-01T08:30:00',
		read: (value) => readInstant(value, timeZone),
	};
}

/**
 * A day, as `YYYY-MM-DD`.
 *
 * @param timeZone IANA name of the zone whose day it is
 */
export function day(timeZone: string): ValueType<string> {
	return { expected: 'a date such as 2026-09-01', read: (value) => readDay(value, timeZone) };
}

/** One of a few words. */
export function oneOf<Word extends string>(...words: Word[]): ValueType<Word> {
	return {
		// Written out only for an error, since choices are read for every item.
		get expected() {
			return words.join(', ').replace(/, (?=[^,]*$)/, ' or ');
		},
		read: (value) => words.find((word) => word === value),
	};
}

/**
 * Reads a value as what the API takes.
 *
 * @param item the item
 * @param value what the field holds
 * @param kind what it has to be
 * @param label display name of the field, for errors
 * @param rule more words for the error where the kind alone does not say what is asked for
 * @throws NodeOperationError when it is of another kind
 */
export function readAs<Value>(
	item: InputItem,
	value: unknown,
	kind: ValueType<Value>,
	label: string,
	rule = '',
): Value {
	const read = kind.read(value);
	if (read !== undefined) return read;
	const nextStep = `It is ${describeValue(value)}. ${rule}`.trim();
	throw item.refusal(`${label} is not ${kind.expected}`, nextStep);
}

/**
 * Reads a switch of a collection, such as Options.
 *
 * @param item the item
 * @param fields the collection
 * @param name name of the switch
 * @param label display name of the switch, for errors
 * @param fallback what it is where it was not added, or an expression has no value for it
 * @throws NodeOperationError when it is neither on nor off
 */
export function readBoolean(
	item: InputItem,
	fields: IDataObject,
	name: string,
	label: string,
	fallback = false,
): boolean {
	return readOr(item, fields[name], boolean, label, fallback);
}

/**
 * Reads a choice of a collection; the first word is what it is where it was not added.
 *
 * @throws NodeOperationError when an expression gives another word
 */
export function readChoice<Word extends string>(
	item: InputItem,
	fields: IDataObject,
	name: string,
	label: string,
	words: [Word, ...Word[]],
): Word {
	return readOr(item, fields[name], oneOf(...words), label, words[0]);
}

function readOr<Value>(
	item: InputItem,
	value: unknown,
	kind: ValueType<Value>,
	label: string,
	fallback: Value,
): Value {
	return hasValue(item, value) ? readAs(item, value, kind, label) : fallback;
}

/**
 * Whether a field that was added holds anything. An expression without a value for this item does
 * not; nor does a blank from a model, which fills in every field of a tool.
 */
export function hasValue(item: InputItem, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return !item.isTool || !isBlank(value);
}

/** Whether a value holds nothing: missing, blank text, or a list of nothing but such. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return value === null || value === undefined || (isText(value) && value.trim() === '');
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function linesOf(value: string): string[] {
	return value.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function numberOf(value: unknown): number | undefined {
	if (isText(value) && value.trim() !== '') return Number(value);
	return typeof value === 'number' ? value : undefined;
}
