/** A contact as the service returns it, and how it is recognized. */
import type { IDataObject } from 'n8n-workflow';

import { clean } from '../../../values/clean';
import { isEmpty, isObject, ownValue } from '../../../values/json';
import { isPathSegment } from '../../../values/text';

/** Values may have other types than in the contract. */
export interface Contact extends IDataObject {
	id?: string | number;
	/** The ID in the user's own system. Paths have this ID. */
	external_id?: string | number | null;
	name?: string | null;
	email?: string | null;
	phonenumber?: string | null;
	custom_attributes?: IDataObject | null;
	/** Unix timestamps. Public documentation says seconds, the contract leaves the unit open. */
	created_at?: number | string;
	updated_at?: number | string;
}

/** People know a contact by these fields. The internal ID is of no use to them. */
export const contactFieldOrder = {
	first: ['external_id', 'name', 'email', 'phonenumber', 'custom_attributes'],
	last: ['id'],
};

/** A contact that has an External ID, by which it can be read and changed. */
export interface StoredContact {
	readonly id: string;
	readonly record: Readonly<Contact>;
}

export function externalIdOf({ external_id: id }: Contact): string | undefined {
	if (typeof id === 'number') return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The contact by its External ID; undefined if it has none. */
export function asStored(record: Contact): StoredContact | undefined {
	const id = externalIdOf(record);
	if (id === undefined) return undefined;
	return { id, record };
}

/** Whether an External ID can be part of a path, which every change needs. */
export function isAddressable(contact: Contact): boolean {
	const id = externalIdOf(contact);
	return id !== undefined && isPathSegment(id);
}

/** A value for comparisons that ignore case and what is cleaned. */
export function fold(value: unknown): string {
	return clean(String(value ?? '')).toLowerCase();
}

/** An ID for comparisons that ignore case, what is cleaned, and all spaces. */
export function foldId(id: string): string {
	return fold(id.replace(/\s/g, ''));
}

export function attributesIn({ custom_attributes: attributes }: Contact): IDataObject {
	return isObject(attributes) ? attributes : {};
}

export function attributeText(contact: Contact, name: string): string | undefined {
	const value = ownValue(attributesIn(contact), name);
	return isEmpty(value) ? undefined : String(value);
}
