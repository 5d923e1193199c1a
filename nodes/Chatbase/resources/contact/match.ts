import type { NodeOperationError } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { Contact } from './contact';
import { externalIdOf, isAddressable, normalizeEmail } from './contact';

export type MatchBy = 'externalId' | 'externalIdThenEmail';

export interface Identity {
	id?: string;
	/** In the form of `normalizeEmail`. */
	email?: string;
	matchBy: MatchBy;
}

/** What the items of a run name, those that failed included: it is given to no other item. */
export interface ReservedIdentities {
	ids: ReadonlySet<string>;
	/** Of items that failed. */
	emails: ReadonlySet<string>;
}

export class KnownContacts {
	private readonly byId = new Map<string, Contact[]>();

	private readonly byEmail = new Map<string, Contact[]>();

	/** Whether the whole list was read and adds up, so that what is not found does not exist. */
	isWhole = false;

	/** IDs that could not be looked up. */
	readonly failed = new Set<string>();

	/** @param readAt when the first of them was read */
	constructor(readonly readAt = Date.now()) {}

	/** @param id what the contact was asked for by, if the service does not spell its External ID so */
	add(contact: Contact, id = externalIdOf(contact)) {
		const email = normalizeEmail(contact.email);
		if (id !== undefined) this.byId.set(id, [...this.withId(id), contact]);
		if (email !== undefined) this.byEmail.set(email, [...this.withEmail(email), contact]);
	}

	withId(id: string): Contact[] {
		return this.byId.get(id) ?? [];
	}

	withEmail(email: string): Contact[] {
		return this.byEmail.get(email) ?? [];
	}
}

type RefusalReason =
	| 'emailNotFound'
	| 'listIncomplete'
	| 'emailIsShared'
	| 'idIsShared'
	| 'holderHasNoId'
	| 'holderIsReserved'
	| 'emailIsReserved';

export type Match =
	| { kind: 'existing'; contact: Contact }
	| { kind: 'new' }
	| { kind: 'refused'; reason: RefusalReason; candidates: Contact[] };

/** Whether the contacts of some items can be told by the whole list only. */
export function needsWholeList(identities: Identity[]): boolean {
	return identities.some(
		({ id, email, matchBy }) =>
			email !== undefined && (id === undefined || matchBy === 'externalIdThenEmail'),
	);
}

/** Why items with an ID that nobody has fail; for any other reason their contact is a new one. */
const ambiguous: ReadonlySet<RefusalReason> = new Set([
	'listIncomplete',
	'emailIsShared',
	'emailIsReserved',
	'holderIsReserved',
]);

/**
 * Finds the contact of an item: by its External ID; by its email if it has none, or if the user wants so and nobody has
 * the ID. An address that several contacts have, or whose contact another item names, is never matched.
 */
export function matchOf(
	{ id, email, matchBy }: Identity,
	known: KnownContacts,
	reserved: ReservedIdentities,
): Match {
	const [own, ...others] = id === undefined ? [] : known.withId(id);
	if (others.length > 0) {
		return { kind: 'refused', reason: 'idIsShared', candidates: [own, ...others] };
	}
	if (own) return { kind: 'existing', contact: own };
	if (id !== undefined && (matchBy === 'externalId' || email === undefined)) return { kind: 'new' };
	const match = matchByEmail(email ?? '', known, reserved);
	const isNew = id !== undefined && match.kind === 'refused' && !ambiguous.has(match.reason);
	return isNew ? { kind: 'new' } : match;
}

function matchByEmail(email: string, known: KnownContacts, reserved: ReservedIdentities): Match {
	const candidates = known.withEmail(email);
	const [holder] = candidates;
	const refuse = (reason: RefusalReason): Match => ({ kind: 'refused', reason, candidates });
	if (candidates.length > 1) return refuse('emailIsShared');
	// An incomplete list may hide a second contact with the address.
	if (!known.isWhole) return refuse('listIncomplete');
	if (!holder) return refuse('emailNotFound');
	if (!isAddressable(holder)) return refuse('holderHasNoId');
	if (reserved.ids.has(externalIdOf(holder)!)) return refuse('holderIsReserved');
	if (reserved.emails.has(email)) return refuse('emailIsReserved');
	return { kind: 'existing', contact: holder };
}

const texts: Record<RefusalReason, [title: string, nextStep: string]> = {
	emailNotFound: [
		'No contact has this Email, and External ID is empty',
		'To create a contact, map External ID to the ID that it has in your own system.',
	],
	listIncomplete: [
		'The contact list could not be read completely',
		'It changed while the node looked for this Email, so a match would be a guess. Run the node again at a quieter time.',
	],
	emailIsShared: [
		'Several contacts have this Email',
		'A match would be a guess. Give all but one of them another address, or match by External ID.',
	],
	idIsShared: [
		'Several contacts have this External ID',
		'An update would reach any one of them. Delete all but one of them in the dashboard.',
	],
	holderHasNoId: [
		'The contact with this Email has no External ID',
		'The service changes contacts by their External ID only, and this one has none that could be sent. Give it one in the dashboard.',
	],
	emailIsReserved: [
		'Another item with this Email has failed',
		'The contact with this Email could belong to either of them. Correct the other item first.',
	],
	holderIsReserved: [
		'The contact with this Email is the one of another item',
		'Another item of the input names it by its External ID. Map External ID for this item too, or leave one of the two out.',
	],
};

export function matchError(
	item: InputItem,
	{ reason, candidates }: Extract<Match, { kind: 'refused' }>,
): NodeOperationError {
	const [title, nextStep] = texts[reason];
	const ids = candidates.map((contact) => externalIdOf(contact) ?? 'none').slice(0, 5);
	return item.error(
		title,
		ids.length > 0 ? `${nextStep} External ID: ${ids.join(', ')}.` : nextStep,
	);
}
