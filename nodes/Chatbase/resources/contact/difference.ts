import type { IDataObject } from 'n8n-workflow';

import { digitsOf, isRounded } from '../../values/number';
import { isEmpty, ownValue } from '../../values/json';
import type { Attribute, AttributeType, Entry } from '../customAttribute/attributes';
import {
	attributePrefix,
	bareName,
	hasAttributes,
	isAttribute,
	namedAttributes,
} from '../customAttribute/attributes';
import { aliasesOf, isSameField } from './compare';
import { attributesIn, type Contact, isSameId } from './contact';

/** The wanted values of a contact by name, of its custom attributes as `custom_attributes.name`. */
export interface WantedContact {
	/** What is written, null to clear it. All other values stay unchanged. */
	values: Map<string, unknown>;
	/** Attributes that the chatbot lacks or has archived. They are not sent and count as dropped. */
	unknown: Map<string, unknown>;
	/** Of attributes, as far as they are known. */
	types: Map<string, AttributeType>;
	/** The attributes of the chatbot, if they were read for the item. */
	schema?: Attribute[];
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
	schema?: Attribute[],
) {
	const targets = mode === 'merge' ? wanted.values : withCleared(wanted.values, existing, schema);
	const kept: string[] = [];
	const changed = new Map<string, unknown>();
	for (const [name, value] of targets) {
		const current = existing && valueIn(existing, name);
		if (existing && isSameField(name, current, value, wanted.types.get(name))) continue;
		const isProtected = aliasesOf(name).some((alias) => onlyIfEmpty.includes(alias));
		if (isProtected && !isEmpty(current)) kept.push(name);
		else changed.set(name, value);
	}
	const changesAttributes = hasAttributes(changed);
	const current = attributesOf(changesAttributes ? existing : undefined);
	const remaining = mode === 'merge' ? current : targets;
	const archived = new Set(schema?.filter((known) => known.archived).map(({ name }) => name));
	const carried = [...remaining.keys()].filter(
		(name) =>
			changesAttributes && isAttribute(name) && !changed.has(name) && !archived.has(bareName(name)),
	);
	const before = attributesIn(existing ?? {});
	const isOwn = (name: string) => targets.has(name) && !kept.includes(name);
	return {
		changed: [...changed.keys()],
		/** Names of what differs and is not written, because the contact has a value. */
		kept,
		/** Empty if nothing differs. */
		data: dataOf([...carried.map((name): Entry => [name, current.get(name) ?? null]), ...changed]),
		/** Names of attributes that can't be sent as they are, since their numbers were rounded. */
		rounded: carried
			.filter((name) => !isOwn(name) && isRounded(before, bareName(name)))
			.map(bareName),
		/** Whether attributes are sent that the item does not set. */
		carriesAttributes: carried.some((name) => !wanted.values.has(name)),
	};
}

/** @param sendsNull whether to send null, though a new contact has nothing to clear */
export function newContact({ values }: WantedContact, sendsNull = false): IDataObject {
	return dataOf([...values].filter(([, value]) => sendsNull || value !== null));
}

function dataOf(values: Entry[]): IDataObject {
	const attributes = values.filter(([name]) => isAttribute(name));
	const named = attributes.map(([name, value]) => [bareName(name), value]);
	return {
		...Object.fromEntries(values.filter(([name]) => !isAttribute(name))),
		...(named.length > 0 && { custom_attributes: Object.fromEntries(named) as IDataObject }),
	};
}

/** The values of a contact, or of what is sent for one, by name. */
export function valuesIn(contact: Contact): Map<string, unknown> {
	const fields = Object.entries(contact).filter(([name]) => name !== 'custom_attributes');
	return new Map<string, unknown>([...fields, ...namedAttributes(attributesIn(contact))]);
}

/** Names of what the service dropped: of values that were to be set, and of others, such as archived ones. */
export function droppedFrom(
	sent: IDataObject,
	{ unknown = new Map(), types = new Map() }: Partial<WantedContact>,
	returned: Contact,
	before?: Contact,
): string[] {
	const isDropped = ([name, value]: Entry) => {
		const current = valueIn(returned, name);
		const isSpelling = name === 'external_id' && isSameId(String(value), String(current));
		return !isSpelling && !isSameField(name, current, value, types.get(name));
	};
	const wanted = new Map([...valuesIn(sent), ...unknown]);
	const left = new Map([...wanted, ...attributesOf(returned)]);
	const lost = [...attributesOf(before).keys()].filter((name) => !left.has(name));
	return [...[...wanted].filter(isDropped).map(([name]) => name), ...lost];
}

export function isAsSent(sent: IDataObject, returned: Contact): boolean {
	return droppedFrom(sent, {}, returned).length === 0;
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

/** @returns undefined if the contact has no value; an empty list of accounts is none */
function valueIn(contact: Contact, name: string): unknown {
	if (isAttribute(name)) return attributeIn(attributesIn(contact), bareName(name));
	for (const alias of aliasesOf(name)) {
		const value = ownValue(contact, alias);
		if (!isEmpty(value) && !(Array.isArray(value) && value.length === 0)) return value;
	}
	return undefined;
}

function attributeIn(attributes: IDataObject, name: string): unknown {
	return digitsOf(attributes, name) ?? ownValue(attributes, name);
}

/** Those that have a value. */
function attributesOf(contact: Contact | undefined): Map<string, unknown> {
	const attributes = attributesIn(contact ?? {});
	const names = Object.keys(attributes).filter((name) => !isEmpty(attributes[name]));
	return new Map(names.map((name) => [attributePrefix + name, attributeIn(attributes, name)]));
}

/** Adds null for the attributes that the item does not set, if it sets any. */
function withCleared(
	values: Map<string, unknown>,
	existing: Contact | undefined,
	schema: Attribute[] | undefined,
): Map<string, unknown> {
	if (!hasAttributes(values)) return values;
	const active = schema?.filter(({ archived }) => !archived);
	// Without a list of attributes, those of the contact are known.
	const names = active?.map(({ name }) => attributePrefix + name) ?? [
		...attributesOf(existing).keys(),
	];
	return new Map([...names.map((name): Entry => [name, null]), ...values]);
}
