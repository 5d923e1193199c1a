/** What the items of the input want of contacts, and how that meets the contacts that there are. Types only. */
import type { Attributes } from '../../customAttribute/attributeTypes';
import type { Contact, StoredContact } from './contactRecord';
import type { ContactValues } from './values';

export type MatchBy = 'externalId' | 'externalIdThenEmail';

/** The settings of an operation that writes contacts. */
export interface WriteSettings {
	readonly chatbotId: string;
	readonly matchBy: MatchBy;
	/** Names of fields and attributes that are written only if the contact has no value. */
	readonly onlyIfEmpty: readonly string[];
	readonly onDroppedFields: 'warn' | 'error' | 'ignore';
	/** Whether an empty cell changes nothing, or clears the value. */
	readonly emptyValues: 'ignore' | 'clear';
	readonly dryRun: boolean;
}

/** The values by which an item names its contact. */
export interface ContactKey {
	/** The External ID as the item spells it. Two IDs are equal if they are when cleaned. */
	readonly id?: string;
	/** The email in the form for comparisons. */
	readonly email?: string;
}

/** What a contact should have. */
export interface WantedContact {
	/** The values to write; null clears a value. All other values stay unchanged. */
	readonly values: ContactValues;
	/** Attributes that the chatbot lacks or has archived. They are not sent, and count as dropped. */
	readonly notSent: ContactValues;
	/** The attributes of the chatbot, if the item mentions any and the service can list them. */
	readonly attributes?: Attributes;
}

/** What one item of the input wants. */
export interface ContactInput extends WantedContact {
	/** Number of the item. */
	readonly index: number;
	readonly key: ContactKey;
	readonly settings: WriteSettings;
}

/** One contact that one or more items want. */
export interface Wish extends WantedContact {
	/** Numbers of the items, in order. */
	readonly items: readonly number[];
	readonly key: ContactKey;
	readonly settings: WriteSettings;
}

/** A wish whose contact exists. */
export interface MatchedWish {
	readonly wish: Wish;
	readonly contact: StoredContact;
}

export type UnclearReason =
	| 'emailIsReserved'
	| 'emailIsShared'
	| 'emailNotFound'
	| 'holderHasNoId'
	| 'holderIsReserved'
	| 'idIsShared';

/** Items about one contact that want different values. */
export interface Contradiction {
	readonly kind: 'contradiction';
	/** Names of what they want differently. */
	readonly names: readonly string[];
	/** Their External IDs, cleaned. Items with different ones can match one contact by email. */
	readonly ids: readonly string[];
}

/** It is unclear which contact is meant. */
export interface Unclear {
	readonly kind: 'unclear';
	readonly reason: UnclearReason;
	/** The contacts that it could be. */
	readonly candidates: readonly Contact[];
}

/** Why the wish of an item can't be fulfilled. */
export type MatchProblem =
	| Contradiction
	| Unclear
	/** The service would drop fields, and the user has chosen to fail then. */
	| { readonly kind: 'dropped'; readonly fields: readonly string[] }
	/** The item sets an attribute that its mirror sets. */
	| { readonly kind: 'setByMirror'; readonly attribute: string }
	/** Something else went wrong, perhaps for several contacts. */
	| { readonly kind: 'error'; readonly error: unknown };

/** Items whose wish can't be fulfilled. */
export interface RefusedItems {
	readonly items: readonly number[];
	readonly problem: MatchProblem;
	/** The contacts that they could mean. They are not missing from the input. */
	readonly candidates: readonly Contact[];
}
