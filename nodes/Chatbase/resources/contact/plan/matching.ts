import { clean } from '../../../values/clean';
import { addTo, groupBy, type NonEmpty } from '../../../values/list';
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
	Contradiction,
	MatchedWish,
	Unclear,
	UnclearReason,
	Wish,
} from './wantedContact';
import { agreeOn } from './wishes';

/** IDs and emails of all items of a run. No other item matches their contacts by email. */
export interface ReservedKeys {
	readonly ids: ReadonlySet<string>;
	/** Emails of items that failed. */
	readonly emails: ReadonlySet<string>;
}

/**
 * @param refused keys of items that could not be read, as far as they are known
 * @param inputs all other items, including those that will fail because they contradict each other
 */
export function reserveKeys(
	refused: readonly ContactKey[],
	inputs: readonly ContactInput[],
	contradictions: readonly Contradiction[],
): ReservedKeys {
	const contradicting = new Set(contradictions.flatMap(({ items }) => items));
	const failing = inputs.filter(({ index }) => contradicting.has(index));
	const failed = [...refused, ...failing.map(({ key }) => key)];
	const keys = [...refused, ...inputs.map(({ key }) => key)];
	return {
		ids: new Set(keys.flatMap(({ id }) => id ?? [])),
		emails: new Set(failed.flatMap(({ email }) => email ?? [])),
	};
}

export const nothingReserved: ReservedKeys = { ids: new Set(), emails: new Set() };

export interface Matches {
	readonly existing: readonly MatchedWish[];
	/** Wishes for new contacts. */
	readonly fresh: readonly Wish[];
	readonly unclear: ReadonlyArray<Unclear & { wish: Wish }>;
	/** Wishes of which the service would drop fields, if the user has chosen to fail then. */
	readonly dropped: ReadonlyArray<{ wish: Wish; fields: readonly string[] }>;
	/** Wishes whose contact could not be read. */
	readonly unread: ReadonlyArray<{ wish: Wish; error: unknown }>;
	/** Wishes that have matched one contact and want different values. */
	readonly contradictions: readonly Contradiction[];
	/** The contacts that wishes have matched, also those of wishes that fail. */
	readonly matched: readonly Contact[];
}

/** For an operation that looks up no contact. All contacts are new. */
export function createAllOf(wishes: readonly Wish[]): Matches {
	return matchWishes(wishes, new KnownContacts(), nothingReserved);
}

/** Finds the contact of each wish. Wishes that match one contact become one, unless they contradict each other. */
export function matchWishes(
	wishes: readonly Wish[],
	known: KnownContacts,
	reserved: ReservedKeys,
): Matches {
	const byContact = new Map<string, NonEmpty<MatchedWish>>();
	const fresh: Wish[] = [];
	const unclear: Array<Unclear & { wish: Wish }> = [];
	const unread: Array<{ wish: Wish; error: unknown }> = [];
	const dropped: Array<{ wish: Wish; fields: readonly string[] }> = [];
	const matched: Contact[] = [];

	for (const wish of wishes) {
		const { id } = wish.key;
		if (id !== undefined && known.unread.has(id)) {
			unread.push({ wish, error: known.unread.get(id) });
			continue;
		}

		const match = matchOf(wish, known, reserved);
		if (match !== 'none' && 'reason' in match) {
			unclear.push({ ...match, wish });
			continue;
		}

		const contact = match === 'none' ? undefined : match;
		if (contact) matched.push(contact.record);
		const fields = refusedFields(wish, contact);
		if (fields.length > 0) dropped.push({ wish, fields });
		else if (contact) addTo(byContact, contact.id, { wish, contact });
		else fresh.push(wish);
	}

	const alike = wishesAlike(fresh);
	unclear.push(...alike);
	const twins = new Set(alike.map(({ wish }) => wish));

	const contradictions: Contradiction[] = [];
	const existing = [...byContact.values()].flatMap((group) => {
		if (group.length === 1) return group;

		const [{ contact }] = group;
		const agreed = agreeOn(
			group.map(({ wish }) => wish),
			() => contact.id,
		);
		contradictions.push(...agreed.contradictions);
		return agreed.wishes.map((wish) => ({ wish, contact }));
	});
	return {
		existing,
		fresh: fresh.filter((wish) => !twins.has(wish)),
		unclear,
		dropped,
		unread,
		contradictions,
		matched,
	};
}

/** Wishes for new contacts whose IDs look the same: they would make one customer twice. */
function wishesAlike(fresh: readonly Wish[]): Array<Unclear & { wish: Wish }> {
	if (fresh.length < 2) return [];

	const groups = groupBy(fresh, ({ key }) => clean(key.id ?? ''));
	return [...groups.values()].flatMap((group) => {
		if (group.length === 1) return [];

		const candidates = group.map(({ key }) => ({ external_id: key.id }));
		return group.map((wish) => ({ wish, reason: 'itemLooksTheSame', candidates }));
	});
}

/** Names of the fields that the service would drop, if the user has chosen to fail then. */
function refusedFields(wish: Wish, contact?: StoredContact): string[] {
	const { settings, notSent, attributes } = wish;
	if (settings.onDroppedFields !== 'error' || notSent.size === 0) return [];
	const held = contactValuesOf(contact?.record ?? {});
	return droppedFrom(held, { notSent, attributes });
}

/**
 * Finds the contact of a wish: by its External ID, which no other ID may look like; by its email if it has no ID, or if the
 * user chose that and no contact has the ID. An email of several contacts, or of a contact that another item names, is never
 * matched.
 */
function matchOf(
	wish: Wish,
	known: KnownContacts,
	reserved: ReservedKeys,
): StoredContact | Unclear | 'none' {
	const { id } = wish.key;
	if (id !== undefined) {
		const named = known.withId(id);
		const [contact, ...namesakes] = named;
		if (namesakes.length > 0) return unclear('idIsShared', named);
		if (contact) return contact;

		const lookalikes = known.withVisibleId(id);
		if (lookalikes.length > 0) return unclear('idLooksTheSame', lookalikes);
	}
	if (!isMatchedByEmail(wish)) return 'none';
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
): StoredContact | Unclear | 'none' {
	const candidates = known.withEmail(email);
	if (candidates.length > 1) return { reason: 'emailIsShared', candidates };
	// The part of the list that was not read may have a second contact with the email.
	if (!known.coversAllContacts) return { reason: 'listIncomplete', candidates };

	const [record] = candidates;
	const holder = record && isAddressable(record) ? asStored(record) : undefined;
	if (!holder) {
		// The wish is for a new contact.
		if (id !== undefined) return 'none';
		return { reason: record ? 'holderHasNoId' : 'emailNotFound', candidates };
	}

	// Several contacts have the ID. The service could change the wrong one, since the path names them all.
	const namesakes = known.withId(holder.id);
	if (namesakes.length > 1) return unclear('idIsShared', namesakes);
	if (reserved.ids.has(holder.id)) return { reason: 'holderIsReserved', candidates };
	if (reserved.emails.has(email)) return { reason: 'emailIsReserved', candidates };
	return holder;
}

function unclear(reason: UnclearReason, contacts: readonly StoredContact[]): Unclear {
	return { reason, candidates: contacts.map(({ record }) => record) };
}
