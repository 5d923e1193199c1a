/** The values of a contact by name: its fields, and its custom attributes as `custom_attributes.plan`. */
import type { IDataObject } from 'n8n-workflow';

import { isNothing, isObject } from '../../../values/json';

/** Tells a custom attribute from a field of the contact. */
export const attributePrefix = 'custom_attributes.';

export function isAttribute(name: string): boolean {
	return name.startsWith(attributePrefix);
}

export function bareName(name: string): string {
	return name.slice(attributePrefix.length);
}

export type ContactValues = ReadonlyMap<string, unknown>;
export type Entry = [name: string, value: unknown];

export const noValues: ContactValues = new Map();

/** Custom attributes as the service has them, by their names among the values of a contact. */
export function attributeEntries(attributes: unknown): Entry[] {
	if (!isObject(attributes)) return [];
	return Object.entries(attributes).map(([name, value]) => [
		attributePrefix + name,
		value,
	]);
}

export function contactEntries(contact: IDataObject): Entry[] {
	const entries: Entry[] = [];
	for (const [name, value] of Object.entries(contact)) {
		if (name === 'custom_attributes') entries.push(...attributeEntries(value));
		else entries.push([name, value]);
	}
	return entries;
}

export function hasAttributes(values: ContactValues): boolean {
	return [...values.keys()].some(isAttribute);
}

/** What a contact has, without what is empty. */
export function contactValuesOf(contact: IDataObject): ContactValues {
	const values = new Map<string, unknown>();
	for (const [name, value] of contactEntries(contact)) {
		if (!isNothing(value)) values.set(name, value);
	}

	const named = accountsNames.find((name) => values.has(name));
	if (named) accountsNames.forEach((name) => values.set(name, values.get(named)));
	return values;
}

/** Values without those that clear something. A new contact has nothing to clear. */
export function withoutNulls(values: ContactValues): ContactValues {
	return new Map([...values].filter(([, value]) => value !== null));
}

/** Values as a contact in a request has them. */
export function dataOf(values: ContactValues): IDataObject {
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
export const accountsNames = ['payment_accounts', 'stripe_accounts'];

export function aliasesOf(name: string): string[] {
	return accountsNames.includes(name) ? accountsNames : [name];
}
