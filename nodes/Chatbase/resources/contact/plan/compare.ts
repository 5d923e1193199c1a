import { isObject, ownValue } from '../../../values/object';
import { isIsoDate, readTimestamp } from '../../../values/time';

/**
 * Whether a contact already holds a value, so that writing it would change nothing.
 *
 * - Nothing is nothing: a missing value, null and empty text are the same.
 * - Dates are the same when they name the same instant. A day is its midnight in UTC, and text without an
 *   offset is UTC, because that is how services store what they get.
 * - A number and its text are the same, and so are a boolean, its text and 1 or 0: where the type of an
 *   attribute is not known, a spreadsheet's `"42"` must not be written every night.
 * - Objects are compared by content, whatever the order of their keys; lists in their order.
 */
export function isSameValue(existing: unknown, wanted: unknown): boolean {
	const one = existing === '' ? null : (existing ?? null);
	const other = wanted === '' ? null : (wanted ?? null);
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
	if (typeof one === 'object' || typeof other === 'object') return false;
	if (typeof one === 'boolean') return one === booleanOf(other);
	if (typeof other === 'boolean') return other === booleanOf(one);
	if (typeof one === 'string' && typeof other === 'string') {
		return isIsoDate(one) && isIsoDate(other) && readTimestamp(one) === readTimestamp(other);
	}
	return numberOf(one) === numberOf(other);
}

/** Whether two e-mail addresses are the same: services may store them in lower case. */
export function isSameAddress(existing: unknown, wanted: unknown): boolean {
	if (typeof existing !== 'string' || typeof wanted !== 'string') {
		return isSameValue(existing, wanted);
	}
	return existing.trim().toLowerCase() === wanted.trim().toLowerCase();
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

const booleans = new Map<unknown, boolean>([
	['true', true],
	['1', true],
	[1, true],
	['false', false],
	['0', false],
	[0, false],
]);

function booleanOf(value: unknown): boolean | undefined {
	return booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

/** @returns NaN, which equals nothing, where a text is no number */
function numberOf(value: unknown): number {
	return typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
}
