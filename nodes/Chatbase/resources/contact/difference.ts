import type { IDataObject } from 'n8n-workflow';

import { isObject, ownValue } from '../../values/object';
import { booleanOf, isBlank, isEmpty, numberOf } from '../../values/scalar';
import { isIsoDate, readTimestamp } from '../../values/time';
import type { Attribute } from '../customAttribute/attributes';
import { attributePrefix } from '../customAttribute/attributes';
import type { Contact } from './contact';
import { normalizeEmail } from './contact';

/** What a contact should hold. Whatever is not mentioned stays as it is. */
export interface WantedContact {
	/** Fields of the contact itself, null to clear one. */
	fields: Map<string, unknown>;
	/** Custom attributes, null to clear one. */
	attributes: Map<string, unknown>;
	/** Attributes that the chatbot takes no values for: they cannot be kept. */
	unknown: Map<string, unknown>;
	/** The attributes of the chatbot, if they were read to understand the item. */
	schema?: Attribute[];
}

export interface ChangeRules {
	/** What happens to custom attributes that are not mentioned. */
	mode: 'merge' | 'replace';
	/** Names of fields and attributes (`custom_attributes.name`) that are only written if the contact has no value. */
	onlyIfEmpty: ReadonlySet<string>;
}

export interface Change {
	/** Names of the fields and of the attributes (`custom_attributes.name`) that differ. */
	changed: string[];
	/** Names of what differs and was left alone, because the contact has a value. */
	kept: string[];
	/** The fields to send; empty if nothing differs. */
	data: IDataObject;
	/** Whether attributes go out that the item does not mention. */
	carriesAttributes: boolean;
}

/**
 * Custom attributes go out as the whole that should remain, because nobody has documented whether the service merges
 * or replaces them: the result is right in both cases.
 *
 * @param existing undefined if the contact is not known, then everything counts as changed
 * @param schema the attributes of the chatbot, needed for `replace` and for a change that carries attributes
 */
export function changeOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	{ mode, onlyIfEmpty }: ChangeRules,
	schema?: Attribute[],
): Change {
	const kept: string[] = [];
	const isKept = (name: string, held: unknown) => {
		if (isEmpty(held) || !aliasesOf(name).some((alias) => onlyIfEmpty.has(alias))) return false;
		kept.push(name);
		return true;
	};
	const fields = [...wanted.fields].filter(
		([name, value]) =>
			!existing || !(holdsField(existing, name, value) || isKept(name, heldField(existing, name))),
	);

	const held = heldAttributes(existing);
	const targets = targetAttributes(wanted, held, mode, schema);
	const changed = new Map<string, unknown>();
	for (const [name, value] of targets) {
		const isSame = existing !== undefined && holdsValue(held.get(name), value);
		if (!isSame && !isKept(attributePrefix + name, held.get(name))) changed.set(name, value);
	}
	const carried = new Map<string, unknown>();
	for (const [name, value] of changed.size === 0 ? [] : mode === 'merge' ? held : targets) {
		if (!changed.has(name)) carried.set(name, held.get(name) ?? value);
	}
	for (const { name, archived } of schema ?? []) if (archived) carried.delete(name);
	return {
		changed: [
			...fields.map(([name]) => name),
			...[...changed.keys()].map((name) => attributePrefix + name),
		],
		kept,
		data: {
			...Object.fromEntries(fields),
			...(changed.size > 0 && {
				custom_attributes: Object.fromEntries([...carried, ...changed]),
			}),
		} as IDataObject,
		carriesAttributes: [...carried.keys()].some((name) => !wanted.attributes.has(name)),
	};
}

/**
 * @param sendsNull whether null goes out as it was asked for; otherwise nothing has to be cleared in what does not
 *   exist yet
 */
export function newContact(wanted: WantedContact, sendsNull = false): IDataObject {
	const isSent = ([, value]: [string, unknown]) => sendsNull || value !== null;
	const attributes = [...wanted.attributes].filter(isSent);
	return {
		...Object.fromEntries([...wanted.fields].filter(isSent)),
		...(attributes.length > 0 && { custom_attributes: Object.fromEntries(attributes) }),
	} as IDataObject;
}

/** Names of everything in the body of a contact, attributes one by one. */
export function namesIn({ custom_attributes: attributes, ...fields }: IDataObject): string[] {
	const names = Object.keys(isObject(attributes) ? attributes : {});
	return [...Object.keys(fields), ...names.map((name) => attributePrefix + name)];
}

/** Names what the service did not keep of what was sent, and the attributes that could not be sent. */
export function droppedFrom(
	sent: IDataObject,
	unknown: Map<string, unknown>,
	returned: Contact,
): string[] {
	const { custom_attributes: attributes, ...fields } = sent;
	const held = isObject(returned.custom_attributes) ? returned.custom_attributes : {};
	const given = [...Object.entries(isObject(attributes) ? attributes : {}), ...unknown];
	return [
		...Object.keys(fields).filter((name) => !holdsField(returned, name, fields[name])),
		...given
			.filter(([name, value]) => !holdsValue(ownValue(held, name), value))
			.map(([name]) => attributePrefix + name),
	];
}

/** Names of the attributes that a contact had, that were not mentioned, and that are gone. */
export function lostAttributes(
	before: Contact | undefined,
	wanted: WantedContact,
	after: Contact,
): string[] {
	const remaining = heldAttributes(after);
	return [...heldAttributes(before).keys()]
		.filter((name) => !wanted.attributes.has(name) && !remaining.has(name))
		.map((name) => attributePrefix + name);
}

/** Whether two inputs ask for the same. One that clears what the other does not mention asks for something else. */
export function wantsTheSame(one: WantedContact, other: WantedContact): boolean {
	const isSameMap = (
		left: Map<string, unknown>,
		right: Map<string, unknown>,
		isSame = isSameField,
	) =>
		left.size === right.size &&
		[...left].every(([name, value]) => right.has(name) && isSame(name, value, right.get(name)));
	const isSameAttribute = (_: string, held: unknown, wanted: unknown) => isSameValue(held, wanted);
	return (
		isSameMap(one.fields, other.fields) &&
		isSameMap(one.attributes, other.attributes, isSameAttribute) &&
		isSameMap(one.unknown, other.unknown, isSameAttribute)
	);
}

/**
 * Whether a contact already holds a value, so that writing it would change nothing.
 *
 * - Missing, null and empty text are equal.
 * - Dates are equal if they name the same instant. A day is its midnight in UTC, and text without an offset is UTC,
 *   because that is how services store what they get.
 * - A number and its text are equal, and so are a boolean and what means it: where the type of an attribute is not
 *   known, a spreadsheet's `"42"` must not be written every night.
 * - Objects are compared by content, whatever the order of their keys; lists in their order.
 */
export function isSameValue(existing: unknown, wanted: unknown): boolean {
	if (isEmpty(existing) || isEmpty(wanted)) return isEmpty(existing) && isEmpty(wanted);
	if (existing === wanted) return true;
	if (Array.isArray(existing) && Array.isArray(wanted)) {
		return (
			existing.length === wanted.length &&
			existing.every((value, index) => isSameValue(value, wanted[index]))
		);
	}
	if (isObject(existing) && isObject(wanted)) {
		const keys = new Set([...Object.keys(existing), ...Object.keys(wanted)]);
		return [...keys].every((key) => isSameValue(ownValue(existing, key), ownValue(wanted, key)));
	}
	if (typeof existing === 'object' || typeof wanted === 'object') return false;
	if (typeof existing === 'boolean') return existing === booleanOf(wanted);
	if (typeof wanted === 'boolean') return wanted === booleanOf(existing);
	if (typeof existing === 'string' && typeof wanted === 'string') {
		return (
			isIsoDate(existing) && isIsoDate(wanted) && readTimestamp(existing) === readTimestamp(wanted)
		);
	}
	return numberOf(existing) === numberOf(wanted);
}

/** Like `isSameValue`, for what a service makes of a date: Unix time, or the format of HTTP headers. */
function holdsValue(existing: unknown, wanted: unknown): boolean {
	if (isSameValue(existing, wanted)) return true;
	if (typeof wanted !== 'string' || !isIsoDate(wanted)) return false;
	const isHttpDate = typeof existing === 'string' && existing.endsWith(' GMT');
	const held = isHttpDate ? Date.parse(existing) : readTimestamp(existing);
	return held === readTimestamp(wanted);
}

function holdsField(contact: Contact, name: string, wanted: unknown): boolean {
	return isSameField(name, heldField(contact, name), wanted);
}

function isSameField(name: string, held: unknown, wanted: unknown): boolean {
	if (isAccounts(name)) return areSameAccounts(held, wanted);
	if (typeof held !== 'string' || typeof wanted !== 'string') return isSameValue(held, wanted);
	// An ID or a phone number that looks like a date is still text. Services may store addresses in lower case.
	return name === 'email' ? normalizeEmail(held) === normalizeEmail(wanted) : held === wanted;
}

/** Services call payment accounts by one of these names. */
const accountsNames = ['payment_accounts', 'stripe_accounts'];

function isAccounts(name: string): boolean {
	return accountsNames.includes(name);
}

function aliasesOf(name: string): string[] {
	return isAccounts(name) ? accountsNames : [name];
}

/** In any order. Some services call the keys `stripe_…` instead of `payment_…`. */
export function areSameAccounts(existing: unknown, wanted: unknown): boolean {
	const [one, other] = [existing, wanted].map((value) =>
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

/** @returns undefined if the contact has no value, which an empty list of accounts is none of */
function heldField(contact: Contact, name: string): unknown {
	for (const alias of aliasesOf(name)) {
		const value = ownValue(contact, alias);
		if (!isEmpty(value) && !(Array.isArray(value) && value.length === 0)) return value;
	}
	return undefined;
}

function targetAttributes(
	wanted: WantedContact,
	held: Map<string, unknown>,
	mode: ChangeRules['mode'],
	schema: Attribute[] | undefined,
): Map<string, unknown> {
	if (mode === 'merge' || wanted.attributes.size === 0) return wanted.attributes;
	// A service that does not list its attributes has at least those that the contact holds.
	const active = schema?.filter(({ archived }) => !archived).map(({ name }) => name);
	const cleared = [...(active ?? held.keys())].map((name): [string, unknown] => [name, null]);
	return new Map([...cleared, ...wanted.attributes]);
}

/** The attributes that a contact has a value for. */
function heldAttributes(contact: Contact | undefined): Map<string, unknown> {
	const attributes = contact?.custom_attributes;
	return new Map(
		Object.entries(isObject(attributes) ? attributes : {}).filter(([, value]) => !isEmpty(value)),
	);
}
