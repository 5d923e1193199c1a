/** The input of the jobs: customers of a CRM, some of whom differ from their contacts. */
import { seededContact, type Contact } from '../service/index.js';

const seed = 1;

/** A customer as the workflow receives it, shaped like the contact that it is to become. */
export interface Customer {
	external_id: string;
	name: string | null;
	email: string | null;
	phonenumber: string | null;
	custom_attributes: Record<string, unknown>;
}

/** The attributes that customers have a column for; contacts have an archived one besides. */
export const attributeTypes = {
	company: 'string',
	lifetime_value: 'number',
	newsletter: 'boolean',
	signed_up: 'dateTime',
} as const;

export type AttributeName = keyof typeof attributeTypes;

/** The attributes that are mapped where columns are mapped one by one: with the base fields six columns. */
export const mappedAttributes: AttributeName[] = ['company', 'lifetime_value'];

/** Whether a customer has changed since the last sync. The first to change is the 43rd in a hundred. */
export function hasChanged(index: number, percent: number): boolean {
	const before = (count: number) => Math.floor((count * percent) / 100);
	return before(index + 58) > before(index + 57);
}

/** @param index decides everything but whether the customer has moved */
export function customer(index: number, percent: number): Customer {
	const { external_id, name, email, phonenumber, custom_attributes } = seededContact(seed, index);
	const attributes = Object.fromEntries(
		Object.keys(attributeTypes)
			.filter((attribute) => attribute in custom_attributes)
			.map((attribute) => [attribute, custom_attributes[attribute]]),
	);
	const unchanged = { external_id, name, email, phonenumber, custom_attributes: attributes };
	if (!hasChanged(index, percent)) return unchanged;
	return {
		...unchanged,
		name: `${name} (moved)`,
		custom_attributes: { ...attributes, company: 'Moved Ltd' },
	};
}

export function customers(count: number, percent: number): Customer[] {
	return range(count).map((index) => customer(index, percent));
}

/** The same customers with only a new phone number each. */
export function newNumbers(count: number): NewNumber[] {
	return range(count).map(newNumber);
}

type NewNumber = Pick<Contact, 'external_id'> & { phonenumber: string };

export function newNumber(index: number): NewNumber {
	return {
		external_id: contactAt(index).external_id,
		phonenumber: `+4989${String(index).padStart(6, '0')}`,
	};
}

/** A row of the CRM's export for the nightly sync: the columns that the example takes. */
export type Row = Pick<Customer, 'external_id' | 'name' | 'email' | 'phonenumber'>;

export function row(index: number, percent: number): Row {
	const { external_id, name, email, phonenumber } = customer(index, percent);
	return { external_id, name, email, phonenumber };
}

/** Why the service refuses a new contact: an unknown field, or a taken email. */
export type Flaw = 'field' | 'address';

/** A new contact. */
export interface Newcomer {
	external_id: string;
	name: string;
	email: string;
	/** Goes into Extra Fields JSON. */
	extra: string;
}

/** Whether the service refuses a new contact: every hundredth, from the 43rd. */
export function isFlawed(index: number): boolean {
	return index % 100 === 42;
}

export function newcomers(count: number, flaw: Flaw): Newcomer[] {
	return range(count).map((index) => ({
		external_id: `newcomer-${index + 1}`,
		name: `Newcomer ${index + 1}`,
		email:
			isFlawed(index) && flaw === 'address'
				? contactAt(0).email!
				: `newcomer.${index + 1}@example.com`,
		extra: isFlawed(index) && flaw === 'field' ? '{"payment_accounts":[{"label":"Card"}]}' : '{}',
	}));
}

/**
 * The requests that bring the contacts to what the customers are, by the plan of Create or Update: the
 * pages, a PATCH for each contact that differs, and the list of attributes if some are mapped.
 *
 * @param attributes the attributes that are mapped
 */
export function plannedRequests(
	count: number,
	percent: number,
	attributes: AttributeName[] = Object.keys(attributeTypes) as AttributeName[],
): number {
	const changed = range(count).filter((index) => hasChanged(index, percent));
	return Math.ceil(count / 1000) + changed.length + (attributes.length > 0 ? 1 : 0);
}

/** A conversation of the service, by its index. */
export function conversationAt(index: number) {
	const messages = range(8).map((turn) => ({
		role: turn % 2 === 0 ? 'user' : 'assistant',
		content: `Message ${turn + 1} of conversation ${index + 1}. `.repeat(4),
	}));
	return { id: `conversation-${index + 1}`, title: `Question ${index + 1}`, messages };
}

/** Days from the creation of a chatbot to a conversation: within a year, more each month, from 8 to 20 o'clock. */
export function dayOfConversation(index: number, count: number): number {
	const days = 365 * Math.sqrt((index + 1) / (count + 1));
	return Math.floor(days) + (8 + 12 * (days % 1)) / 24;
}

/** A document whose text the chatbot knows, or knew before it changed. */
export interface Document {
	/** ID of its source. */
	id: string;
	name: string;
	content: string;
}

export function documentAt(index: number, percent: number): Document {
	const text = `What customers ask about topic ${index + 1}, and the answer. `.repeat(30);
	return {
		id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
		name: `Docs: Article ${index + 1}`,
		content: hasChanged(index, percent) ? `${text}This is new.` : text,
	};
}

export function documents(count: number, percent: number): Document[] {
	return range(count).map((index) => documentAt(index, percent));
}

/** A file whose text the chatbot knows, or knew before it changed: about a megabyte. */
export function fileAt(index: number, percent: number) {
	const { id, content } = documentAt(index, percent);
	const bytes = Buffer.from(content.repeat(Math.ceil(1_000_000 / content.length)));
	return { id, name: `Manual ${index + 1}.txt`, bytes };
}

/** Items with files as n8n holds them in memory. */
export function fileItems({ count, percent = 0 }: { count: number; percent?: number }) {
	return range(count).map((index) => {
		const { id, name, bytes } = fileAt(index, percent);
		const data = bytes.toString('base64');
		const file = { data, fileName: name, fileExtension: 'txt', mimeType: 'text/plain' };
		return { json: { id, name }, binary: { data: file } };
	});
}

/** In an answer that is made up: the External ID that the request names. */
export const requestedId = 'REQUESTED_ID';

/** The contact at an index before anything is written. */
export function contactAt(index: number): Contact {
	return seededContact(seed, index);
}

/** Says how a contact differs from its customer; undefined if it doesn't. */
export function differenceFrom(contact: Contact | undefined, wanted: Partial<Customer>) {
	if (!contact) return 'is missing';
	const { custom_attributes: attributes = {}, ...fields } = wanted;
	const differs =
		Object.entries(fields).find(([name, value]) => contact[name as keyof Contact] !== value) ??
		Object.entries(attributes).find(([name, value]) => contact.custom_attributes[name] !== value);
	return differs && `has another ${differs[0]}`;
}

export function range(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}
