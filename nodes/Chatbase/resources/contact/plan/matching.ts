import { clean } from '../../../values/clean';
import { addTo, type NonEmpty } from '../../../values/list';
import {
	asStored,
	type Contact,
	isAddressable,
	type StoredContact,
} from './contactRecord';
import { droppedFrom } from './difference';
import { KnownContacts } from './knownContacts';
import { contactValuesOf } from './values';
import type {
	ContactInput,
	ContactKey,
	MatchedWish,
	MatchProblem,
	RefusedItems,
	UnclearReason,
	Wish,
} from './wantedContact';
import { agreeOn, type Wishes } from './wishes';

/** IDs and emails of all items of a run. No other item matches their contacts by email. */
export interface ReservedKeys {
	/** Cleaned. */
	readonly ids: ReadonlySet<string>;
	/** Emails of items that failed. */
	readonly emails: ReadonlySet<string>;
}

/**
 * @param failed keys of items that failed before they became wishes, as far as they are known
 * @param inputs all other items
 * @param refused those of them that can't be fulfilled
 */
export function reserveKeys(
	failed: readonly ContactKey[],
	inputs: readonly ContactInput[],
	refused: readonly RefusedItems[],
): ReservedKeys {
	const failing = new Set(refused.flatMap(({ items }) => items));
	const ids = new Set<string>();
	const emails = new Set<string>();

	for (const { id, email } of failed) {
		if (id !== undefined) ids.add(clean(id));
		if (email !== undefined) emails.add(email);
	}
	for (const { index, key } of inputs) {
		if (key.id !== undefined) ids.add(clean(key.id));
		if (key.email !== undefined && failing.has(index)) emails.add(key.email);
	}
	return { ids, emails };
}

const nothingReserved: ReservedKeys = { ids: new Set(), emails: new Set() };

export interface Matches {
	readonly existing: readonly MatchedWish[];
	/** Wishes for new contacts. */
	readonly fresh: readonly Wish[];
	readonly refused: readonly RefusedItems[];
}

/** For an operation that looks up no contact. All contacts are new. */
export function createAllOf(wishes: Wishes): Matches {
	return matchWishes(wishes, new KnownContacts(), nothingReserved);
}

/** Finds the contact of each wish. Wishes that match one contact become one, unless they contradict each other. */
export function matchWishes(
	wishes: Wishes,
	known: KnownContacts,
	reserved: ReservedKeys,
): Matches {
	const byContact = new Map<string, NonEmpty<MatchedWish>>();
	const fresh: Wish[] = [];
	const refused: RefusedItems[] = [...wishes.refused];

	for (const wish of wishes.wishes) {
		const match = matchOf(wish, known, reserved);
		const { items } = wish;
		if ('problem' in match) {
			refused.push({ items, ...match });
			continue;
		}

		const { contact } = match;
		const loss = lossOf(wish, match);
		if (loss) {
			const candidates = contact ? [contact.record] : [];
			refused.push({ items, problem: loss, candidates });
		} else if (contact) {
			addTo(byContact, contact.id, { wish, contact });
		} else {
			fresh.push(wish);
		}
	}

	const existing: MatchedWish[] = [];
	for (const group of byContact.values()) {
		const [{ contact }, ...others] = group;
		if (others.length === 0) {
			existing.push(group[0]);
			continue;
		}

		const agreed = agreeOn(
			group.map(({ wish }) => wish),
			() => contact.id,
		);
		const candidates = [contact.record];
		refused.push(...agreed.refused.map((each) => ({ ...each, candidates })));
		existing.push(...agreed.wishes.map((wish) => ({ wish, contact })));
	}
	return { existing, fresh, refused };
}

/** The contact of a wish; without one, the wish is for a new contact. */
interface Found {
	readonly contact?: StoredContact;
}

/** Why it is not known which contact a wish means, or whether there is one. */
interface Unmatched {
	readonly problem: MatchProblem;
	readonly candidates: readonly Contact[];
}

/** The fields that the service would drop, if the user has chosen to fail then. */
function lossOf(wish: Wish, { contact }: Found): MatchProblem | undefined {
	const { settings, notSent, attributes } = wish;
	if (settings.onDroppedFields !== 'error' || notSent.size === 0) return undefined;

	const held = contactValuesOf(contact?.record ?? {});
	const fields = droppedFrom(held, { notSent, attributes });
	if (fields.length === 0) return undefined;
	return { kind: 'dropped', fields };
}

/**
 * Finds the contact of a wish: by its External ID; by its email if it has no ID, or if the user chose that and no contact has
 * the ID. An email of several contacts, or of a contact that another item names, is never matched.
 */
function matchOf(
	wish: Wish,
	known: KnownContacts,
	reserved: ReservedKeys,
): Found | Unmatched {
	const { id } = wish.key;
	if (id !== undefined) {
		const error = known.unread.get(id);
		if (error !== undefined) return { problem: { kind: 'error', error }, candidates: [] };

		const named = known.withId(id);
		const [contact, ...namesakes] = named;
		if (namesakes.length > 0) return idIsShared(named);
		if (contact) return { contact };
	}

	if (!isMatchedByEmail(wish)) return {};
	return matchByEmail(wish.key, known, reserved);
}

/** Whether the email of a wish counts if no contact has its ID. */
export function isMatchedByEmail({ key, settings }: Wish): boolean {
	if (key.email === undefined) return false;
	return key.id === undefined || settings.matchBy === 'externalIdThenEmail';
}

function matchByEmail(
	{ id, email = '' }: ContactKey,
	known: KnownContacts,
	reserved: ReservedKeys,
): Found | Unmatched {
	const candidates = known.withEmail(email);
	if (candidates.length > 1) return unclear('emailIsShared', candidates);

	const [record] = candidates;
	const contact = record && isAddressable(record) ? asStored(record) : undefined;
	if (!contact) {
		// The wish is for a new contact.
		if (id !== undefined) return {};
		return unclear(record ? 'holderHasNoId' : 'emailNotFound', candidates);
	}

	if (known.isShared(contact.id)) return idIsShared(known.withId(contact.id));
	if (reserved.ids.has(clean(contact.id))) return unclear('holderIsReserved', candidates);
	if (reserved.emails.has(email)) return unclear('emailIsReserved', candidates);
	return { contact };
}

/** The service could change any of several contacts with one ID. */
function idIsShared(contacts: readonly StoredContact[]): Unmatched {
	return unclear(
		'idIsShared',
		contacts.map(({ record }) => record),
	);
}

function unclear(reason: UnclearReason, candidates: readonly Contact[]): Unmatched {
	return { problem: { kind: 'unclear', reason, candidates }, candidates };
}
