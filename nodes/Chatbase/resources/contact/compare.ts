import { booleanOf, isBlank, isEmpty, isObject, ownValue } from '../../values/json';
import { losesDigits, numberOf } from '../../values/number';
import { isIsoDate, readTimestamp } from '../../values/time';
import type { AttributeType } from '../customAttribute/attributes';
import { attributesIn, type Contact, normalizeEmail } from './contact';
import { attributePrefix, bareName, isAttribute, type Values } from './wanted';

/** @returns undefined if the contact has no value; an empty list is none */
export function valueIn(contact: Contact, name: string): unknown {
	if (isAttribute(name)) return ownValue(attributesIn(contact), bareName(name));
	for (const alias of aliasesOf(name)) {
		const value = ownValue(contact, alias);
		if (!isEmpty(value) && !isEmptyList(value)) return value;
	}
	return undefined;
}

function isEmptyList(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

/** Those that have a value. */
export function attributesOf(contact: Contact | undefined): Values {
	const attributes = attributesIn(contact ?? {});
	const names = Object.keys(attributes).filter((name) => !isEmpty(attributes[name]));
	return new Map(names.map((name) => [attributePrefix + name, attributes[name]]));
}

/** Whether writing one value over the other would change nothing. Without a type, the values tell it. */
export function isSameValue(current: unknown, wanted: unknown, type?: AttributeType): boolean {
	if (isEmpty(current) || isEmpty(wanted)) return isEmpty(current) && isEmpty(wanted);
	if (current === wanted) return true;
	if (Array.isArray(current) && Array.isArray(wanted)) {
		const isSameAt = (value: unknown, index: number) => isSameValue(value, wanted[index]);
		return current.length === wanted.length && current.every(isSameAt);
	}
	if (isObject(current) && isObject(wanted)) {
		const keys = new Set([...Object.keys(current), ...Object.keys(wanted)]);
		return [...keys].every((key) => isSameValue(ownValue(current, key), ownValue(wanted, key)));
	}
	if (typeof current === 'object' || typeof wanted === 'object') return false;
	return isSame[type ?? typeOf(current, wanted)](current, wanted);
}

const isSame: Record<AttributeType, (current: unknown, wanted: unknown) => boolean> = {
	text: (current, wanted) => String(current) === String(wanted),
	number(current, wanted) {
		const isRounded = [current, wanted].some((value) => losesDigits(String(value)));
		return !isRounded && numberOf(current) !== undefined && numberOf(current) === numberOf(wanted);
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
};

/** A date with a time and an offset, as services return dates; a text that a user wrote is rarely one. */
function isStoredDate(text: string): boolean {
	return /\dT/.test(text) && /(Z|[+-]\d\d:?\d\d)$/.test(text);
}

/** Guesses a type such that a service that returns another form is not written to in every run. */
function typeOf(current: unknown, wanted: unknown): AttributeType {
	if (typeof current === 'boolean' || typeof wanted === 'boolean') return 'boolean';
	if (typeof wanted !== 'string') return 'number';
	if (typeof current === 'string') return isStoredDate(current) ? 'date' : 'text';
	return isIsoDate(wanted) ? 'date' : 'number';
}

const textFields = ['external_id', 'name', 'phonenumber'];

/** Like `isSameValue`, for a field or an attribute of a contact by its name. */
export function isSameField(
	name: string,
	current: unknown,
	wanted: unknown,
	type?: AttributeType,
): boolean {
	if (isAttribute(name)) return isSameValue(current, wanted, type);
	if (accountsNames.includes(name)) return areSameAccounts(current, wanted);
	const areTexts = typeof current === 'string' && typeof wanted === 'string';
	// Services may store emails in lower case.
	if (name === 'email' && areTexts) return normalizeEmail(current) === normalizeEmail(wanted);
	// An empty list is no value, as `valueIn` reads it.
	if (isEmptyList(wanted)) return isEmpty(current) || isEmptyList(current);
	// Text that looks like a number or a date is still text.
	return isSameValue(current, wanted, areTexts || textFields.includes(name) ? 'text' : undefined);
}

/** The name of payment accounts depends on the service. */
const accountsNames = ['payment_accounts', 'stripe_accounts'];

export function aliasesOf(name: string): string[] {
	return accountsNames.includes(name) ? accountsNames : [name];
}

/** Compares accounts in any order. Some services name the keys `stripe_…` instead of `payment_…`. */
export function areSameAccounts(current: unknown, wanted: unknown): boolean {
	const [one, other] = [current, wanted].map((value) =>
		(Array.isArray(value) ? value.filter(isObject) : [])
			.map(({ label, payment_id, payment_email, stripe_id, stripe_email }) =>
				JSON.stringify([
					isBlank(label) ? null : label,
					payment_id ?? stripe_id ?? null,
					normalizeEmail(payment_email ?? stripe_email) ?? null,
				]),
			)
			.sort(),
	);
	return one.length === other.length && one.every((account, index) => account === other[index]);
}
