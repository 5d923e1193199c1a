/** Which contacts a mirror manages. */
import type { MissingSettings } from '../../../sync/limit';
import {
	attributeText,
	type Contact,
	externalIdOf,
	isAddressable,
} from '../plan/contactRecord';

/** The text in a custom attribute by which a mirror knows its contacts. */
interface Tag {
	attribute: string;
	text: string;
}

/** Which contacts a mirror manages. Without tag and prefix, it manages every contact with an External ID. */
export interface Ownership {
	tag?: Tag;
	/** The start of their External IDs. */
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
	if (tag) return attributeText(contact, tag.attribute) === tag.text;
	return externalIdOf(contact)!.startsWith(idPrefix);
}

/** Whether another mirror's tag is on the contact; such contacts are skipped. */
export function isOfAnotherMirror(contact: Contact, { tag }: Ownership): boolean {
	const text = tag && attributeText(contact, tag.attribute);
	return text !== undefined && text !== tag?.text;
}
