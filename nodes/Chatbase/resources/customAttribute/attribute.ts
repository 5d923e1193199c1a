import { isExact } from '../../values/number';
import { instantOf, isIsoDate } from '../../values/time';

/** How a custom attribute is told from a field of the contact itself, as in `custom_attributes.plan`. */
export const attributePrefix = 'custom_attributes.';

/** What a custom attribute can hold (contract, Custom attribute). */
export const attributeTypes = ['text', 'number', 'boolean', 'date'] as const;

/** The type of a custom attribute. */
export type AttributeType = (typeof attributeTypes)[number];

/** A custom attribute of a chatbot: what its contacts can hold besides the fields that all contacts have. */
export interface Attribute {
	name: string;
	type: AttributeType;
	label?: string;
	/** Archived attributes keep their values, but accept no new ones. */
	archived: boolean;
}

/** A value in the type of its field, or what is wrong with it. */
export type Converted = { value: unknown } | { expected: string };

const truthValues = new Map<unknown, boolean>([
	[true, true],
	[false, false],
	['true', true],
	['false', false],
	[1, true],
	[0, false],
	['1', true],
	['0', false],
]);

/**
 * Brings a value that is not blank into the type that the service demands for it, as long as no
 * information is lost or guessed.
 *
 * - text: text; numbers and truth values are written out
 * - number: a number, or text that is one
 * - boolean: a truth value, `true` or `false` as text, 1 or 0
 * - date: ISO 8601 text, kept as it is so that no day shifts; a date from an expression becomes ISO 8601
 */
export function convert(value: unknown, type: AttributeType): Converted {
	if (type === 'number') {
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (typeof number !== 'number' || !Number.isFinite(number)) return { expected: 'a number' };
		const isChanged = typeof value === 'string' ? losesDigits(value) : !isExact(number);
		return isChanged ? { expected: 'a number of at most 15 digits' } : { value: number };
	}
	if (type === 'boolean') {
		const truth = truthValues.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
		return truth === undefined ? { expected: 'true or false' } : { value: truth };
	}
	if (type === 'date') {
		const text = dateText(value);
		return text !== undefined && isIsoDate(text)
			? { value: text }
			: { expected: 'a date such as 2026-09-01 or 2026-09-01T08:30:00Z' };
	}
	if (typeof value === 'number' && !isExact(value)) return { expected: 'text' };
	return typeof value === 'object' ? { expected: 'text' } : { value: String(value) };
}

/** Whether a number that is written out has more digits than a number can hold. */
export function losesDigits(text: string): boolean {
	const [, digits = ''] = /^[+-]?([\d.]*)/.exec(text.trim()) ?? [];
	return digits.replace('.', '').replace(/^0+/, '').length > 15 && !isSameNumber(text);
}

function isSameNumber(text: string): boolean {
	const plain = text
		.trim()
		.replace(/^\+/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '');
	return String(Number(text)) === plain;
}

function dateText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	const date = new Date((typeof value === 'object' ? instantOf(value) : undefined) ?? NaN);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
