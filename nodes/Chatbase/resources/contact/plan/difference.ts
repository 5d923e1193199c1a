/** What an update sends, and what a response shows of it. */
import type { IDataObject } from 'n8n-workflow';

import { clean } from '../../../values/clean';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { attributesIn, type Contact } from './contactRecord';
import {
	activeNamesIn,
	aliasesOf,
	attributeNamesIn,
	bareName,
	type ContactValues,
	contactValuesOf,
	type Entry,
	hasAttributes,
	isAttribute,
	missingValues,
	noValues,
	withOthers,
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

const nothing = { changed: [], before: {}, kept: [], sent: noValues } as const;

export interface ChangeRules extends Pick<WriteSettings, 'onlyIfEmpty'> {
	/** Names of texts that are no change if they differ only in what is cleaned. */
	readonly cleaned?: readonly string[];
}

/**
 * What an update changes. All custom attributes that should remain are sent, because it is not
 * documented whether the service merges or replaces them. If the contact was not read, everything counts as changed.
 */
export function differenceOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	{ onlyIfEmpty, cleaned = [] }: ChangeRules,
): Difference {
	const current = contactValuesOf(existing ?? {});
	const differing = existing
		? missingValues(current, wanted.values, wanted.attributes)
		: [...wanted.values];
	// So it is for most contacts of most runs.
	if (differing.length === 0) return { ...nothing, current };

	const changed = new Map<string, unknown>();
	const before: IDataObject = {};
	const kept: string[] = [];

	for (const [name, value] of differing) {
		if (cleaned.includes(name) && isCleanedAlike(current.get(name), value)) continue;
		if (current.has(name) && onlyIfEmpty.includes(name)) {
			kept.push(name);
			continue;
		}
		changed.set(name, value);
		if (existing) before[name] = (current.get(name) ?? null) as IDataObject[string];
	}

	// Archived attributes can't be sent.
	const held = hasAttributes(changed) ? activeNamesIn(current, wanted.attributes) : [];
	const along = held.filter((name) => !changed.has(name));
	const entries = along.map((name): Entry => [name, current.get(name) ?? null]);
	return {
		current,
		changed: [...changed.keys()],
		before,
		kept,
		sent: new Map([...entries, ...changed]),
	};
}

function isCleanedAlike(current: unknown, wanted: unknown): boolean {
	if (current === undefined || wanted === null) return false;
	return clean(String(current)) === clean(String(wanted));
}

/** The contact as a real run would leave it, if the service keeps all that is sent. */
export function contactAfter(existing: Contact, { changed, sent }: Difference): Contact {
	if (changed.length === 0) return existing;

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
	const wanted = withOthers(sent, notSent);
	const dropped = missingValues(held, wanted, attributes).map(([name]) => name);

	const lost = attributeNamesIn(before).filter(
		(name) => !wanted.has(name) && !held.has(name),
	);
	return [...dropped, ...lost];
}

export function isAsSent(sent: ContactValues, returned: Contact): boolean {
	return droppedFrom(contactValuesOf(returned), { sent }).length === 0;
}
