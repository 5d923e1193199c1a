/**
 * The values of a contact by name: its fields, and its custom attributes as `custom_attributes.plan`. A service may return
 * another form of a value than was sent, so values are compared by what they mean.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	booleanOf,
	isBlank,
	isNothing,
	isObject,
	losesDigits,
	numberOf,
	objectsIn,
	ownValue,
} from '../../../values/json';
import { normalizeEmail } from '../../../values/clean';
import { isIsoDate, readTimestamp } from '../../../values/time';
import type { Attributes, AttributeType } from '../../customAttribute/attributeTypes';

/** Tells a custom attribute from a field of the contact. */
export const attributePrefix = 'custom_attributes.';

export function isAttribute(name: string): boolean {
	return name.startsWith(attributePrefix);
}

export function bareName(name: string): string {
	return name.slice(attributePrefix.length);
}

export type ContactValues = ReadonlyMap<string, unknown>;
export type Entry = [name: string, value: unknown];

export const noValues: ContactValues = new Map();

/** Custom attributes as the service has them, by their names among the values of a contact. */
export function attributeEntries(attributes: unknown): Entry[] {
	if (!isObject(attributes)) return [];
	return Object.entries(attributes).map(([name, value]) => [
		attributePrefix + name,
		value,
	]);
}

export function hasAttributes(values: ContactValues): boolean {
	return [...values.keys()].some(isAttribute);
}

/** Names of the custom attributes among the values. */
export function attributeNamesIn(values: ContactValues): string[] {
	return [...values.keys()].filter(isAttribute);
}

/** Like `attributeNamesIn`, without archived attributes, to which nothing can be sent. */
export function activeNamesIn(
	values: ContactValues,
	attributes: Attributes | undefined,
): string[] {
	const names = attributeNamesIn(values);
	return names.filter((name) => !attributes?.get(bareName(name))?.archived);
}

/** What a contact has, without what is empty. */
export function contactValuesOf(contact: IDataObject): ContactValues {
	const values = new Map<string, unknown>();
	const add = (name: string, value: unknown) => {
		if (!isNothing(value)) values.set(name, value);
	};
	for (const [name, value] of Object.entries(contact)) {
		if (name !== 'custom_attributes') add(name, value);
	}
	attributeEntries(contact.custom_attributes).forEach((entry) => add(...entry));

	const named = accountsNames.find((name) => values.has(name));
	if (named) accountsNames.forEach((name) => values.set(name, values.get(named)));
	return values;
}

/** All values of both, without a copy if there is nothing to add. */
export function withOthers(values: ContactValues, others: ContactValues): ContactValues {
	if (others.size === 0) return values;
	return new Map([...values, ...others]);
}

/** Values without those that clear something. A new contact has nothing to clear. */
export function withoutNulls(values: ContactValues): ContactValues {
	return new Map([...values].filter(([, value]) => value !== null));
}

/** Values as a contact in a request has them. */
export function dataOf(values: ContactValues): IDataObject {
	const fields: Entry[] = [];
	const attributes: Entry[] = [];
	for (const [name, value] of values) {
		if (isAttribute(name)) attributes.push([bareName(name), value]);
		else fields.push([name, value]);
	}

	const data = Object.fromEntries(fields) as IDataObject;
	if (attributes.length > 0) {
		data.custom_attributes = Object.fromEntries(attributes) as IDataObject;
	}
	return data;
}

/** The name of payment accounts depends on the service. */
export const accountsNames = ['payment_accounts', 'stripe_accounts'];

export function aliasesOf(name: string): string[] {
	return accountsNames.includes(name) ? accountsNames : [name];
}

const kinds = new Map<string, ValueKind>([
	['external_id', 'text'],
	['name', 'text'],
	['phonenumber', 'phone'],
	['email', 'email'],
	...accountsNames.map((name) => [name, 'accounts'] as const),
]);

/**
 * How the values of a field or an attribute are compared.
 * @param attributes the attributes of the chatbot, if they are known
 */
export function kindOfValue(name: string, attributes?: Attributes): ValueKind {
	if (!isAttribute(name)) return kinds.get(name) ?? 'field';
	return attributes?.get(bareName(name))?.type ?? 'unknown';
}

/** The wanted values that a contact does not have. */
export function missingValues(
	held: ContactValues,
	wanted: ContactValues,
	attributes?: Attributes,
): Entry[] {
	const missing: Entry[] = [];
	for (const [name, value] of wanted) {
		const kind = kindOfValue(name, attributes);
		if (!isSameValue(held.get(name), value, kind)) missing.push([name, value]);
	}
	return missing;
}

/** How two values are compared. */
type ValueKind =
	| AttributeType
	| 'accounts'
	| 'email'
	| 'phone'
	/** A text is compared as text, even if it looks like a number or a date. Other values are compared by their types. */
	| 'field'
	/** The two values show how to compare them. */
	| 'unknown';

/** Whether writing one value over the other would change nothing. */
export function isSameValue(
	current: unknown,
	wanted: unknown,
	kind: ValueKind = 'unknown',
): boolean {
	if (current === wanted) return true;
	if (isNothing(current)) return isNothing(wanted);
	if (isNothing(wanted)) return false;
	if (kind === 'accounts') return accountsIn(current) === accountsIn(wanted);

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
	return sameValueTests[kind](current, wanted);
}

type SameValueTest = (current: unknown, wanted: unknown) => boolean;

/** Compares what `read` finds in two values. They differ if it finds nothing. */
function by(read: (value: unknown) => unknown): SameValueTest {
	return (current, wanted) => {
		const value = read(current);
		return value !== undefined && value === read(wanted);
	};
}

const sameValueTests: Record<Exclude<ValueKind, 'accounts'>, SameValueTest> = {
	text: by(String),
	boolean: by(booleanOf),
	number: by((value) => (losesDigits(String(value)) ? undefined : numberOf(value))),
	// Services may store emails in lower case.
	email: by((value) => normalizeEmail(String(value))),

	// Services may store phone numbers in E.164, with or without the plus.
	phone(current, wanted) {
		const [held, sent] = [dialedOf(current), dialedOf(wanted)];
		return held === sent || isSameNumber(held, sent);
	},

	date(current, wanted) {
		const [held, sent] = [readTimestamp(current), readTimestamp(wanted)];
		if (held === undefined || sent === undefined) return false;
		// A Unix timestamp may have no milliseconds.
		const isExact = typeof current === 'string' && isIsoDate(current);
		return held === sent || (!isExact && held === Math.floor(sent / 1000) * 1000);
	},

	field(current, wanted) {
		const areTexts = typeof current === 'string' && typeof wanted === 'string';
		return sameValueTests[areTexts ? 'text' : guessTypeOfValues(current, wanted)](
			current,
			wanted,
		);
	},

	unknown: (current, wanted) =>
		sameValueTests[guessTypeOfValues(current, wanted)](current, wanted),
};

/** The characters that people put between the digits of a phone number, and invisible characters. */
const phoneSeparators = /[\s\p{Cf}\u2010\u2011()./-]/gu;

/** A phone number as it is dialed. A text with letters, such as an extension, or without digits is compared as it is. */
function dialedOf(value: unknown): string {
	const text = String(value);
	if (/\p{L}/u.test(text) || !/\d/.test(text)) return text;

	// "+49 (0)30" has the zero for callers inside the country.
	return text.replace('(0)', '').replace(phoneSeparators, '').replace(/^00/, '+');
}

const minNationalDigits = 7;

/**
 * Whether two numbers have the same digits, or the sent one only lacks the country code of the held one. If the held one lacks
 * it, the sent one is a change.
 */
function isSameNumber(held: string, sent: string): boolean {
	if (![held, sent].every((dialed) => /^\+?\d+$/.test(dialed))) return false;

	const [heldDigits, sentDigits] = [held.replace('+', ''), sent.replace('+', '')];
	if (heldDigits === sentDigits) return true;

	const haveCountryCodes = held.startsWith('+') && sent.startsWith('+');
	if (haveCountryCodes) return false;

	const national = sentDigits.replace(/^0/, '');
	if (national.length < minNationalDigits) return false;
	return heldDigits.length > national.length && heldDigits.endsWith(national);
}

/** Guesses the type of two values. Otherwise, a service that returns another form would be written to in every run. */
function guessTypeOfValues(current: unknown, wanted: unknown): AttributeType {
	if (typeof current === 'boolean' || typeof wanted === 'boolean') return 'boolean';
	if (typeof wanted !== 'string') return 'number';
	if (typeof current === 'string') return isStoredDate(current) ? 'date' : 'text';
	return isIsoDate(wanted) ? 'date' : 'number';
}

/** A date with a time and an offset, as services return dates; a text that a user wrote is rarely one. */
function isStoredDate(text: string): boolean {
	return /\dT/.test(text) && /(Z|[+-]\d\d:?\d\d)$/.test(text);
}

/** Accounts in any order. Some services name the keys `stripe_…` instead of `payment_…`. */
function accountsIn(value: unknown): string {
	const texts = objectsIn(value).map(
		({ label, payment_id, payment_email, stripe_id, stripe_email }) =>
			JSON.stringify([
				isBlank(label) ? null : label,
				payment_id ?? stripe_id ?? null,
				normalizeEmail(payment_email ?? stripe_email) ?? null,
			]),
	);
	return texts.sort().join();
}
