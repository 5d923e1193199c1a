import { isObject, ownValue } from '../values/object';
import { isIsoDate } from '../values/time';

/**
 * Whether a contact already holds a value, so that writing it would change nothing.
 *
 * - Nothing is nothing: a missing value and null are the same. Empty text is not, since the service may
 *   keep it.
 * - Dates are the same when they name the same instant. A day is its midnight in UTC, and text without an
 *   offset is UTC, because that is how services store what they get.
 * - A number and its text are the same, and so are a truth value and its text: where the type of an
 *   attribute is not known, a spreadsheet's `"42"` must not be written every night.
 * - Objects are compared by content, whatever the order of their keys; lists in their order.
 */
export function isSameValue(existing: unknown, wanted: unknown): boolean {
	const one = existing ?? null;
	const other = wanted ?? null;
	if (one === other) return true;
	if (one === null || other === null) return false;
	if (Array.isArray(one) && Array.isArray(other)) {
		return (
			one.length === other.length && one.every((value, index) => isSameValue(value, other[index]))
		);
	}
	if (isObject(one) && isObject(other)) {
		const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
		return [...keys].every((key) => isSameValue(ownValue(one, key), ownValue(other, key)));
	}
	if (typeof one === 'string' && typeof other === 'string') {
		return isIsoDate(one) && isIsoDate(other) && utcInstantOf(one) === utcInstantOf(other);
	}
	const isLoosePair = typeof one === 'string' || typeof other === 'string';
	if (!isLoosePair || typeof one === 'object' || typeof other === 'object') return false;
	return textOf(one) === textOf(other);
}

/**
 * Whether a contact already has the payment accounts, in any order. Some services call the field and its
 * keys `stripe_…` instead of `payment_…`.
 */
export function areSameAccounts(existing: unknown, wanted: unknown): boolean {
	const one = accountsOf(existing);
	const other = accountsOf(wanted);
	return one.length === other.length && one.every((account, index) => account === other[index]);
}

function accountsOf(value: unknown): string[] {
	if (!Array.isArray(value)) return [];
	return value
		.filter(isObject)
		.map(({ label, payment_id, payment_email, stripe_id, stripe_email }) =>
			JSON.stringify([
				label ?? null,
				payment_id ?? stripe_id ?? null,
				payment_email ?? stripe_email ?? null,
			]),
		)
		.sort();
}

function utcInstantOf(date: string): number {
	const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/.test(date.slice(10));
	const withTime = date.length > 10 ? date.replace(' ', 'T') : `${date}T00:00`;
	return Date.parse(hasOffset ? withTime : `${withTime}Z`);
}

function textOf(value: unknown): string {
	if (typeof value !== 'string') return String(value);
	const trimmed = value.trim();
	const number = Number(trimmed);
	return trimmed !== '' && Number.isFinite(number) ? String(number) : trimmed.toLowerCase();
}
