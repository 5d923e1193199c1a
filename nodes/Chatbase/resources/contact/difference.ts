import type { IDataObject } from 'n8n-workflow';

import { losesDigits } from '../../values/number';
import { attributesIn, type Contact } from './contact';
import {
	aliasesOf,
	attributePrefix,
	bareName,
	type Entry,
	hasAttributes,
	isAttribute,
	isSameIn,
	type Values,
	valuesOf,
	type WantedContact,
} from './contactValues';

/** What an update sends, and why. */
export interface Difference {
	/** What the contact has. */
	current: Values;
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
}

export interface ChangeRules {
	mode: 'merge' | 'replace';
	/** Names of what is only written if the contact has no value. */
	onlyIfEmpty: readonly string[];
}

/**
 * All custom attributes that should remain are sent, because it is not documented whether the service merges or replaces
 * them. If the contact was not read, everything counts as changed.
 */
export function differenceOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	{ mode, onlyIfEmpty }: ChangeRules,
): Difference {
	const current = valuesOf(existing ?? {});
	const targets = mode === 'merge' ? wanted.values : withCleared(wanted, current);
	const changed: Values = new Map();
	const before: IDataObject = {};
	const kept: string[] = [];

	for (const [name, value] of targets) {
		const old = current.get(name);
		if (existing && isSameIn(wanted, name, old, value)) continue;

		if (current.has(name) && onlyIfEmpty.includes(name)) {
			kept.push(name);
			continue;
		}
		changed.set(name, value);
		if (existing) before[name] = (old ?? null) as IDataObject[string];
	}

	const remaining = mode === 'merge' ? current : targets;
	const carried = hasAttributes(changed) ? carriedIn(remaining, changed, wanted) : [];
	const others = carried.filter((name) => !targets.has(name) || kept.includes(name));
	return {
		current,
		changed: [...changed.keys()],
		before,
		kept,
		sent: new Map([
			...carried.map((name): Entry => [name, current.get(name) ?? null]),
			...changed,
		]),
		tooLong: tooLongIn(current, others, wanted),
	};
}

/** Names of the attributes that are sent as they are, beside those that change. */
function carriedIn(
	remaining: Values,
	changed: Values,
	{ schema }: WantedContact,
): string[] {
	const names = [...remaining.keys()].filter(
		(name) => isAttribute(name) && !changed.has(name),
	);
	return names.filter((name) => !schema?.get(bareName(name))?.archived);
}

/** Names of attributes that may be numbers with so many digits that they were read as text. */
function tooLongIn(
	current: Values,
	names: string[],
	{ schema }: WantedContact,
): string[] {
	const mayBeNumber = (name: string) => schema?.get(name)?.type !== 'text';
	const long = names.filter((name) => hasLongNumber(current.get(name))).map(bareName);
	return long.filter(mayBeNumber);
}

/** Adds null for the attributes that the item does not set, if it sets any. */
function withCleared({ values, schema }: WantedContact, current: Values): Values {
	// Without a list of attributes, nobody knows whether one that is to be cleared exists.
	const isMention = ([name, value]: Entry) =>
		isAttribute(name) && (schema !== undefined || value !== null || current.has(name));
	if (![...values].some(isMention)) return values;

	const active = schema && [...schema.values()].filter(({ archived }) => !archived);
	const names =
		active?.map(({ name }) => attributePrefix + name) ??
		[...current.keys()].filter(isAttribute);
	return new Map([...names.map((name): Entry => [name, null]), ...values]);
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

/** What a contact that the service returned is held against. */
interface Expected extends Partial<Pick<WantedContact, 'unknown' | 'types'>> {
	sent?: Values;
	/** What the contact had before the request, of which nothing else may be lost. */
	before?: Values;
}

/** Names of what the service dropped: of values that were to be set, and of others, such as archived ones. */
export function droppedFrom(
	returned: Contact,
	{
		sent = new Map(),
		unknown = new Map(),
		types = new Map(),
		before = new Map(),
	}: Expected,
): string[] {
	const wanted: Values = new Map([...sent, ...unknown]);
	if (wanted.size + before.size === 0) return [];

	const now = valuesOf(returned);
	const dropped = [...wanted.keys()].filter(
		(name) => !isSameIn({ types }, name, now.get(name), wanted.get(name)),
	);

	const others = [...before.keys()].filter((name) => !wanted.has(name));
	const lost = others.filter((name) => isAttribute(name) && !now.has(name));
	return [...dropped, ...lost];
}

export function isAsSent(sent: Values, returned: Contact): boolean {
	return droppedFrom(returned, { sent }).length === 0;
}

/** Names of what two inputs want differently. Setting a value and not setting it are different. */
export function conflictsBetween(one: WantedContact, other: WantedContact): string[] {
	return (['values', 'unknown'] as const).flatMap((part) => {
		const [left, right] = [one[part], other[part]];
		return [...new Set([...left.keys(), ...right.keys()])].filter((name) => {
			const areSet = left.has(name) && right.has(name);
			return !areSet || !isSameIn(one, name, left.get(name), right.get(name));
		});
	});
}
