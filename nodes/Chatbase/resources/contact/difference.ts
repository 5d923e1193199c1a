import type { IDataObject } from 'n8n-workflow';

import { isObject, ownValue } from '../../values/object';
import { booleanOf, isBlank, isEmpty, numberOf } from '../../values/scalar';
import { isIsoDate, readTimestamp } from '../../values/time';
import type { Attribute } from '../customAttribute/attributes';
import { attributePrefix } from '../customAttribute/attributes';
import type { Contact } from './contact';
import { attributesIn, normalizeEmail } from './contact';

/** The wanted values of a contact. All other values stay unchanged. */
export interface WantedContact {
	/** Fields of the contact itself, null to clear one. */
	fields: Map<string, unknown>;
	/** Custom attributes, null to clear one. */
	attributes: Map<string, unknown>;
	/** Attributes that the chatbot lacks. They are not sent and count as dropped. */
	unknown: Map<string, unknown>;
	/** The attributes of the chatbot, if they were read for the item. */
	schema?: Attribute[];
}

export interface ChangeRules {
	mode: 'merge' | 'replace';
	/** Names of what is only written if the contact has no value; of attributes as `custom_attributes.name`. */
	onlyIfEmpty: readonly string[];
}

/**
 * All custom attributes that should remain are sent, because it is not documented whether the service merges or replaces
 * them. If the contact was not read, everything counts as changed.
 *
 * @param schema needed for `replace`, and for a change that sends attributes that the item does not set
 */
export function changeOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	{ mode, onlyIfEmpty }: ChangeRules,
	schema?: Attribute[],
) {
	const kept: string[] = [];
	const isKept = (name: string, current: unknown) => {
		const isProtected = aliasesOf(name).some((alias) => onlyIfEmpty.includes(alias));
		if (isEmpty(current) || !isProtected) return false;
		kept.push(name);
		return true;
	};
	const fields = [...wanted.fields].filter(
		([name, value]) =>
			!existing ||
			!(holdsField(existing, name, value) || isKept(name, currentField(existing, name))),
	);

	const current = currentAttributes(existing);
	const targets = targetAttributes(wanted, current, mode, schema);
	const changed = new Map<string, unknown>();
	for (const [name, value] of targets) {
		const isSame = existing !== undefined && holdsValue(current.get(name), value);
		if (!isSame && !isKept(attributePrefix + name, current.get(name))) changed.set(name, value);
	}
	const carried = new Map<string, unknown>();
	for (const [name, value] of changed.size === 0 ? [] : mode === 'merge' ? current : targets) {
		if (!changed.has(name)) carried.set(name, current.get(name) ?? value);
	}
	for (const { name, archived } of schema ?? []) if (archived) carried.delete(name);
	return {
		/** Names of what is written. */
		changed: [
			...fields.map(([name]) => name),
			...[...changed.keys()].map((name) => attributePrefix + name),
		],
		/** Names of what differs and is not written, because the contact has a value. */
		kept,
		/** Empty if nothing differs. */
		data: {
			...Object.fromEntries(fields),
			...(changed.size > 0 && {
				custom_attributes: Object.fromEntries([...carried, ...changed]),
			}),
		} as IDataObject,
		/** Whether attributes are sent that the item does not set. */
		carriesAttributes: [...carried.keys()].some((name) => !wanted.attributes.has(name)),
	};
}

/** @param sendsNull whether to send null, though a new contact has nothing to clear */
export function newContact(wanted: WantedContact, sendsNull = false): IDataObject {
	const isSent = ([, value]: [string, unknown]) => sendsNull || value !== null;
	const attributes = [...wanted.attributes].filter(isSent);
	return {
		...Object.fromEntries([...wanted.fields].filter(isSent)),
		...(attributes.length > 0 && { custom_attributes: Object.fromEntries(attributes) }),
	} as IDataObject;
}

export function namesIn(contact: Contact): string[] {
	const names = Object.keys(attributesIn(contact));
	return [...fieldNames(contact), ...names.map((name) => attributePrefix + name)];
}

function fieldNames(contact: Contact): string[] {
	return Object.keys(contact).filter((name) => name !== 'custom_attributes');
}

/** Names of sent values that the service dropped, and of attributes that were not sent. */
export function droppedFrom(
	sent: IDataObject,
	unknown: Map<string, unknown>,
	returned: Contact,
): string[] {
	const current = attributesIn(returned);
	const given = [...Object.entries(attributesIn(sent)), ...unknown];
	return [
		...fieldNames(sent).filter((name) => !holdsField(returned, name, sent[name])),
		...given
			.filter(([name, value]) => !holdsValue(ownValue(current, name), value))
			.map(([name]) => attributePrefix + name),
	];
}

/** Names of attributes that the item did not set and that the service dropped. */
export function lostAttributes(
	before: Contact | undefined,
	wanted: WantedContact,
	after: Contact,
): string[] {
	const remaining = currentAttributes(after);
	return [...currentAttributes(before).keys()]
		.filter((name) => !wanted.attributes.has(name) && !remaining.has(name))
		.map((name) => attributePrefix + name);
}

/** Names of what two inputs want differently. Setting a value and not setting it are different. */
export function conflictsBetween(one: WantedContact, other: WantedContact): string[] {
	const differing = (left: Map<string, unknown>, right: Map<string, unknown>, prefix = '') =>
		[...new Set([...left.keys(), ...right.keys()])]
			.filter((name) => {
				if (!left.has(name) || !right.has(name)) return true;
				const [current, wanted] = [left.get(name), right.get(name)];
				return !(prefix ? isSameValue(current, wanted) : isSameField(name, current, wanted));
			})
			.map((name) => prefix + name);
	return [
		...differing(one.fields, other.fields),
		...differing(one.attributes, other.attributes, attributePrefix),
		...differing(one.unknown, other.unknown, attributePrefix),
	];
}

/**
 * Whether writing one value over the other would change nothing.
 *
 * - Missing, null and empty text are equal.
 * - Dates are equal if they name the same instant, without an offset in UTC, because services store them so.
 * - A number or boolean and its text are equal. Otherwise, if the type of an attribute is unknown, a spreadsheet's
 *   `"42"` would be written in every run.
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

/** Like `isSameValue`, also for a date that a service returns as Unix time, or in the format of HTTP headers. */
function holdsValue(existing: unknown, wanted: unknown): boolean {
	if (isSameValue(existing, wanted)) return true;
	if (typeof wanted !== 'string' || !isIsoDate(wanted)) return false;
	const isHttpDate = typeof existing === 'string' && existing.endsWith(' GMT');
	const current = isHttpDate ? Date.parse(existing) : readTimestamp(existing);
	return current === readTimestamp(wanted);
}

function holdsField(contact: Contact, name: string, wanted: unknown): boolean {
	return isSameField(name, currentField(contact, name), wanted);
}

function isSameField(name: string, current: unknown, wanted: unknown): boolean {
	if (accountsNames.includes(name)) return areSameAccounts(current, wanted);
	if (typeof current !== 'string' || typeof wanted !== 'string')
		return isSameValue(current, wanted);
	// An ID or a phone number that looks like a date is still text. Services may store emails in lower case.
	return name === 'email' ? normalizeEmail(current) === normalizeEmail(wanted) : current === wanted;
}

/** The name of payment accounts depends on the service. */
const accountsNames = ['payment_accounts', 'stripe_accounts'];

function aliasesOf(name: string): string[] {
	return accountsNames.includes(name) ? accountsNames : [name];
}

/** Compares accounts in any order. Some services name the keys `stripe_…` instead of `payment_…`. */
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

/** @returns undefined if the contact has no value; an empty list of accounts is none */
function currentField(contact: Contact, name: string): unknown {
	for (const alias of aliasesOf(name)) {
		const value = ownValue(contact, alias);
		if (!isEmpty(value) && !(Array.isArray(value) && value.length === 0)) return value;
	}
	return undefined;
}

function targetAttributes(
	wanted: WantedContact,
	current: Map<string, unknown>,
	mode: ChangeRules['mode'],
	schema: Attribute[] | undefined,
): Map<string, unknown> {
	if (mode === 'merge' || wanted.attributes.size === 0) return wanted.attributes;
	// Without a list of attributes, those of the contact are known.
	const active = schema?.filter(({ archived }) => !archived).map(({ name }) => name);
	const cleared = [...(active ?? current.keys())].map((name): [string, unknown] => [name, null]);
	return new Map([...cleared, ...wanted.attributes]);
}

function currentAttributes(contact: Contact | undefined): Map<string, unknown> {
	return new Map(
		Object.entries(attributesIn(contact ?? {})).filter(([, value]) => !isEmpty(value)),
	);
}
