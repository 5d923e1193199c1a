import type { PendingItem, Run } from '../../execution/run';
import { agreeingGroups } from '../../sync/plan';
import { giveWay } from '../../values/giveWay';
import { type ContactChange, droppedError } from './change';
import { type Contact, externalIdOf } from './contact';
import { conflictsBetween, droppedFrom } from './difference';
import type { ContactParams } from './item';
import { type KnownContacts, matchError, matchOf, type ReservedIdentities } from './match';

type Item = PendingItem<ContactParams>;

/** A contact to write, and its items, which all want the same values. */
export interface ContactTask extends ContactChange {
	items: [Item, ...Item[]];
}

/** Groups items about the same contact. Fails those that want different values. */
export function tasksOf(items: Item[], keyOf = identityOf): ContactTask[] {
	const conflicts = (one: ContactParams, other: ContactParams) =>
		conflictsBetween(one.wanted, other.wanted);
	const title = 'Several items want different values for one contact';
	const groups = agreeingGroups(items, keyOf, conflicts, title, adviceFor);
	return groups.map(([, group]) => {
		const [{ params }] = group;
		return {
			items: group,
			wanted: params.wanted,
			settings: params.settings,
			readAt: performance.now(),
		};
	});
}

/** Identifies an item before its contact is known. */
function identityOf({ item: { identity } }: Item): string {
	return identity.id === undefined ? `email ${identity.email}` : `id ${identity.id}`;
}

/** Advice for items that contradict each other; undefined for the usual one. */
function adviceFor(items: Item[]): string | undefined {
	const [one, other] = new Set(items.flatMap(({ item }) => item.identity.id ?? []));
	if (other === undefined) return undefined;
	return `They match one contact by Email, though their External IDs differ (${one}, ${other}). Give each its own Email.`;
}

/**
 * Fails items for one chatbot that contradict each other, and those whose attributes could not be checked.
 *
 * @param candidates the items that have not failed
 * @returns the others, and the identities of all, with those of refused items, whose chatbot may be unknown
 */
export function reserveIdentities(run: Run<ContactParams>, items: Item[], candidates = items) {
	// By ID first: of two equal items, one could match the contact by its email and take it from the other.
	const agreeing = tasksOf(candidates).flatMap((task) => task.items);
	for (const { params, fail } of agreeing) if (params.failure) fail(params.failure);
	const writable = agreeing.filter(({ params }) => !params.failure);
	const open = new Set(writable);
	const failed = items.filter((item) => !open.has(item)).map(({ item }) => item);
	const all = [...run.refused, ...items.map(({ item }) => item)];
	const reserved: ReservedIdentities = {
		ids: new Set(all.flatMap(({ identity }) => identity.id ?? [])),
		emails: new Set([...run.refused, ...failed].flatMap(({ identity }) => identity.email ?? [])),
	};
	return { writable, reserved };
}

/**
 * Finds the contact of each item. Ambiguous items, and items that contradict each other, fail.
 *
 * @returns `ambiguous` has the contacts that a failed item could mean
 */
export async function decide(items: Item[], known: KnownContacts, reserved: ReservedIdentities) {
	// Many items can have the same candidates.
	const ambiguous = new Set<Contact[]>();
	const found = new Map<Item, Contact | undefined>();
	for (const pending of items) {
		await giveWay();
		const { item, params, fail } = pending;
		const match = matchOf(item.identity, params.settings.matchBy, known, reserved);
		if ('reason' in match) {
			ambiguous.add(match.candidates);
			fail(matchError(item, match));
			continue;
		}
		const { contact } = match;
		const { id } = item.identity;
		if (contact && id !== undefined && known.withId(id)[0] === contact) {
			// The service may know the ID in another spelling.
			params.wanted.values.set('external_id', externalIdOf(contact));
		}
		const dropped = droppedFrom({}, params.wanted, contact ?? {});
		if (params.settings.onDroppedFields === 'error' && dropped.length > 0) {
			fail(droppedError(item, dropped, false));
		} else {
			found.set(pending, contact);
		}
	}
	await giveWay();
	// Two items can match one contact by email.
	const tasks = tasksOf([...found.keys()], (pending) => {
		const contact = found.get(pending);
		return contact ? `contact ${externalIdOf(contact)}` : `new ${pending.item.identity.id}`;
	});
	const { readAt } = known;
	return {
		tasks: tasks.map((task) => ({ ...task, existing: found.get(task.items[0]), readAt })),
		ambiguous: [...ambiguous].flat(),
	};
}
