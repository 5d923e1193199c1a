import { isObject } from '../../../values/object';
import type { Contact } from './contact';
import { externalIdOf, isAddressable } from './contact';

/** Which contacts a sync manages. */
export type Ownership =
	/** Those that carry its mark: a text in a custom attribute. */
	| { kind: 'attribute'; attribute: string; value: string }
	| { kind: 'idPrefix'; prefix: string }
	/** Every contact with an External ID. */
	| { kind: 'all' };

/** How many contacts may leave at once. */
export interface SafetyLimit {
	/** Most leavers, in percent of the managed contacts; undefined where a number of the user takes its place. */
	maxPercent?: number;
	/** Most leavers. */
	max: number;
}

/** What the guard says. */
export type LimitResult = 'fine' | 'tooMany' | 'everybody';

/** So many leavers pass the percentage in any case: in a small list, one is many percent. */
const alwaysFew = 10;

/** Whether a sync manages a contact. */
export function isManaged(contact: Contact, management: Ownership): boolean {
	const id = externalIdOf(contact);
	if (id === undefined) return false;
	switch (management.kind) {
		case 'attribute':
			return attributeOf(contact, management.attribute) === management.value;
		case 'idPrefix':
			return id.startsWith(management.prefix);
		case 'all':
			return true;
	}
}

/** Whether a contact carries the mark of another sync, which is nobody else's business. */
export function isOfAnotherSync(contact: Contact, management: Ownership): boolean {
	if (management.kind !== 'attribute') return false;
	const mark = attributeOf(contact, management.attribute);
	return mark !== undefined && mark !== management.value;
}

/**
 * Finds the contacts that a sync manages and that are not in the list any more.
 *
 * @param contacts the complete contact list of the chatbot
 * @param management which of them the sync manages
 * @param present the External IDs of the contacts that the items of the run are about, and those that the items name
 * @param leftAttribute the attribute that tells when a contact has left; one that carries it has left earlier
 * @returns the leavers, and how many contacts are managed, those that left earlier not counted
 */
export function findMissing(
	contacts: Contact[],
	management: Ownership,
	present: ReadonlySet<string>,
	leftAttribute?: string,
): { leavers: Contact[]; managed: number } {
	const isPresent = (contact: Contact) => present.has(externalIdOf(contact)!);
	const managed = contacts.filter(
		(contact) =>
			isManaged(contact, management) &&
			(isPresent(contact) ||
				leftAttribute === undefined ||
				attributeOf(contact, leftAttribute) === undefined),
	);
	const leavers = managed.filter((contact) => !isPresent(contact) && isAddressable(contact));
	return { leavers, managed: managed.length };
}

/**
 * Judges whether so many contacts may leave at once.
 *
 * @param leavers how many leave
 * @param managed how many the sync manages
 */
export function checkLimit(
	leavers: number,
	managed: number,
	{ maxPercent, max }: SafetyLimit,
): LimitResult {
	if (leavers === 0) return 'fine';
	if (leavers >= managed) return 'everybody';
	if (leavers > max) return 'tooMany';
	const isOverPercent = maxPercent !== undefined && leavers > (managed * maxPercent) / 100;
	return isOverPercent && leavers > alwaysFew ? 'tooMany' : 'fine';
}

/** A custom attribute of a contact as text, or undefined where it has no value. */
function attributeOf({ custom_attributes: attributes }: Contact, name: string): string | undefined {
	const value =
		isObject(attributes) && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
	return value === undefined || value === null || value === '' ? undefined : String(value);
}
