/** What an update sends, and what a response shows of it. */
import type { IDataObject } from 'n8n-workflow';

import type { Attributes } from '../../customAttribute/attributeTypes';
import { attributesIn, type Contact } from './contactRecord';
import {
	activeNamesIn,
	aliasesOf,
	attributeNamesIn,
	attributePrefix,
	bareName,
	type ContactValues,
	contactValuesOf,
	type Entry,
	hasAttributes,
	isAttribute,
	missingValues,
	noValues,
} from './values';
import type { WantedContact, WriteSettings } from './wantedContact';

export interface Difference {
	/** What the contact has. */
	readonly current: ContactValues;
	/** Names of the fields and attributes that differ. */
	readonly changed: readonly string[];
	/** The old values of what differs; null if there was no value. */
	readonly before: IDataObject;
	/** Names of what differs but is not written, because the contact already has a value. */
	readonly kept: readonly string[];
	/** Empty if nothing differs. */
	readonly sent: ContactValues;
}

export type ChangeRules = Pick<WriteSettings, 'mode' | 'onlyIfEmpty'>;

/**
 * What an update changes. All custom attributes that should remain are sent, because it is not
 * documented whether the service merges or replaces them. If the contact was not read, everything counts as changed.
 */
export function differenceOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	{ mode, onlyIfEmpty }: ChangeRules,
): Difference {
	const current = contactValuesOf(existing ?? {});
	const targets = mode === 'merge' ? wanted.values : withCleared(wanted, current);
	const changed = new Map<string, unknown>();
	const before: IDataObject = {};
	const kept: string[] = [];

	const differing = existing
		? missingValues(current, targets, wanted.attributes)
		: [...targets];
	for (const [name, value] of differing) {
		if (current.has(name) && onlyIfEmpty.includes(name)) {
			kept.push(name);
			continue;
		}
		changed.set(name, value);
		if (existing) before[name] = (current.get(name) ?? null) as IDataObject[string];
	}

	const carried = carriedNames(wanted, { current, targets, changed, mode });
	const along = carried.filter((name) => !changed.has(name));
	const entries = along.map((name): Entry => [name, current.get(name) ?? null]);
	return {
		current,
		changed: [...changed.keys()],
		before,
		kept,
		sent: new Map([...entries, ...changed]),
	};
}

/** Adds null for the attributes that the item does not set, if it sets any. */
function withCleared(
	{ values, attributes, untouched }: WantedContact,
	current: ContactValues,
): ContactValues {
	// Without a list of attributes, it is not known whether an attribute that should be cleared exists.
	const isMention = ([name, value]: Entry) =>
		isAttribute(name) &&
		(attributes !== undefined || value !== null || current.has(name));
	if (![...values].some(isMention)) return values;

	const active = attributes && [...attributes.values()].filter((one) => !one.archived);
	const names =
		active?.map(({ name }) => attributePrefix + name) ?? attributeNamesIn(current);
	const cleared = names.filter((name) => !untouched.has(name));
	return new Map([...cleared.map((name): Entry => [name, null]), ...values]);
}

interface Comparison {
	/** What the contact has. */
	readonly current: ContactValues;
	/** What it should have. */
	readonly targets: ContactValues;
	readonly changed: ContactValues;
	readonly mode: ChangeRules['mode'];
}

/** Names of the attributes that are sent if one of them changes. Archived ones can't be sent. */
function carriedNames(
	{ attributes, untouched }: WantedContact,
	{ current, targets, changed, mode }: Comparison,
): string[] {
	if (!hasAttributes(changed)) return [];

	const held = activeNamesIn(current, attributes);
	if (mode === 'merge') return held;

	const kept = held.filter((name) => untouched.has(name));
	return [...activeNamesIn(targets, attributes), ...kept];
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

/** What the values that a contact has are compared with. */
interface ExpectedContact {
	sent?: ContactValues;
	/** What was wanted and not sent. */
	notSent?: ContactValues;
	attributes?: Attributes;
	/** The values that the contact had before the request. Only those that were changed may differ now. */
	before?: ContactValues;
}

/**
 * Names of what the service dropped: values that should have been set, and other values, such as archived ones.
 * @param held what the contact has
 */
export function droppedFrom(
	held: ContactValues,
	{ sent = noValues, notSent = noValues, attributes, before = noValues }: ExpectedContact,
): string[] {
	const wanted: ContactValues = new Map([...sent, ...notSent]);
	const dropped = missingValues(held, wanted, attributes).map(([name]) => name);

	const lost = attributeNamesIn(before).filter(
		(name) => !wanted.has(name) && !held.has(name),
	);
	return [...dropped, ...lost];
}

export function isAsSent(sent: ContactValues, returned: Contact): boolean {
	return droppedFrom(contactValuesOf(returned), { sent }).length === 0;
}
