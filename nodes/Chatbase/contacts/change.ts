import type { IDataObject } from 'n8n-workflow';

import { ownValue } from '../values/object';
import type { Attribute } from './attributes';
import { attributePrefix } from './attributes';
import { areSameAccounts, isSameValue } from './compare';
import type { Contact } from './contact';

/** What a contact should hold. Whatever is not mentioned stays as it is. */
export interface WantedContact {
	/** Fields of the contact itself, null to clear one. */
	fields: Map<string, unknown>;
	/** Custom attributes, null to clear one. */
	attributes: Map<string, unknown>;
	/** Attributes that were given, but that the chatbot does not have: they cannot be kept. */
	unknown: string[];
}

/** What happens to custom attributes that are not mentioned. */
export type AttributesMode = 'merge' | 'replace';

/** What to send so that a contact holds what is wanted. */
export interface Change {
	/** Names of the fields and of the attributes (`custom_attributes.name`) that differ. */
	changed: string[];
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
 * @param mode what happens to attributes that are not mentioned
 * @param schema the attributes of the chatbot; needed as `needsSchema` says
 */
export function changeOf(
	existing: Contact | undefined,
	wanted: WantedContact,
	mode: AttributesMode,
	schema: Attribute[],
): Change {
	const changedFields = [...wanted.fields].filter(
		([name, value]) => !existing || !holdsField(existing, name, value),
	);
	const target = targetAttributes(wanted, mode, schema);
	const held = heldAttributes(existing);
	const changedAttributes = [...target.keys()].filter((name) =>
		existing ? !isSameValue(held.get(name), target.get(name)) : wanted.attributes.has(name),
	);
	const data = new Map(changedFields);
	if (changedAttributes.length > 0 || (!existing && target.size > 0)) {
		const kept = mode === 'merge' ? [...held].filter(([name]) => !isArchived(schema, name)) : [];
		data.set('custom_attributes', Object.fromEntries([...kept, ...target]));
	}
	return {
		changed: [
			...changedFields.map(([name]) => name),
			...changedAttributes.map((name) => attributePrefix + name),
		],
		data: Object.fromEntries(data) as IDataObject,
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

/** The body that creates a contact. Nothing has to be cleared in what does not exist yet. */
export function newContact(wanted: WantedContact): IDataObject {
	const isGiven = ([, value]: [string, unknown]) => value !== null;
	const attributes = [...wanted.attributes].filter(isGiven);
	return {
		...Object.fromEntries([...wanted.fields].filter(isGiven)),
		...(attributes.length > 0 && { custom_attributes: Object.fromEntries(attributes) }),
	} as IDataObject;
}

/**
 * Names what the service did not keep.
 *
 * @param sent the fields that were sent
 * @param returned the contact that came back
 */
export function droppedFrom(sent: IDataObject, returned: Contact): string[] {
	return Object.entries(sent).flatMap(([name, value]) => {
		if (name !== 'custom_attributes') return holdsField(returned, name, value) ? [] : [name];
		const held = heldAttributes(returned);
		return Object.entries(value as IDataObject)
			.filter(([attribute, wanted]) => !isSameValue(held.get(attribute), wanted))
			.map(([attribute]) => attributePrefix + attribute);
	});
}

/** Whether two inputs ask for the same. */
export function wantsTheSame(one: WantedContact, other: WantedContact): boolean {
	const sameMap = (left: Map<string, unknown>, right: Map<string, unknown>) =>
		isSameValue(Object.fromEntries(left), Object.fromEntries(right)) && left.size === right.size;
	return sameMap(one.fields, other.fields) && sameMap(one.attributes, other.attributes);
}

function holdsField(contact: Contact, name: string, wanted: unknown): boolean {
	if (name === 'payment_accounts' || name === 'stripe_accounts') {
		return areSameAccounts(contact.payment_accounts ?? contact.stripe_accounts, wanted);
	}
	const held = ownValue(contact, name);
	// An ID or a telephone number that looks like a date or a number is still text.
	if (typeof held === 'string' && typeof wanted === 'string') return held === wanted;
	return isSameValue(held, wanted);
}

function targetAttributes(wanted: WantedContact, mode: AttributesMode, schema: Attribute[]) {
	if (mode === 'merge' || wanted.attributes.size === 0) return wanted.attributes;
	const active = schema.filter(({ archived }) => !archived);
	return new Map([
		...active.map(({ name }): [string, unknown] => [name, null]),
		...wanted.attributes,
	]);
}

/** The attributes that a contact has a value for. */
function heldAttributes(contact: Contact | undefined): Map<string, unknown> {
	return new Map(
		Object.entries(contact?.custom_attributes ?? {}).filter(([, value]) => value !== null),
	);
}

function isArchived(schema: Attribute[], name: string): boolean {
	return schema.some((attribute) => attribute.name === name && attribute.archived);
}
