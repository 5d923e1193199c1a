import type { RunContext } from '../../execution/context';
import { countFormat } from '../../values/number';
import { attributeText, type Contact, externalIdOf, isAddressable } from './contact';
import type { Ownership } from './ownershipFields';

/** A contact whose ID can't be part of a path can't be written or deleted, so it is never managed. */
export function isManaged(contact: Contact, { tag, idPrefix = '' }: Ownership): boolean {
	if (!isAddressable(contact)) return false;
	return tag
		? attributeText(contact, tag.attribute) === tag.text
		: externalIdOf(contact)!.startsWith(idPrefix);
}

/** Whether another mirror's tag is on the contact; such contacts are skipped. */
export function isOfAnotherMirror(contact: Contact, { tag }: Ownership): boolean {
	const text = tag && attributeText(contact, tag.attribute);
	return text !== undefined && text !== tag?.text;
}

/** Most tags of other mirrors in one attribute. With more different texts, it holds data. */
const maxOtherTags = 10;

/** Throws if the tag attribute has data instead of tags. */
export function assertHoldsTags(
	context: RunContext,
	{ tag }: Ownership,
	contacts: Contact[],
): void {
	if (!tag) return;

	const { attribute, text } = tag;
	const values = new Set(
		contacts.flatMap((contact) => attributeText(contact, attribute) ?? []),
	);
	values.delete(text);
	if (values.size <= maxOtherTags) return;

	const [example] = values;
	throw context.error(
		'Tag Attribute holds other data',
		`"${attribute}" holds ${countFormat.format(values.size)} other values, such as "${example}". Choose a text attribute that holds nothing else. Nothing was written.`,
	);
}

/** Throws if all items would be skipped, such as after the tag was renamed. */
export function assertSomeAreOurs(
	context: RunContext,
	ownership: Ownership,
	contacts: Array<Contact | undefined>,
): void {
	const areSkipped = contacts.every(
		(contact) => contact && isOfAnotherMirror(contact, ownership),
	);
	if (contacts.length === 0 || !areSkipped) return;

	throw context.error(
		'Another mirror manages all contacts of the input',
		`None of them has the tag "${ownership.tag?.text}". Nothing was written. If you have renamed the tag, change it back.`,
	);
}
