/** Which contacts a mirror manages. */
import type { OwnTitle } from '../../../api/ownErrors';
import type { MissingSettings } from '../../../sync/limit';
import { clean } from '../../../values/clean';
import {
	attributeText,
	type Contact,
	externalIdOf,
	isAddressable,
} from '../plan/contactRecord';
import type { Matches } from '../plan/matching';
import type { MatchedWish } from '../plan/wantedContact';

/** The text in a custom attribute by which a mirror knows its contacts. */
interface Tag {
	attribute: string;
	/** Cleaned. */
	text: string;
}

/** Which contacts a mirror manages. Without tag and prefix, it manages every contact with an External ID. */
export interface Ownership {
	tag?: Tag;
	/** The start of their External IDs, which are cleaned for this. */
	idPrefix?: string;
}

/** The same for all items of a run. */
export interface MirrorSettings extends MissingSettings, Ownership {
	/** The date attribute for missing contacts, if they are marked. */
	missingSince?: string;
}

/** A contact whose ID can't be part of a path can't be written or deleted, so it is never managed. */
export function isManaged(contact: Contact, { tag, idPrefix = '' }: Ownership): boolean {
	if (!isAddressable(contact)) return false;
	if (tag) return tagIn(contact, tag) === tag.text;
	return clean(externalIdOf(contact)!).startsWith(idPrefix);
}

/** Whether another mirror's tag is on the contact; such contacts are skipped. */
export function isOfAnotherMirror(contact: Contact, { tag }: Ownership): boolean {
	const text = tag && tagIn(contact, tag);
	return Boolean(text) && text !== tag?.text;
}

/** The tag of a contact, cleaned; empty if it has none. */
function tagIn(contact: Contact, { attribute }: Tag): string {
	return clean(attributeText(contact, attribute) ?? '');
}

/** Why a mirror writes nothing. */
interface ForeignInput {
	readonly title: OwnTitle;
	readonly nextStep: string;
}

/**
 * The error for an input whose contacts all have the tag of another mirror, such as after the tag was renamed. A few new
 * contacts don't change that.
 */
export function foreignInput(
	ownership: Ownership,
	{ existing, fresh }: Matches,
): ForeignInput | undefined {
	const isForeign = ({ contact }: MatchedWish) =>
		isOfAnotherMirror(contact.record, ownership);
	const areMost = existing.length > 0 && existing.length >= fresh.length;
	if (!areMost || !existing.every(isForeign)) return undefined;

	return {
		title: 'Another mirror manages all contacts of the input',
		nextStep: `None of them has the tag "${ownership.tag?.text}". If you have renamed the tag, change it back.`,
	};
}
