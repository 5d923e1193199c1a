import type { AttributeType, Attributes } from '../customAttribute/attributes';

/** Tells a custom attribute from a field of the contact, as in `custom_attributes.plan`. */
export const attributePrefix = 'custom_attributes.';

export function isAttribute(name: string): boolean {
	return name.startsWith(attributePrefix);
}

export function bareName(name: string): string {
	return name.slice(attributePrefix.length);
}

export function hasAttributes(values: Values): boolean {
	return [...values.keys()].some(isAttribute);
}

/** Values of a contact by name, of its custom attributes as `custom_attributes.name`. */
export type Values = Map<string, unknown>;
export type Entry = [name: string, value: unknown];

/** What an item wants of a contact. */
export interface WantedContact {
	/** What is written, null to clear it. All other values stay unchanged. */
	values: Values;
	/** Attributes that the chatbot lacks or has archived. They are not sent and count as dropped. */
	unknown: Values;
	/** Of attributes, as far as they are known. */
	types: Map<string, AttributeType>;
	/** The attributes of the chatbot, if they were read for the item. */
	schema?: Attributes;
}
