import { booleanOf, isBlank, isNothing, isObject, ownValue } from '../../values/json';
import { losesDigits, numberOf } from '../../values/number';
import { isIsoDate, readTimestamp } from '../../values/time';
import type { AttributeType } from '../customAttribute/attributes';
import { normalizeEmail } from './contact';

/** How two values are compared. */
export type ValueKind =
	| AttributeType
	| 'accounts'
	| 'email'
	/** A text is a text, also if it looks like a number or a date. For other values, their types tell it. */
	| 'field'
	/** The values tell it. */
	| 'unknown';

/** Whether writing one value over the other would change nothing. */
export function isSameValue(
	current: unknown,
	wanted: unknown,
	kind: ValueKind = 'unknown',
): boolean {
	if (current === wanted) return true;
	if (isNothing(current) || isNothing(wanted))
		return isNothing(current) && isNothing(wanted);
	if (kind === 'accounts') return areSameAccounts(current, wanted);

	if (Array.isArray(current) && Array.isArray(wanted)) {
		const isSameAt = (value: unknown, index: number) => isSameValue(value, wanted[index]);
		return current.length === wanted.length && current.every(isSameAt);
	}
	if (isObject(current) && isObject(wanted)) {
		const keys = new Set([...Object.keys(current), ...Object.keys(wanted)]);
		return [...keys].every((key) =>
			isSameValue(ownValue(current, key), ownValue(wanted, key)),
		);
	}
	if (typeof current === 'object' || typeof wanted === 'object') return false;
	return isSame[kind](current, wanted);
}

type Comparison = (current: unknown, wanted: unknown) => boolean;

const isSame: Record<Exclude<ValueKind, 'accounts'>, Comparison> = {
	text: (current, wanted) => String(current) === String(wanted),

	number(current, wanted) {
		if ([current, wanted].some((value) => losesDigits(String(value)))) return false;
		return numberOf(current) !== undefined && numberOf(current) === numberOf(wanted);
	},

	boolean: (current, wanted) =>
		booleanOf(current) !== undefined && booleanOf(current) === booleanOf(wanted),

	date(current, wanted) {
		const [held, sent] = [readTimestamp(current), readTimestamp(wanted)];
		if (held === undefined || sent === undefined) return false;
		// Unix time can lack milliseconds.
		const isExact = typeof current === 'string' && isIsoDate(current);
		return held === sent || (!isExact && held === Math.floor(sent / 1000) * 1000);
	},

	// Services may store emails in lower case.
	email: (current, wanted) =>
		normalizeEmail(String(current)) === normalizeEmail(String(wanted)),

	field(current, wanted) {
		const areTexts = typeof current === 'string' && typeof wanted === 'string';
		return isSame[areTexts ? 'text' : typeOf(current, wanted)](current, wanted);
	},

	unknown: (current, wanted) => isSame[typeOf(current, wanted)](current, wanted),
};

/** Guesses a type such that a service that returns another form is not written to in every run. */
function typeOf(current: unknown, wanted: unknown): AttributeType {
	if (typeof current === 'boolean' || typeof wanted === 'boolean') return 'boolean';
	if (typeof wanted !== 'string') return 'number';
	if (typeof current === 'string') return isStoredDate(current) ? 'date' : 'text';
	return isIsoDate(wanted) ? 'date' : 'number';
}

/** A date with a time and an offset, as services return dates; a text that a user wrote is rarely one. */
function isStoredDate(text: string): boolean {
	return /\dT/.test(text) && /(Z|[+-]\d\d:?\d\d)$/.test(text);
}

/** Compares accounts in any order. Some services name the keys `stripe_…` instead of `payment_…`. */
function areSameAccounts(current: unknown, wanted: unknown): boolean {
	const [one, other] = [accountsIn(current), accountsIn(wanted)];
	return (
		one.length === other.length && one.every((account, index) => account === other[index])
	);
}

function accountsIn(value: unknown): string[] {
	const accounts = Array.isArray(value) ? value.filter(isObject) : [];
	const texts = accounts.map(
		({ label, payment_id, payment_email, stripe_id, stripe_email }) =>
			JSON.stringify([
				isBlank(label) ? null : label,
				payment_id ?? stripe_id ?? null,
				normalizeEmail(payment_email ?? stripe_email) ?? null,
			]),
	);
	return texts.sort();
}
