import type { Contact } from './contact';
import { externalIdOf, isAddressable } from './contact';

/** By what an item finds its contact. */
export type MatchBy = 'externalId' | 'externalIdThenEmail';

/** Who an item is about. */
export interface Identity {
	/** External ID, as the item has it. */
	id?: string;
	/** E-mail address in the form of `addressOf`. */
	address?: string;
	matchBy: MatchBy;
}

/** The contacts that were found for the items of a run. */
export interface KnownContacts {
	byId: ReadonlyMap<string, Contact>;
	/** By the form of `addressOf`; several contacts can have one address. */
	byAddress: ReadonlyMap<string, Contact[]>;
	/** Whether the whole list was read and adds up, so that what is not found does not exist. */
	isWhole: boolean;
}

/** Why no contact can be told for an item. */
export type MatchRefusal =
	/** No contact has the address, and there is no ID to create one with. */
	| 'nobodyHasAddress'
	/** Nobody can tell whether a contact has the address, since the list did not add up. */
	| 'listNotWhole'
	/** Several contacts have the address. */
	| 'severalHaveAddress'
	/** The contact that has the address has no External ID that a path could name. */
	| 'holderHasNoId'
	/** The contact that has the address is the one of another item, which names its ID. */
	| 'holderIsNamed'
	/** An item that failed has the address too, so that nobody can tell which of the two it belongs to. */
	| 'addressIsClaimed';

/** What an item turned out to be about. */
export type Match =
	| { kind: 'existing'; contact: Contact; isByAddress: boolean }
	| { kind: 'new' }
	| { kind: 'refused'; reason: MatchRefusal; holder?: Contact };

/** Whether the contacts of some items can be told by the whole list only. */
export function needsWholeList(claims: Identity[]): boolean {
	return claims.some(
		({ id, address, matchBy }) =>
			address !== undefined && (id === undefined || matchBy === 'externalIdThenEmail'),
	);
}

/** What the items of a run claim, those that failed included: it is given to no other item. */
export interface ReservedIdentities {
	/** External IDs that items name. */
	ids: ReadonlySet<string>;
	/** Addresses of items that failed, in the form of `addressOf`. */
	failedAddresses: ReadonlySet<string>;
}

/** Why items with an ID that nobody has fail; for any other reason their contact is a new one. */
const undecidable: ReadonlySet<MatchRefusal> = new Set(['listNotWhole', 'addressIsClaimed']);

/**
 * Finds the contact of an item: by its External ID; by its e-mail address if it has none, or if the user wants so
 * and nobody has the ID. An address that several contacts have, or whose contact another item claims, is never taken
 * for it.
 *
 * @param claim who the item is about
 * @param known the contacts that were found
 * @param claims what all items of the run claim
 */
export function matchOf(claim: Identity, known: KnownContacts, claims: ReservedIdentities): Match {
	const { id, address, matchBy } = claim;
	const byOwnId = id === undefined ? undefined : known.byId.get(id);
	if (byOwnId) return { kind: 'existing', contact: byOwnId, isByAddress: false };
	if (id !== undefined && (matchBy === 'externalId' || address === undefined)) {
		return { kind: 'new' };
	}
	const found = holderOf(address ?? '', known, claims);
	if ('contact' in found) return { kind: 'existing', contact: found.contact, isByAddress: true };
	return id === undefined || undecidable.has(found.reason)
		? { kind: 'refused', ...found }
		: { kind: 'new' };
}

function holderOf(
	address: string,
	{ byAddress, isWhole }: KnownContacts,
	{ ids, failedAddresses }: ReservedIdentities,
): { contact: Contact } | { reason: MatchRefusal; holder?: Contact } {
	const holders = byAddress.get(address) ?? [];
	const [holder] = holders;
	if (holders.length > 1) return { reason: 'severalHaveAddress', holder };
	// A list that did not add up may hide a second contact with the address.
	if (!isWhole) return { reason: 'listNotWhole' };
	if (!holder) return { reason: 'nobodyHasAddress' };
	if (!isAddressable(holder)) return { reason: 'holderHasNoId', holder };
	if (ids.has(externalIdOf(holder)!)) return { reason: 'holderIsNamed', holder };
	if (failedAddresses.has(address)) return { reason: 'addressIsClaimed', holder };
	return { contact: holder };
}
