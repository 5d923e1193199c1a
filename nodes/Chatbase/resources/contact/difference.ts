import type { IDataObject } from 'n8n-workflow';

import { isRounded, losesDigits, lostDigitsOf, numberOf } from '../../values/number';
import { booleanOf, isBlank, isEmpty, isObject, ownValue } from '../../values/json';
import type { AttributeType, Attributes } from '../customAttribute/attributes';
import { attributesIn, type Contact, normalizeEmail } from './contact';
import { isIsoDate, readTimestamp } from '../../values/time';

/** Tells a custom attribute from a field of the contact, as in `custom_attributes.plan`. */
export const attributePrefix = 'custom_attributes.';
export const isAttribute = (name: string) => name.startsWith(attributePrefix);
export const bareName = (name: string) => name.slice(attributePrefix.length);
export const hasAttributes = (values: Values) => [...values.keys()].some(isAttribute);

/** Values of a contact by name, of its custom attributes as `custom_attributes.name`. */
export type Values = Map<string, unknown>;
export type Entry = [name: string, value: unknown];

/** What an item wants of a contact. */
export interface WantedContact {
	/** What is written, null to clear it. All other values stay unchanged. */
	values: Values;
	/** Attributes that the chatbot lacks or has archived. They are not sent and count as dropped. */
	unknown: Values;
	/** Of attributes, as far as they are known. */
	types: Map<string, AttributeType>;
	/** The attributes of the chatbot, if they were read for the item. */
	schema?: Attributes;
}

/** What an update sends, and why. */
export interface Difference {
	/** Names of what differs. */
	changed: string[];
	/** The old values of what differs, null if there was none. */
	before: IDataObject;
	/** Names of what differs and is not written, because the contact has a value. */
	kept: string[];
	/** Empty if nothing differs. */
	sent: Values;
	/** Names of attributes that can't be sent as they are, since their numbers were rounded. */
	rounded: string[];
	/** Whether attributes are sent that the item does not set. */
	carriesAttributes: boolean;
}

export interface ChangeRules {
	mode: 'merge' | 'replace';
	/** Names of what is only written if the contact has no value. */
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
	schema?: Attributes,
): Difference {
	const targets = mode === 'merge' ? wanted.values : withCleared(wanted.values, existing, schema);
	const kept: string[] = [];
	const changed: Values = new Map();
	const before: IDataObject = {};

	for (const [name, value] of targets) {
		const current = existing && valueIn(existing, name);
		if (existing && isSameField(name, current, value, wanted.types.get(name))) continue;
		const isProtected = aliasesOf(name).some((alias) => onlyIfEmpty.includes(alias));
		if (isProtected && !isEmpty(current)) {
			kept.push(name);
			continue;
		}
		changed.set(name, value);
		if (existing) before[name] = (current ?? null) as IDataObject[string];
	}

	const current = attributesOf(hasAttributes(changed) ? existing : undefined);
	const remaining = mode === 'merge' || !hasAttributes(changed) ? current : targets;
	const carried = [...remaining.keys()].filter(
		(name) => isAttribute(name) && !changed.has(name) && !schema?.get(bareName(name))?.archived,
	);
	const isOwn = (name: string) => targets.has(name) && !kept.includes(name);

	return {
		changed: [...changed.keys()],
		before,
		kept,
		sent: new Map([...carried.map((name): Entry => [name, current.get(name) ?? null]), ...changed]),
		rounded: carried
			.filter((name) => !isOwn(name) && isRounded(attributesIn(existing!), bareName(name)))
			.map(bareName),
		carriesAttributes: carried.some((name) => !wanted.values.has(name)),
	};
}

/** What is sent for a new contact, which has nothing to clear. */
export function newContact({ values }: WantedContact): Values {
	return new Map([...values].filter(([, value]) => value !== null));
}

export function dataOf(sent: Values): IDataObject {
	const attributes = [...sent].filter(([name]) => isAttribute(name));
	const named = attributes.map(([name, value]) => [bareName(name), value]);
	return {
		...Object.fromEntries([...sent].filter(([name]) => !isAttribute(name))),
		...(named.length > 0 && { custom_attributes: Object.fromEntries(named) as IDataObject }),
	};
}

/** The contact as a real run would leave it, if the service keeps all that is sent. */
export function contactAfter(existing: Contact, { changed, sent }: Difference): Contact {
	const after: Contact = { ...existing };
	const attributes = { ...attributesIn(existing) };

	for (const name of changed) {
		const value = (sent.get(name) ?? null) as IDataObject[string];
		const field = aliasesOf(name).find((alias) => alias in existing) ?? name;
		if (isAttribute(name)) attributes[bareName(name)] = value;
		else after[field] = value;
	}

	if (changed.some(isAttribute)) after.custom_attributes = attributes;
	return after;
}

/** Names of what the service dropped: of values that were to be set, and of others, such as archived ones. */
export function droppedFrom(
	returned: Contact,
	{ unknown = new Map(), types = new Map() }: Partial<WantedContact>,
	sent: Values = new Map(),
	before?: Contact,
): string[] {
	const isDropped = ([name, value]: Entry) => {
		const current = valueIn(returned, name);
		return !isSameField(name, current, value, types.get(name));
	};
	const wanted = new Map([...sent, ...unknown]);
	const isLost = (name: string) => !wanted.has(name) && isEmpty(valueIn(returned, name));
	const lost = [...attributesOf(before).keys()].filter(isLost);
	return [...[...wanted].filter(isDropped).map(([name]) => name), ...lost];
}

export function isAsSent(sent: Values, returned: Contact): boolean {
	return droppedFrom(returned, {}, sent).length === 0;
}

/** Names of what two inputs want differently. Setting a value and not setting it are different. */
export function conflictsBetween(one: WantedContact, other: WantedContact): string[] {
	return (['values', 'unknown'] as const).flatMap((kind) => {
		const [left, right] = [one[kind], other[kind]];
		return [...new Set([...left.keys(), ...right.keys()])].filter((name) => {
			const areSet = left.has(name) && right.has(name);
			return !areSet || !isSameField(name, left.get(name), right.get(name), one.types.get(name));
		});
	});
}

/** @returns undefined if the contact has no value; an empty list is none */
function valueIn(contact: Contact, name: string): unknown {
	if (isAttribute(name)) return attributeIn(attributesIn(contact), bareName(name));
	for (const alias of aliasesOf(name)) {
		const value = ownValue(contact, alias);
		if (!isEmpty(value) && !isEmptyList(value)) return value;
	}
	return undefined;
}

function isEmptyList(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

function attributeIn(attributes: IDataObject, name: string): unknown {
	return lostDigitsOf(attributes, name) ?? ownValue(attributes, name);
}

/** Those that have a value. */
function attributesOf(contact: Contact | undefined): Values {
	const attributes = attributesIn(contact ?? {});
	const names = Object.keys(attributes).filter((name) => !isEmpty(attributes[name]));
	return new Map(names.map((name) => [attributePrefix + name, attributeIn(attributes, name)]));
}

/** Whether the item says something about an attribute that the contact can have. */
function isMention(
	[name, value]: Entry,
	existing: Contact | undefined,
	schema: Attributes | undefined,
): boolean {
	if (!isAttribute(name)) return false;
	if (schema) return schema.get(bareName(name))?.archived === false;

	// Without a list of attributes, nobody knows whether one that is to be cleared exists.
	return value !== null || attributesOf(existing).has(name);
}

/** Adds null for the attributes that the item does not set, if it sets any. */
function withCleared(
	values: Values,
	existing: Contact | undefined,
	schema: Attributes | undefined,
): Values {
	if (![...values].some((entry) => isMention(entry, existing, schema))) return values;

	const active = schema && [...schema.values()].filter(({ archived }) => !archived);
	// Without a list of attributes, those of the contact are known.
	const names = active?.map(({ name }) => attributePrefix + name) ?? [
		...attributesOf(existing).keys(),
	];
	return new Map([...names.map((name): Entry => [name, null]), ...values]);
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

function aliasesOf(name: string): string[] {
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
