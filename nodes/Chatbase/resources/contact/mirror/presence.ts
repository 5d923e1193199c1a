/** Compares the input of a mirror with the list of contacts. */
import { clean, normalizeEmail } from '../../../values/clean';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { attributeText, type Contact, externalIdOf, foldId } from '../plan/contactRecord';
import type { KnownContacts } from '../plan/knownContacts';
import {
	type Matches,
	matchWishes,
	type ReservedKeys,
	reserveKeys,
} from '../plan/matching';
import type { ContactInput, ContactKey } from '../plan/wantedContact';
import { wishesOf } from '../plan/wishes';
import { isManaged, type MirrorSettings } from './ownership';
import { tagInputs } from './ownershipAttributes';

interface ListInput {
	readonly inputs: readonly ContactInput[];
	/** Keys of items that could not be read, as far as they are known. */
	readonly refused: readonly ContactKey[];
	readonly mirror: MirrorSettings;
	/** The attributes of the chatbot, if the mirror needs any. */
	readonly schema?: Attributes;
}

/** The input of a run, and the contacts that it matches. */
interface MatchedInput {
	readonly matches: Matches;
	readonly reserved: ReservedKeys;
	/** Emails by which items that fail may mean a contact. */
	readonly meantEmails: ReadonlySet<string>;
}

/** The list of a mirror, compared with its input. */
interface Presence {
	/** Contacts that the mirror may mark or delete, without those that are missing and already marked. */
	readonly managed: Contact[];
	readonly markedBefore: number;
	/** Number of contacts that are neither managed nor in the input. */
	readonly unmanaged: number;
	/** Managed contacts whose ID the input has only in another form. They do not count as missing. */
	readonly alike: readonly Contact[];
	isPresent(contact: Contact): boolean;
}

/** Adds the mirror's tag to each item, and finds the contacts of all items. */
export function matchInput(
	{ inputs, refused, mirror, schema }: ListInput,
	known: KnownContacts,
): MatchedInput {
	const tagged = tagInputs(inputs, mirror, schema);
	const agreed = wishesOf(tagged.inputs);
	const wanted = { ...agreed, refused: [...tagged.refused, ...agreed.refused] };

	const reserved = reserveKeys(refused, inputs, wanted.refused);
	const matches = matchWishes(wanted, known, reserved);
	const isByEmail = inputs[0]?.settings.matchBy === 'externalIdThenEmail';
	const meantEmails = isByEmail ? reserved.emails : new Set<string>();
	return { matches, reserved, meantEmails };
}

/** @param contacts the complete list */
export function presenceOf(
	contacts: readonly Contact[],
	mirror: MirrorSettings,
	{ matches, reserved, meantEmails }: MatchedInput,
): Presence {
	const found = new Set<Contact>();
	for (const { contact } of matches.existing) found.add(contact.record);
	for (const { candidates } of matches.refused)
		candidates.forEach((one) => found.add(one));

	// Chatbase distinguishes the case of IDs. Still, such a difference alone makes no contact missing.
	const folded = new Set([...reserved.ids].map(foldId));
	const isAlike = (contact: Contact) => folded.has(foldId(externalIdOf(contact) ?? ''));
	const isMeant = ({ email }: Contact) => meantEmails.has(normalizeEmail(email) ?? '');
	const isPresent = (contact: Contact) =>
		found.has(contact) || isAlike(contact) || isMeant(contact);

	const { missingSince } = mirror;
	const isMarked = (contact: Contact) =>
		missingSince !== undefined && attributeText(contact, missingSince) !== undefined;

	const managed = new Set(contacts.filter((contact) => isManaged(contact, mirror)));
	const ours = [...managed];
	const others = contacts.filter((contact) => !managed.has(contact));
	return {
		managed: ours.filter((contact) => isPresent(contact) || !isMarked(contact)),
		markedBefore: ours.filter((contact) => !isPresent(contact) && isMarked(contact))
			.length,
		unmanaged: others.filter((contact) => !isPresent(contact)).length,
		alike: ours.filter(
			(contact) => !reserved.ids.has(clean(externalIdOf(contact)!)) && isAlike(contact),
		),
		isPresent,
	};
}
