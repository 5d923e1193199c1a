import type { IDataObject } from 'n8n-workflow';

import { digitsOf, isRounded } from '../../values/digits';
import { ownValue } from '../../values/object';
import { isEmpty } from '../../values/scalar';
import { type Attribute, attributePrefix, type AttributeType } from '../customAttribute/attributes';
import { aliasesOf, isSameField, isSameValue } from './compare';
import { attributesIn, type Contact, isSameId } from './contact';

/** The wanted values of a contact. All other values stay unchanged. */
export interface WantedContact {
	/** Fields of the contact itself, null to clear one. */
	fields: Map<string, unknown>;
	/** Custom attributes, null to clear one. */
	attributes: Map<string, unknown>;
	/** Attributes that the chatbot lacks or has archived. They are not sent and count as dropped. */
	unknown: Map<string, unknown>;
	/** Types of attributes, as far as they are known. */
	types: Map<string, AttributeType>;
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
		const isSame =
			existing !== undefined && isSameValue(current.get(name), value, wanted.types.get(name));
		if (!isSame && !isKept(attributePrefix + name, current.get(name))) changed.set(name, value);
	}
	const remaining = mode === 'merge' ? current : targets;
	const carried = new Map<string, unknown>();
	for (const [name, value] of changed.size > 0 ? remaining : []) {
		if (!changed.has(name)) carried.set(name, current.get(name) ?? value);
	}
	for (const { name, archived } of schema ?? []) if (archived) carried.delete(name);
	const isOwn = (name: string) => targets.has(name) && !kept.includes(attributePrefix + name);
	const { custom_attributes: before } = existing ?? {};
	return {
		/** Names of what is written. */
		changed: [
			...fields.map(([name]) => name),
			...[...changed.keys()].map((name) => attributePrefix + name),
		],
		/** Names of what differs and is not written, because the contact has a value. */
		kept,
		/** Empty if nothing differs. */
		data: dataOf(fields, [...carried, ...changed]),
		/** Names of attributes that can't be sent as they are, since their numbers were rounded. */
		rounded: [...carried.keys()].filter((name) => !isOwn(name) && isRounded(before ?? {}, name)),
		/** Whether attributes are sent that the item does not set. */
		carriesAttributes: [...carried.keys()].some((name) => !wanted.attributes.has(name)),
	};
}

/** @param sendsNull whether to send null, though a new contact has nothing to clear */
export function newContact(wanted: WantedContact, sendsNull = false): IDataObject {
	const isSent = ([, value]: [string, unknown]) => sendsNull || value !== null;
	return dataOf([...wanted.fields].filter(isSent), [...wanted.attributes].filter(isSent));
}

type Entries = Array<[string, unknown]>;

function dataOf(fields: Entries, attributes: Entries): IDataObject {
	return {
		...Object.fromEntries(fields),
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
	{ unknown, types }: Pick<WantedContact, 'unknown' | 'types'>,
	returned: Contact,
): string[] {
	const current = currentAttributes(returned);
	const given = [...Object.entries(attributesIn(sent)), ...unknown];
	return [
		...fieldNames(sent)
			.filter((name) => !holdsField(returned, name, sent[name]))
			.filter(
				(name) => name !== 'external_id' || !isSameId(String(sent[name]), String(returned[name])),
			),
		...given
			.filter(([name, value]) => !isSameValue(current.get(name), value, types.get(name)))
			.map(([name]) => attributePrefix + name),
	];
}

/** Whether a contact has all values that were sent. */
export function isAsSent(sent: IDataObject, returned: Contact): boolean {
	return droppedFrom(sent, { unknown: new Map(), types: new Map() }, returned).length === 0;
}

/** Names of attributes that were not sent and that the service dropped, such as archived ones. */
export function lostAttributes(
	before: Contact | undefined,
	sent: IDataObject,
	{ unknown }: WantedContact,
	after: Contact,
): string[] {
	const [written, remaining] = [attributesIn(sent), currentAttributes(after)];
	return [...currentAttributes(before).keys()]
		.filter((name) => !Object.hasOwn(written, name) && !unknown.has(name) && !remaining.has(name))
		.map((name) => attributePrefix + name);
}

/** Names of what two inputs want differently. Setting a value and not setting it are different. */
export function conflictsBetween(one: WantedContact, other: WantedContact): string[] {
	const differing = (left: Map<string, unknown>, right: Map<string, unknown>, prefix = '') =>
		[...new Set([...left.keys(), ...right.keys()])]
			.filter((name) => {
				if (!left.has(name) || !right.has(name)) return true;
				const [current, wanted] = [left.get(name), right.get(name)];
				return !(prefix
					? isSameValue(current, wanted, one.types.get(name))
					: isSameField(name, current, wanted));
			})
			.map((name) => prefix + name);
	return [
		...differing(one.fields, other.fields),
		...differing(one.attributes, other.attributes, attributePrefix),
		...differing(one.unknown, other.unknown, attributePrefix),
	];
}

function holdsField(contact: Contact, name: string, wanted: unknown): boolean {
	return isSameField(name, currentField(contact, name), wanted);
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
	const attributes = attributesIn(contact ?? {});
	return new Map(
		Object.entries(attributes)
			.filter(([, value]) => !isEmpty(value))
			.map(([name, value]) => [name, digitsOf(attributes, name) ?? value]),
	);
}
