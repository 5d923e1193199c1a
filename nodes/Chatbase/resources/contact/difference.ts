import type { IDataObject } from 'n8n-workflow';

import { isEmpty } from '../../values/json';
import { losesDigits } from '../../values/number';
import type { Attributes } from '../customAttribute/attributes';
import { aliasesOf, attributesOf, isSameField, valueIn } from './compare';
import { attributesIn, type Contact } from './contact';
import {
	attributePrefix,
	bareName,
	type Entry,
	hasAttributes,
	isAttribute,
	type Values,
	type WantedContact,
} from './wanted';

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
	/** Names of attributes that would be sent as text, though they may be numbers with too many digits. */
	tooLong: string[];
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
		tooLong: carried
			.filter((name) => !isOwn(name) && schema?.get(bareName(name))?.type !== 'text')
			.filter((name) => hasLongNumber(current.get(name)))
			.map(bareName),
		carriesAttributes: carried.some((name) => !wanted.values.has(name)),
	};
}

/** Whether a value may have a number that became text, because it has too many digits. */
function hasLongNumber(value: unknown): boolean {
	if (typeof value === 'string') return losesDigits(value);
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasLongNumber);
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
