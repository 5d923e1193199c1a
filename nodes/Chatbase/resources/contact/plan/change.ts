import type { IDataObject } from 'n8n-workflow';

import { isObject, ownValue } from '../../../values/object';
import type { Attribute } from '../../customAttribute/attribute';
import { attributePrefix } from '../../customAttribute/attribute';
import { areSameAccounts, isSameAddress, isSameValue } from './compare';
import type { Contact } from './contact';

/** What a contact should hold. Whatever is not mentioned stays as it is. */
export interface WantedContact {
	/** Fields of the contact itself, null to clear one. */
	fields: Map<string, unknown>;
	/** Custom attributes, null to clear one. */
	attributes: Map<string, unknown>;
	/** Attributes that were given, but that are none that the chatbot takes values for: they cannot be kept. */
	unknown: Map<string, unknown>;
}

/** What happens to custom attributes that are not mentioned. */
export type AttributesMode = 'merge' | 'replace';

/** How a contact that exists is changed. */
export interface ChangeRules {
	mode: AttributesMode;
	/** Names of fields and attributes (`custom_attributes.name`) that are only written where the contact has no value. */
	keep: ReadonlySet<string>;
}

/** What to send so that a contact holds what is wanted. */
export interface Change {
	/** Names of the fields and of the attributes (`custom_attributes.name`) that differ. */
	changed: string[];
	/** Names of what differs and was left alone, because the contact has a value. */
	kept: string[];
	/** The fields to send; empty when nothing differs. */
	data: IDataObject;
}

/**
 * Works out what has to be sent to a contact that exists.
 *
 * Custom attributes go out as the whole that should remain, because nobody has documented whether the
 * service merges or replaces them: the result is right in both cases.
 *
 * @param existing the contact as it is; undefined when that is not known, then everything counts as changed
 * @param wanted what it should hold
 * @param rules how it is changed
 * @param schema the attributes of the chatbot, needed as `needsSchema` says; undefined when they are not known
 */
export function changeOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	rules: ChangeRules,
	schema?: Attribute[],
): Change {
	const kept: string[] = [];
	const isKept = (name: string, held: unknown, isSame: boolean) => {
		if (isSame || isEmpty(held) || !namesOf(name).some((alias) => rules.keep.has(alias))) {
			return false;
		}
		kept.push(name);
		return true;
	};
	const fields = [...wanted.fields].filter(([name, value]) => {
		if (!existing) return true;
		const isSame = holdsField(existing, name, value);
		return !isSame && !isKept(name, heldField(existing, name), isSame);
	});

	const held = heldAttributes(existing);
	const target = targetAttributes(wanted, held, rules.mode, schema);
	const carried = new Map<string, unknown>();
	const changedAttributes: string[] = [];
	for (const [name, value] of target) {
		const isSame = existing !== undefined && isSameValue(held.get(name), value);
		if (!isSame && !isKept(attributePrefix + name, held.get(name), isSame)) {
			changedAttributes.push(name);
		} else if (held.has(name) || rules.mode === 'replace') {
			carried.set(name, held.get(name) ?? value);
		}
	}
	if (rules.mode === 'merge') held.forEach((value, name) => carried.set(name, value));
	const archived = new Set(schema?.filter((entry) => entry.archived).map(({ name }) => name));
	const attributes = new Map([
		...[...carried].filter(([name]) => !archived.has(name)),
		...changedAttributes.map((name): [string, unknown] => [name, target.get(name)]),
	]);
	return {
		changed: [
			...fields.map(([name]) => name),
			...changedAttributes.map((name) => attributePrefix + name),
		],
		kept,
		data: {
			...Object.fromEntries(fields),
			...(changedAttributes.length > 0 && { custom_attributes: Object.fromEntries(attributes) }),
		} as IDataObject,
	};
}

/**
 * Whether the attributes of the chatbot have to be known to work out a change.
 *
 * @param existing the contact as it is; undefined when that is not known
 * @param wanted what it should hold
 * @param mode what happens to attributes that are not mentioned
 */
export function needsSchema(
	existing: Contact | undefined,
	wanted: WantedContact,
	mode: AttributesMode,
): boolean {
	if (wanted.attributes.size === 0) return false;
	if (mode === 'replace') return true;
	return [...heldAttributes(existing).keys()].some((name) => !wanted.attributes.has(name));
}

/**
 * The body that creates a contact.
 *
 * @param sendsNull whether null goes out as it was asked for; otherwise nothing has to be cleared in what does not
 *   exist yet
 */
export function newContact(wanted: WantedContact, sendsNull = false): IDataObject {
	const isGiven = ([, value]: [string, unknown]) => sendsNull || value !== null;
	const attributes = [...wanted.attributes].filter(isGiven);
	return {
		...Object.fromEntries([...wanted.fields].filter(isGiven)),
		...(attributes.length > 0 && { custom_attributes: Object.fromEntries(attributes) }),
	} as IDataObject;
}

/** Names of everything in the body of a contact, attributes one by one. */
export function namesIn({ custom_attributes: attributes, ...fields }: IDataObject): string[] {
	const names = Object.keys(isObject(attributes) ? attributes : {});
	return [...Object.keys(fields), ...names.map((name) => attributePrefix + name)];
}

/**
 * Names what the service did not keep.
 *
 * @param sent the fields that were sent
 * @param unknown attributes that were given and could not be sent
 * @param returned the contact that came back
 */
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
			.filter(([name, value]) => !isSameValue(ownValue(held, name), value))
			.map(([name]) => attributePrefix + name),
	];
}

/** Whether two inputs ask for the same. One that clears what the other does not mention asks for something else. */
export function wantsTheSame(one: WantedContact, other: WantedContact): boolean {
	const sameMap = (
		left: Map<string, unknown>,
		right: Map<string, unknown>,
		isSame: (name: string, value: unknown, other: unknown) => boolean,
	) =>
		left.size === right.size &&
		[...left].every(([name, value]) => right.has(name) && isSame(name, value, right.get(name)));
	const isSameAttribute = (_: string, value: unknown, wanted: unknown) =>
		isSameValue(value, wanted);
	return (
		sameMap(one.fields, other.fields, isSameField) &&
		sameMap(one.attributes, other.attributes, isSameAttribute) &&
		sameMap(one.unknown, other.unknown, isSameAttribute)
	);
}

function holdsField(contact: Contact, name: string, wanted: unknown): boolean {
	return isSameField(name, heldField(contact, name), wanted);
}

function isSameField(name: string, held: unknown, wanted: unknown): boolean {
	if (isAccounts(name)) return areSameAccounts(held, wanted);
	if (name === 'email') return isSameAddress(held, wanted);
	// An ID or a telephone number that looks like a date is still text.
	if (typeof held === 'string' && typeof wanted === 'string') return held === wanted;
	return isSameValue(held, wanted);
}

/** Services call payment accounts by one of these names. */
const accountsNames = ['payment_accounts', 'stripe_accounts'];

function isAccounts(name: string): boolean {
	return accountsNames.includes(name);
}

/** The names that a field goes by. */
function namesOf(name: string): string[] {
	return isAccounts(name) ? accountsNames : [name];
}

/** @returns undefined where the contact has no value, which an empty list of accounts is none of */
function heldField(contact: Contact, name: string): unknown {
	const held = namesOf(name).map((alias) => ownValue(contact, alias));
	return held.find((value) => !isEmpty(value) && !(Array.isArray(value) && value.length === 0));
}

function targetAttributes(
	wanted: WantedContact,
	held: Map<string, unknown>,
	mode: AttributesMode,
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

function isEmpty(value: unknown): boolean {
	return value === null || value === undefined || value === '';
}
