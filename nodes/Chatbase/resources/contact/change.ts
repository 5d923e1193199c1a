import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { escapeHtml, shorten } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { recordOf, type Sync } from '../../sync/records';
import { losesDigits } from '../../values/json';
import {
	assertIsContact,
	attributesIn,
	type Contact,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import {
	aliasesOf,
	attributePrefix,
	bareName,
	dataOf,
	type Entry,
	hasAttributes,
	isAttribute,
	isSameIn,
	type Values,
	valuesOf,
	type WantedContact,
} from './contactValues';
import type { WriteSettings } from './fields';

export interface ContactChange {
	wanted: WantedContact;
	settings: WriteSettings;
	/** The current contact; absent if it was not read or will be created. */
	existing?: Contact;
}

/** An update that was compared with its contact. */
export interface PlannedChange extends ContactChange {
	contactId: string;
	difference: Difference;
}

/** A contact that was written, or already is as wanted. */
export interface Written {
	contact: Contact;
	sync: Sync;
}

/** The response to an update that the service refused, or whose contact does not exist. */
export interface Unwritten {
	response: ApiResponse;
}

/** Writes what differs, if anything does. */
export async function writeChange(
	api: ApiClient,
	contactId: string,
	change: ContactChange,
): Promise<Written | Unwritten> {
	const planned = planChange(api, contactId, change);
	return withoutRequest(planned) ?? (await sendChange(api, planned));
}

/** Throws if an attribute that must be sent along may be a number with too many digits. */
export function planChange(
	api: ApiClient,
	contactId: string,
	change: ContactChange,
): PlannedChange {
	const difference = differenceOf(change.existing, change.wanted, change.settings);
	const { tooLong } = difference;
	if (tooLong.length === 0) return { ...change, contactId, difference };

	const nextStep = `Contact ${contactId}: ${tooLong.join(', ')} would be sent with the changed attributes, but has more digits than the node can send. Nothing was written. Map it too, or store it as text.`;
	throw new NodeOperationError(
		api.node,
		'A custom attribute has a number with too many digits',
		{
			description: escapeHtml(shorten(nextStep)),
		},
	);
}

/** The result of an update that sends nothing: nothing differs, or it is a dry run. Undefined for all others. */
export function withoutRequest({
	wanted,
	settings,
	existing,
	difference,
}: PlannedChange): Written | undefined {
	const { changed, before, kept } = difference;
	if (!existing || (changed.length > 0 && !settings.dryRun)) return undefined;

	const action = changed.length > 0 ? 'wouldUpdate' : 'unchanged';
	const dropped = droppedFrom(existing, wanted);
	const contact = contactAfter(existing, difference);
	return { contact, sync: { action, changed, before, dropped, kept } };
}

export async function sendChange(
	api: ApiClient,
	{ contactId, wanted, settings: { chatbotId }, existing, difference }: PlannedChange,
): Promise<Written | Unwritten> {
	const { current, sent, changed, before, kept } = difference;
	const request = { method: 'PATCH', body: { data: dataOf(sent) } } as const;
	const response = await sendToContact(api, chatbotId, contactId, request);
	if (response.outcome === '400' || response.outcome === '409') return { response };

	const resultWith = (contact: Contact): Written => {
		const dropped = droppedFrom(contact, { ...wanted, sent, before: current });
		return { contact, sync: { action: 'updated', changed, before, dropped, kept } };
	};
	const newId = sent.get('external_id');
	if (!isContactMissing(response)) {
		assertIsContact(api, response, [contactId, String(newId ?? contactId)]);
		return resultWith(api.expectBody<Contact>(response));
	}
	if (!response.mayHaveRun || typeof newId !== 'string' || newId === contactId) {
		return { response };
	}

	// An attempt whose response was lost may have changed the ID. Or the contact never existed, and another one has the ID.
	const { contact } = await readContact(api, chatbotId, newId);
	if (!contact) return { response };

	const isSame =
		existing?.id === undefined ? isAsSent(sent, contact) : contact.id === existing.id;
	return isSame ? resultWith(contact) : { response };
}

export function allowedRecord(
	item: InputItem,
	{ contact, sync }: Written,
	{ onDroppedFields }: WriteSettings,
): IDataObject {
	const { dropped = [], action } = sync;
	if (onDroppedFields === 'error' && dropped.length > 0) {
		throw droppedError(item, dropped, action === 'created' || action === 'updated');
	}

	return recordOf(
		contact,
		onDroppedFields === 'ignore' ? { ...sync, dropped: [] } : sync,
	);
}

export function droppedError(
	item: InputItem,
	dropped: string[],
	isWritten: boolean,
): NodeOperationError {
	return item.error(
		'The service dropped fields',
		`Dropped: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes with exactly these names. Custom Attribute: Create adds missing ones.`,
	);
}

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

	const held = [...current.keys()];
	const untouched = held.filter((name) => wanted.untouched?.has(name));
	const remaining = mode === 'merge' ? held : [...targets.keys(), ...untouched];
	const carried = hasAttributes(changed) ? carriedIn(remaining, changed, wanted) : [];
	const isTooLong = (name: string) =>
		(!targets.has(name) || kept.includes(name)) &&
		wanted.schema?.get(bareName(name))?.type !== 'text' &&
		hasLongNumber(current.get(name));
	return {
		current,
		changed: [...changed.keys()],
		before,
		kept,
		sent: new Map([
			...carried.map((name): Entry => [name, current.get(name) ?? null]),
			...changed,
		]),
		tooLong: carried.filter(isTooLong).map(bareName),
	};
}

/** Names of the attributes that are sent as they are, beside those that change. */
function carriedIn(
	remaining: string[],
	changed: Values,
	{ schema }: WantedContact,
): string[] {
	return remaining.filter(
		(name) =>
			isAttribute(name) && !changed.has(name) && !schema?.get(bareName(name))?.archived,
	);
}

/** Adds null for the attributes that the item does not set, if it sets any. */
function withCleared(
	{ values, schema, untouched }: WantedContact,
	current: Values,
): Values {
	// Without a list of attributes, nobody knows whether one that is to be cleared exists.
	const isMention = ([name, value]: Entry) =>
		isAttribute(name) && (schema !== undefined || value !== null || current.has(name));
	if (![...values].some(isMention)) return values;

	const active = schema && [...schema.values()].filter(({ archived }) => !archived);
	const names =
		active?.map(({ name }) => attributePrefix + name) ??
		[...current.keys()].filter(isAttribute);
	const cleared = names.filter((name) => !untouched?.has(name));
	return new Map([...cleared.map((name): Entry => [name, null]), ...values]);
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
interface Expected extends Partial<Pick<WantedContact, 'unknown' | 'schema'>> {
	sent?: Values;
	/** What the contact had before the request, of which nothing else may be lost. */
	before?: Values;
}

/** Names of what the service dropped: of values that were to be set, and of others, such as archived ones. */
export function droppedFrom(
	returned: Contact,
	{ sent = new Map(), unknown = new Map(), schema, before = new Map() }: Expected,
): string[] {
	const wanted: Values = new Map([...sent, ...unknown]);
	const now = valuesOf(returned);
	const dropped = [...wanted.keys()].filter(
		(name) => !isSameIn({ schema }, name, now.get(name), wanted.get(name)),
	);

	const others = [...before.keys()].filter((name) => !wanted.has(name));
	const lost = others.filter((name) => isAttribute(name) && !now.has(name));
	return [...dropped, ...lost];
}

export function isAsSent(sent: Values, returned: Contact): boolean {
	return droppedFrom(returned, { sent }).length === 0;
}
