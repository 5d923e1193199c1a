import type { ItemContext } from '../transport/operation';
import { isToolCall } from '../transport/run';
import { readDay, readInstant } from '../values/time';
import { describe, refuse } from './read';

/** A kind of value that the API takes. */
export interface Kind<Value = unknown> {
	/** What the value has to be, to complete the sentence "It is not …". */
	expected: string;
	/** @returns the value as it is sent, or undefined where it is of another kind */
	read(value: unknown): Value | undefined;
}

/** Text; a number counts as the text that it is written with. */
export const text: Kind<string> = {
	expected: 'text',
	read: (value) => (Number.isFinite(value) ? String(value) : isText(value) ? value : undefined),
};

/** Text with something in it. */
export const filledText: Kind<string> = {
	expected: 'filled in',
	read(value) {
		const read = text.read(value);
		return read?.trim() ? read : undefined;
	},
};

/** A list of texts, none of them blank. Several lines of text count as the list of these lines. */
export const texts: Kind<string[]> = {
	expected: 'a list of texts, each with something in it',
	read(value) {
		const entries = isText(value) ? linesOf(value) : value;
		if (!Array.isArray(entries)) return undefined;
		const read = entries.map((entry: unknown) => filledText.read(entry));
		return read.includes(undefined) ? undefined : (read as string[]);
	},
};

/** A list of texts, or one text with commas between them; blanks in between do not count. */
export const commaSeparated: Kind<string[]> = {
	expected: 'a list of texts',
	read(value) {
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		const read = entries.map((entry) => text.read(entry)?.split(','));
		if (read.includes(undefined)) return undefined;
		return read.flatMap((parts) => parts!.map((part) => part.trim()).filter(Boolean));
	},
};

/** A truth value, or the word for it. */
export const truth: Kind<boolean> = {
	expected: 'true or false',
	read(value) {
		if (typeof value === 'boolean') return value;
		const word = isText(value) ? value.trim().toLowerCase() : undefined;
		return word === 'true' ? true : word === 'false' ? false : undefined;
	},
};

/**
 * A whole number, or text that is one.
 *
 * @param minimum smallest allowed
 * @param maximum largest allowed, if there is one
 */
export function wholeNumber(minimum: number, maximum?: number): Kind<number> {
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

/** A number from 0 to 1, or text that is one. */
export const share: Kind<number> = {
	expected: 'a number from 0 to 1',
	read(value) {
		const number = numberOf(value);
		return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
	},
};

/** A hex colour code. */
export const colour: Kind<string> = {
	expected: 'a hex color code such as #1e90ff',
	read: (value) =>
		isText(value) && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? value : undefined,
};

/**
 * A moment, in milliseconds since 1970.
 *
 * @param timeZone IANA name of the zone for text without an offset
 */
export function moment(timeZone: string): Kind<number> {
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
export function day(timeZone: string): Kind<string> {
	return { expected: 'a date such as 2026-09-01', read: (value) => readDay(value, timeZone) };
}

/** One of a few words. */
export function oneOf<Word extends string>(...words: Word[]): Kind<Word> {
	return {
		expected: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
		read: (value) => words.find((word) => word === value),
	};
}

/**
 * Reads a value as what the API takes.
 *
 * @param context the item
 * @param value what the field holds
 * @param kind what it has to be
 * @param label display name of the field, for errors
 * @param rule more words for the error where the kind alone does not say what is asked for
 * @throws NodeOperationError when it is of another kind
 */
export function readAs<Value>(
	context: ItemContext,
	value: unknown,
	kind: Kind<Value>,
	label: string,
	rule = '',
): Value {
	const read = kind.read(value);
	if (read !== undefined) return read;
	const nextStep = `It is ${describe(value)}. ${rule}`.trim();
	throw refuse(context, `${label} is not ${kind.expected}`, nextStep);
}

/**
 * Whether a field that was added holds anything. An expression without a value for this item does
 * not; nor does a blank from a model, which fills in every field of a tool.
 */
export function isGiven(context: ItemContext, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return !isToolCall(context) || !isBlank(value);
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
