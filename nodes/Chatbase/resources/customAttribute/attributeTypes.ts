/** What a custom attribute is, and which values its type takes. */
import { booleanOf, isExact, losesDigits, numberOf } from '../../values/json';
import { instantOf, isIsoDate } from '../../values/time';

/** Types of a custom attribute (contract, Custom attribute). */
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

/** A value in the type of its attribute, or the type that it should have. */
export type Converted = { value: unknown } | { expected: string };

/**
 * Converts a nonempty value to the type of its attribute, if nothing is lost or guessed. Date text is kept unchanged, so
 * that the day can't shift.
 */
export function convert(value: unknown, type: AttributeType): Converted {
	switch (type) {
		case 'number': {
			const number = numberOf(value);
			if (number === undefined || !Number.isFinite(number))
				return { expected: 'a number' };

			const isChanged = typeof value === 'string' ? losesDigits(value) : !isExact(number);
			return isChanged
				? { expected: 'a number of at most 15 digits' }
				: { value: number };
		}

		case 'boolean': {
			const boolean = booleanOf(value);
			return boolean === undefined ? { expected: 'true or false' } : { value: boolean };
		}

		case 'date': {
			const date = dateText(value);
			return date !== undefined && isIsoDate(date)
				? { value: date }
				: { expected: 'a date such as 2026-09-01 or 2026-09-01T08:30:00Z' };
		}

		case 'text': {
			const isText =
				typeof value === 'number' ? isExact(value) : typeof value !== 'object';
			const written = isText ? String(value) : dateText(value);
			return written === undefined ? { expected: 'text' } : { value: written };
		}
	}
}

function dateText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	const instant = typeof value === 'object' ? instantOf(value) : undefined;
	return instant === undefined ? undefined : new Date(instant).toISOString();
}
