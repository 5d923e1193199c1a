/** What a custom attribute is, and which values its type takes. */
import { booleanOf, isExact, losesDigits, numberOf } from '../../values/json';
import {
	excelDate,
	isoDateIn,
	plainNumberIn,
	type TextFormat,
} from '../../values/textFormat';
import { instantOf, isIsoDate, withFullOffset } from '../../values/time';

/** Types of a custom attribute (API document of version 1, Custom attribute). */
export type AttributeType = 'text' | 'number' | 'boolean' | 'date';

export interface Attribute {
	name: string;
	type: AttributeType;
	label?: string;
	/** Archived attributes keep their values, but accept no new ones. */
	archived: boolean;
}

/** The custom attributes of a chatbot, by name. */
export type Attributes = ReadonlyMap<string, Attribute>;

/** The words for what a value must be. */
export interface ExpectedForm {
	/** Completes "It must be …". */
	readonly form: string;
	/** Complete "It is not …" and "They are not …". */
	readonly one: string;
	readonly many: string;
}

/** A value in the type of its attribute, or the words for what it must be. */
export type Converted =
	/** It was read in the format of Options, or as Excel's number for a day. A person should know. */
	| { readonly value: unknown; readonly isReread?: boolean }
	| { readonly expected: ExpectedForm };

const expected = {
	number: { form: 'a number', one: 'a number', many: 'numbers' },
	exactNumber: {
		form: 'a number of at most 15 digits',
		one: 'a number of at most 15 digits',
		many: 'numbers of at most 15 digits',
	},
	boolean: {
		form: 'yes or no, true or false, 1 or 0',
		one: 'yes, no, true, false, 1 or 0',
		many: 'yes, no, true, false, 1 or 0',
	},
	date: {
		form: 'a date such as 2026-09-01 or 2026-09-01T08:30:00Z',
		one: 'a date',
		many: 'dates',
	},
	text: { form: 'text', one: 'text', many: 'text' },
} satisfies Record<string, ExpectedForm>;

/**
 * Converts a nonempty value to the type of its attribute, if nothing is lost or guessed. Text of a date in ISO 8601 is kept
 * unchanged, so that the day can't shift.
 * @param format how dates and numbers in text are written
 */
export function convert(
	value: unknown,
	type: AttributeType,
	format: TextFormat = 'iso',
): Converted {
	switch (type) {
		case 'number':
			return typeof value === 'string' ? numberIn(value, format) : asNumber(value);
		case 'boolean':
			return foundOr(expected.boolean, booleanOf(value));
		case 'date':
			return typeof value === 'string' ? dateIn(value, format) : asDate(value);
		case 'text':
			return asText(value);
	}
}

/** The value in the type of its attribute, or if there is none, the words for what it must be. */
function foundOr(form: ExpectedForm, value: unknown): Converted {
	if (value === undefined) return { expected: form };
	return { value };
}

function numberIn(text: string, format: TextFormat): Converted {
	const plain = plainNumberIn(text, format);
	if (plain === undefined) return { expected: expected.number };

	const number = numberOf(plain) ?? NaN;
	if (!Number.isFinite(number)) return { expected: expected.number };
	if (losesDigits(plain)) return { expected: expected.exactNumber };

	return { value: number, isReread: plain !== text.trim() };
}

function asNumber(value: unknown): Converted {
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		return { expected: expected.number };
	}
	if (!isExact(value)) return { expected: expected.exactNumber };
	return { value };
}

function dateIn(text: string, format: TextFormat): Converted {
	const converted = isoDateIn(text, format);
	const date = converted ?? withFullOffset(text.trim());
	if (!isIsoDate(date)) return { expected: expected.date };
	return { value: date, isReread: converted !== undefined };
}

function asDate(value: unknown): Converted {
	if (typeof value !== 'number') return foundOr(expected.date, isoTime(value));

	const day = excelDate(value);
	if (day === undefined) return { expected: expected.date };
	return { value: day, isReread: true };
}

function asText(value: unknown): Converted {
	if (typeof value === 'object') return foundOr(expected.text, isoTime(value));
	if (typeof value === 'number' && !isExact(value)) return { expected: expected.text };
	return { value: String(value) };
}

/** The time of a date object as ISO 8601. */
function isoTime(value: unknown): string | undefined {
	const instant = typeof value === 'object' ? instantOf(value) : undefined;
	if (instant === undefined) return undefined;
	return new Date(instant).toISOString();
}
