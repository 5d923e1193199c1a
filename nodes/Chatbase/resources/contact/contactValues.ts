import type { IDataObject } from 'n8n-workflow';

import { filledEntries } from '../../values/json';
import type { Attributes, AttributeType } from '../customAttribute/attributes';
import { attributesIn, type Contact } from './contact';
import { isSameValue, type ValueKind } from './sameValue';

/** Tells a custom attribute from a field of the contact, as in `custom_attributes.plan`. */
export const attributePrefix = 'custom_attributes.';

export function isAttribute(name: string): boolean {
	return name.startsWith(attributePrefix);
}

export function bareName(name: string): string {
	return name.slice(attributePrefix.length);
}

/** Values of a contact by name, of its custom attributes as `custom_attributes.name`. */
export type Values = Map<string, unknown>;
export type Entry = [name: string, value: unknown];

export function hasAttributes(values: Values): boolean {
	return [...values.keys()].some(isAttribute);
}

/** What an item wants of a contact. */
export interface WantedContact {
	/** What is written, null to clear it. All other values stay unchanged. */
	values: Values;
	/** Attributes that the chatbot lacks or has archived. They are not sent and count as dropped. */
	unknown: Values;
	/** Of attributes, as far as they are known. */
	types: Map<string, AttributeType>;
	/** The attributes of the chatbot, if the item mentions any and the service can list them. */
	schema?: Attributes;
}

/** What a contact has, without what is empty. */
export function valuesOf(contact: Contact): Values {
	const values: Values = new Map(filledEntries(contact));
	values.delete('custom_attributes');
	for (const [name, value] of filledEntries(attributesIn(contact))) {
		values.set(attributePrefix + name, value);
	}

	const named = accountsNames.find((name) => values.has(name));
	if (named) accountsNames.forEach((name) => values.set(name, values.get(named)));
	return values;
}

/** Values as a contact in a request has them. */
export function dataOf(values: Values): IDataObject {
	const fields: Entry[] = [];
	const attributes: Entry[] = [];
	for (const [name, value] of values) {
		if (isAttribute(name)) attributes.push([bareName(name), value]);
		else fields.push([name, value]);
	}

	const data = Object.fromEntries(fields) as IDataObject;
	if (attributes.length > 0) {
		data.custom_attributes = Object.fromEntries(attributes) as IDataObject;
	}
	return data;
}

/** The name of payment accounts depends on the service. */
const accountsNames = ['payment_accounts', 'stripe_accounts'];

export function aliasesOf(name: string): string[] {
	return accountsNames.includes(name) ? accountsNames : [name];
}

const kinds = new Map<string, ValueKind>([
	['external_id', 'text'],
	['name', 'text'],
	['phonenumber', 'text'],
	['email', 'email'],
	...accountsNames.map((name) => [name, 'accounts'] as const),
]);

/** Whether writing the wanted value of a field or an attribute over the current one would change nothing. */
export function isSameIn(
	{ types }: Pick<WantedContact, 'types'>,
	name: string,
	current: unknown,
	wanted: unknown,
): boolean {
	const kind = isAttribute(name) ? types.get(name) : (kinds.get(name) ?? 'field');
	return isSameValue(current, wanted, kind);
}
