import type { NodeOperationError } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { agreeingGroups } from '../../sync/plan';
import { addTo, firstOf } from '../../values/list';
import { droppedError, droppedFrom } from './change';
import { type Contact, externalIdOf, isAddressable } from './contact';
import { isSameIn } from './contactValues';
import type { ContactParams } from './item';
import type { KnownContacts } from './list';
import { type ContactTask, failTask } from './task';

/** IDs and emails of all items of a run, including failed ones. No other item matches their contacts. */
interface ReservedIdentities {
	ids: ReadonlySet<string>;
	/** Of items that failed. */
	emails: ReadonlySet<string>;
}

type Item = PendingItem<ContactParams>;

/** Groups items about the same contact. Fails those that want different values. */
export function tasksOf(all: Item[], keyOf = identityOf): ContactTask[] {
	const agreement = { keyOf, conflictsBetween, noun: 'contact', adviceFor };
	const groups = agreeingGroups(all, agreement);
	return groups.map(([, items]) => {
		const { wanted, settings } = items[0].params;
		return { items, wanted, settings };
	});
}

/** Names of what two inputs want differently. Setting a value and not setting it are different. */
function conflictsBetween(
	{ wanted: one }: ContactParams,
	{ wanted: other }: ContactParams,
): string[] {
	const left = new Map([...one.values, ...(one.unknown ?? [])]);
	const right = new Map([...other.values, ...(other.unknown ?? [])]);
	return [...new Set([...left.keys(), ...right.keys()])].filter((name) => {
		const areSet = left.has(name) && right.has(name);
		const [first, second] = [left.get(name), right.get(name)];
		// In any order of the items.
		const areSame =
			isSameIn(one, name, first, second) && isSameIn(one, name, second, first);
		return !areSet || !areSame;
	});
}

function identityOf({ item: { identity } }: Item): string {
	return identity.id === undefined ? `email ${identity.email}` : `id ${identity.id}`;
}

function adviceFor(items: Item[]): string | undefined {
	const [one, other] = new Set(items.flatMap(({ item }) => item.identity.id ?? []));
	if (other === undefined) return undefined;
	return `They match one contact by Email, though their External IDs differ (${one}, ${other}). Give each its own Email.`;
}

interface Reservation {
	tasks: ContactTask[];
	reserved: ReservedIdentities;
}

/**
 * Fails candidates that contradict each other, and those whose attributes could not be checked. The others are tasks. The
 * identities of all are reserved, also of refused items, whose chatbot may be unknown.
 */
export function reserveIdentities(
	run: Run<ContactParams>,
	items: Item[],
	candidates = items,
): Reservation {
	// By ID first: of two equal items, one could match the contact by its email and take it from the other.
	const all = tasksOf(candidates);
	const tasks: ContactTask[] = [];
	for (const task of all) {
		const { failure } = task.items[0].params;
		if (failure === undefined) tasks.push(task);
		// Equal items fail alike.
		else failTask(task, () => failure);
	}

	const writable = new Set(tasks.flatMap((task) => task.items));
	const reserved = { ids: new Set<string>(), emails: new Set<string>() };
	const reserve = ({ identity: { id, email } }: InputItem, hasFailed: boolean) => {
		if (id !== undefined) reserved.ids.add(id);
		if (hasFailed && email !== undefined) reserved.emails.add(email);
	};

	run.refused.forEach((item) => reserve(item, true));
	items.forEach((pending) => reserve(pending.item, !writable.has(pending)));
	return { tasks, reserved };
}

/** Why the contact of an item is unclear: title and next step of the error. */
const texts = {
	emailNotFound: [
		'No contact has this Email, and External ID is empty',
		'A new contact needs the ID that it has in your own system. Map it to External ID, or name its column external_id for automatic mapping.',
	],
	listIncomplete: [
		'The contact list could not be read completely',
		'It changed while the node searched for this Email. Run the node again at a quieter time.',
	],
	idLooksTheSame: [
		'A contact has an External ID that looks the same',
		'It differs only by invisible characters or by spaces around it. Correct the ID in the input, or in the dashboard.',
	],
	emailIsShared: [
		'Several contacts have this Email',
		"The node can't tell which one you mean. Change the Email of all but one, or match by External ID.",
	],
	idIsShared: [
		'Several contacts have this External ID',
		'The service could update any of them. Delete all but one in the dashboard.',
	],
	holderHasNoId: [
		'The contact with this Email has no External ID',
		'The service needs a valid External ID to change a contact. Add one in the dashboard.',
	],
	emailIsReserved: [
		'Another item with this Email failed',
		'Both items could mean the contact with this Email. Correct the other item first.',
	],
	holderIsReserved: [
		'Another item names the contact with this Email',
		'It names the contact by its External ID. Use this ID in both items, or remove one of them.',
	],
} as const;

interface Unclear {
	reason: keyof typeof texts;
	/** The contacts that the item could mean. */
	candidates: Contact[];
}

/** Without a contact, a new one is created. */
type Match = { contact?: Contact } | Unclear;

/**
 * Finds the contact of an item: by its External ID, which no other ID may look like; by its email if it has no ID, or if the user chose that and no
 * contact has the ID. An email of several contacts, or of a contact that another item names, is never matched.
 */
function matchOf(
	pending: Item,
	known: KnownContacts,
	reserved: ReservedIdentities,
): Match {
	const { id } = pending.item.identity;
	const named = id === undefined ? [] : known.withId(id);
	if (named.length > 1) return { reason: 'idIsShared', candidates: named };
	if (named.length === 1) return { contact: named[0] };

	const lookalikes = id === undefined ? [] : known.withVisibleId(id);
	if (lookalikes.length > 0) {
		return { reason: 'idLooksTheSame', candidates: lookalikes };
	}
	return isMatchedByEmail(pending) ? matchByEmail(pending.item, known, reserved) : {};
}

/** Whether its email counts if no contact has its ID. */
export function isMatchedByEmail({ item: { identity }, params }: Item): boolean {
	if (identity.email === undefined) return false;
	return identity.id === undefined || params.settings.matchBy === 'externalIdThenEmail';
}

function matchByEmail(
	{ identity: { id, email = '' } }: InputItem,
	known: KnownContacts,
	reserved: ReservedIdentities,
): Match {
	const candidates = known.withEmail(email);
	const [holder] = candidates;
	if (candidates.length > 1) return { reason: 'emailIsShared', candidates };
	// The missing part of a list may have a second contact with the email.
	if (!known.isWhole) return { reason: 'listIncomplete', candidates };

	if (!holder || !isAddressable(holder)) {
		// It is a new contact.
		if (id !== undefined) return {};
		return { reason: holder ? 'holderHasNoId' : 'emailNotFound', candidates };
	}

	// The service could change the other one, since a path names both.
	const holderId = externalIdOf(holder)!;
	const namesakes = known.withId(holderId);
	if (namesakes.length > 1) return { reason: 'idIsShared', candidates: namesakes };
	if (reserved.ids.has(holderId)) return { reason: 'holderIsReserved', candidates };
	if (reserved.emails.has(email)) return { reason: 'emailIsReserved', candidates };
	return { contact: holder };
}

const maxShown = 5;

export function matchError(
	item: InputItem,
	{ reason, candidates }: Unclear,
): NodeOperationError {
	const [title, nextStep] = texts[reason];
	const nameOf = (contact: Contact) => {
		const internal = reason === 'idIsShared' ? ` (internal ID ${contact.id})` : '';
		return `${externalIdOf(contact) ?? 'none'}${internal}`;
	};
	const names = firstOf(candidates, nameOf, maxShown);
	return item.error(title, `${nextStep}${names && ` External ID: ${names}.`}`);
}

interface Decision {
	tasks: ContactTask[];
	/** The contacts that a failed item could mean. */
	ambiguous: Contact[];
}

/** Finds the contact of each task. Fails those whose contact is unclear. */
export function decide(
	wanted: ContactTask[],
	known: KnownContacts,
	reserved: ReservedIdentities,
): Decision {
	// Many items can have the same candidates.
	const ambiguous = new Set<Contact[]>();
	const tasks: ContactTask[] = [];
	const byContact = new Map<string, ContactTask[]>();

	for (const task of wanted) {
		const [pending] = task.items;
		const { id } = pending.item.identity;
		if (id !== undefined && known.failed.has(id)) {
			failTask(task, () => known.failed.get(id));
			continue;
		}

		const match = matchOf(pending, known, reserved);
		if ('reason' in match) {
			ambiguous.add(match.candidates);
			failTask(task, (item) => matchError(item, match));
			continue;
		}

		const { contact } = match;
		const mayDrop = task.settings.onDroppedFields !== 'error';
		const dropped = mayDrop ? [] : droppedFrom(contact ?? {}, task.wanted);
		if (dropped.length > 0) {
			failTask(task, (item) => droppedError(item, dropped, false));
			continue;
		}

		if (!contact) tasks.push(task);
		else addTo(byContact, externalIdOf(contact)!, { ...task, existing: contact });
	}

	const updates = [...byContact.values()].flatMap(oneTaskOf);
	return { tasks: [...tasks, ...updates], ambiguous: [...ambiguous].flat() };
}

/** Two items can match one contact by email. They are one task, unless they want different values. */
function oneTaskOf(group: ContactTask[]): ContactTask[] {
	if (group.length === 1) return group;

	const [{ existing }] = group;
	const items = group.flatMap((task) => task.items);
	return tasksOf(items, () => '').map((task) => ({ ...task, existing }));
}
