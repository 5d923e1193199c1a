import type { NodeOperationError } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { addTo, groupBy } from '../../values/groupBy';
import { type Contact, externalIdOf, isAddressable, lowerCase, normalizeEmail } from './contact';

export type MatchBy = 'externalId' | 'externalIdThenEmail';

/** IDs and emails of all items of a run, including failed ones. No other item matches their contacts. */
export interface ReservedIdentities {
	ids: ReadonlySet<string>;
	/** Of items that failed. */
	emails: ReadonlySet<string>;
}

export class KnownContacts {
	private readonly byId = new Map<string, Contact[]>();

	private readonly byEmail = new Map<string, Contact[]>();

	private byCase?: Map<string, Contact[]>;

	/** Whether the list was read completely, so that what is not found does not exist. */
	isWhole = false;

	/** IDs that could not be looked up. */
	readonly failed = new Set<string>();

	constructor(readonly readAt = performance.now()) {}

	/** @param id the requested ID, if the service returned it in another spelling */
	add(contact: Contact, id = externalIdOf(contact)) {
		const email = normalizeEmail(contact.email);
		if (id !== undefined) addTo(this.byId, id, contact);
		if (email !== undefined) addTo(this.byEmail, email, contact);
	}

	withId(id: string): Contact[] {
		return this.byId.get(id) ?? [];
	}

	/** A contact whose ID differs only in case, if there is exactly one. */
	inOtherCase(id: string): Contact | undefined {
		this.byCase ??= groupBy([...this.byId.values()].flat(), (contact) =>
			lowerCase(externalIdOf(contact)!),
		);
		const [contact, ...others] = this.byCase.get(lowerCase(id)) ?? [];
		return others.length > 0 ? undefined : contact;
	}

	/** Makes a contact findable by another spelling of its ID. */
	addSpelling(id: string, contact: Contact) {
		addTo(this.byId, id, contact);
	}

	withEmail(email: string): Contact[] {
		return this.byEmail.get(email) ?? [];
	}
}

/** Why the contact of an item is unclear: title and next step of the error. */
const texts = {
	emailNotFound: [
		'No contact has this Email, and External ID is empty',
		'To create a contact, map External ID to the ID that it has in your own system.',
	],
	listIncomplete: [
		'The contact list could not be read completely',
		'It changed while the node searched for this Email. Run the node again at a quieter time.',
	],
	emailIsShared: [
		'Several contacts have this Email',
		"The node can't tell which one you mean. Change the Email of all but one, or match by External ID.",
	],
	idIsShared: [
		'Several contacts have this External ID',
		'The service could update any of them. Delete all but one in the dashboard.',
	],
	holderHasNoId: [
		'The contact with this Email has no External ID',
		'The service needs a valid External ID to change a contact. Add one in the dashboard.',
	],
	emailIsReserved: [
		'Another item with this Email failed',
		'Both items could mean the contact with this Email. Correct the other item first.',
	],
	holderIsReserved: [
		'Another item names the contact with this Email',
		'It names the contact by its External ID.',
	],
} as const;

type RefusalReason = keyof typeof texts;

interface Refusal {
	reason: RefusalReason;
	/** The contacts that the item could mean. */
	candidates: Contact[];
}

/** Without a contact, a new one is created. */
type Match = { contact?: Contact } | Refusal;

/** Reasons for which the contact of an item with an unknown ID is new. For other reasons the item fails. */
const newFor: RefusalReason[] = ['emailNotFound', 'holderHasNoId'];

/**
 * Finds the contact of an item: by its External ID; by its email if it has no ID, or if the user chose that and no
 * contact has the ID. An email of several contacts, or of a contact that another item names, is never matched.
 */
export function matchOf(
	{ id, email }: InputItem['identity'],
	matchBy: MatchBy,
	known: KnownContacts,
	reserved: ReservedIdentities,
): Match {
	const named = id === undefined ? [] : known.withId(id);
	if (named.length > 1) return { reason: 'idIsShared', candidates: named };
	if (named.length === 1) return { contact: named[0] };
	if (id !== undefined && (matchBy === 'externalId' || email === undefined)) return {};
	const match = matchByEmail(email ?? '', known, reserved);
	const isNew = id !== undefined && 'reason' in match && newFor.includes(match.reason);
	return isNew ? {} : match;
}

function matchByEmail(email: string, known: KnownContacts, reserved: ReservedIdentities): Match {
	const candidates = known.withEmail(email);
	const [holder] = candidates;
	const refuse = (reason: RefusalReason) => ({ reason, candidates });
	if (candidates.length > 1) return refuse('emailIsShared');
	// The missing part of a list may have a second contact with the email.
	if (!known.isWhole) return refuse('listIncomplete');
	if (!holder) return refuse('emailNotFound');
	if (!isAddressable(holder)) return refuse('holderHasNoId');
	// The service could change the other one, since a path names both.
	const namesakes = known.withId(externalIdOf(holder)!);
	if (namesakes.length > 1) return { reason: 'idIsShared', candidates: namesakes };
	if (reserved.ids.has(externalIdOf(holder)!)) return refuse('holderIsReserved');
	if (reserved.emails.has(email)) return refuse('emailIsReserved');
	return { contact: holder };
}

const maxShown = 5;

export function matchError(item: InputItem, { reason, candidates }: Refusal): NodeOperationError {
	const [title, nextStep] = texts[reason];
	const shown = candidates.slice(0, maxShown);
	const ids = shown.map((contact) => externalIdOf(contact) ?? 'none');
	const own = shown.map((contact) => String(contact.id)).join(', ');
	const words: string[] = [nextStep];
	if (reason === 'holderIsReserved') {
		const isNamed = item.identity.id !== undefined;
		words.push(
			isNamed
				? 'Remove one of the two items.'
				: 'Map External ID for this item too, or remove one of the two items.',
		);
	}
	if (reason === 'idIsShared') words.push(`External ID: ${ids[0]} (internal IDs ${own}).`);
	else if (ids.length > 0) words.push(`External ID: ${ids.join(', ')}.`);
	return item.error(title, words.join(' '));
}
