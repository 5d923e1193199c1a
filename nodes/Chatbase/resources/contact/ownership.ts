import type { InputItem } from '../../execution/item';
import { filledText, readChoice, readRequired } from '../../fields/values';
import type { MissingSettings } from '../../sync/limit';
import { readMissingSettings } from '../../sync/limit';
import type { Contact } from './contact';
import { attributeText, externalIdOf, isAddressable } from './contact';
import { contactNouns, emptyValuesOption } from './fields';

export type Ownership =
	/** Contacts with its tag, a text in a custom attribute. */
	| { kind: 'tag'; attribute: string; tag: string }
	| { kind: 'idPrefix'; prefix: string }
	/** Every contact with an External ID. */
	| { kind: 'all' };

/** The same for all items of a run. */
export interface MirrorSettings extends MissingSettings {
	ownership: Ownership;
	/** The date attribute for missing contacts, if they are marked. */
	missingSince?: string;
	emptyValues: 'ignore' | 'clear';
}

/** A contact whose ID can't be part of a path can't be written or deleted, so it is never managed. */
export function isManaged(contact: Contact, ownership: Ownership): boolean {
	if (!isAddressable(contact)) return false;
	switch (ownership.kind) {
		case 'tag':
			return attributeText(contact, ownership.attribute) === ownership.tag;
		case 'idPrefix':
			return externalIdOf(contact)!.startsWith(ownership.prefix);
		case 'all':
			return true;
	}
}

/** Whether another mirror's tag is on the contact; such contacts are skipped. */
export function isOfAnotherMirror(contact: Contact, ownership: Ownership): boolean {
	if (ownership.kind !== 'tag') return false;
	const tag = attributeText(contact, ownership.attribute);
	return tag !== undefined && tag !== ownership.tag;
}

export function readMirrorSettings(item: InputItem): MirrorSettings {
	const settings = readMissingSettings(item, contactNouns, ['report', 'mark', 'delete']);
	return {
		...settings,
		ownership: readOwnership(item),
		...(settings.onMissing === 'mark' && {
			missingSince: requiredText(item, 'missingSinceAttribute', 'Missing Since Attribute'),
		}),
		emptyValues: emptyValuesOption.read(item),
	};
}

function readOwnership(item: InputItem): Ownership {
	const kind = readChoice(item, 'manage', 'Contacts to Manage', ['tag', 'idPrefix', 'all']);
	if (kind === 'all') return { kind };
	if (kind === 'idPrefix') return { kind, prefix: requiredText(item, 'idPrefix', 'ID Prefix') };
	const attribute = requiredText(item, 'tagAttribute', 'Tag Attribute');
	return { kind, attribute, tag: requiredText(item, 'tagValue', 'Tag') };
}

function requiredText(item: InputItem, name: string, label: string): string {
	return readRequired(item, name, filledText, label);
}
