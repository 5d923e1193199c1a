/** What the items of the input want of contacts. Nothing of it changes after it was read. */
import { agreementOf } from '../../../sync/agreement';
import type { NonEmpty } from '../../../values/list';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { isSameValue, kindOfValue } from './sameValue';
import type { ContactValues } from './values';

export type MatchBy = 'externalId' | 'externalIdThenEmail';

/** The settings of an operation that writes contacts. */
export interface WriteSettings {
	readonly chatbotId: string;
	readonly matchBy: MatchBy;
	/** Whether attributes that the item does not mention are kept or cleared. */
	readonly mode: 'merge' | 'replace';
	/** Names of fields and attributes that are written only if the contact has no value. */
	readonly onlyIfEmpty: readonly string[];
	readonly onDroppedFields: 'warn' | 'error' | 'ignore';
	/** Whether an empty cell changes nothing, or clears the value. */
	readonly emptyValues: 'ignore' | 'clear';
	readonly dryRun: boolean;
}

/** The values by which an item names its contact. */
export interface ContactKey {
	readonly id?: string;
	/** The email in the form for comparisons. */
	readonly email?: string;
}

/** What a contact should have. */
export interface WantedContact {
	/** The values to write; null clears a value. All other values stay unchanged. */
	readonly values: ContactValues;
	/** Names of fields and attributes that are mapped but empty. They keep their values. */
	readonly untouched: ReadonlySet<string>;
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

/** Items about one contact that want different values. */
export interface Contradiction {
	readonly items: readonly number[];
	/** Names of what they want differently. */
	readonly names: readonly string[];
	/** Their External IDs. Items with different ones can match one contact by email. */
	readonly ids: readonly string[];
}

interface Wishes {
	readonly wishes: readonly Wish[];
	readonly contradictions: readonly Contradiction[];
}

/** Makes one wish of all items that name one contact. Items contradict each other if the result would depend on their order. */
export function wishesOf(inputs: readonly ContactInput[]): Wishes {
	const wishes = inputs.map(({ index, ...wanted }) => ({ ...wanted, items: [index] }));
	return agreeOn(wishes, ({ key }) =>
		key.id === undefined ? `email ${key.email}` : `id ${key.id}`,
	);
}

/** Makes one wish of the wishes with one key, such as those that have matched one contact. */
export function agreeOn(wishes: readonly Wish[], keyOf: (wish: Wish) => string): Wishes {
	const { agreeing, contradicting } = agreementOf(wishes, { keyOf, differencesBetween });
	return {
		wishes: agreeing.map((group) => ({ ...group[0], items: itemsOfWishes(group) })),
		contradictions: contradicting.map(({ entries, names }) => ({
			items: itemsOfWishes(entries),
			names,
			ids: [...new Set(entries.flatMap(({ key }) => key.id ?? []))],
		})),
	};
}

function itemsOfWishes(group: NonEmpty<Wish>): readonly number[] {
	const [{ items }, ...others] = group;
	if (others.length === 0) return items;
	return group.flatMap((wish) => wish.items).sort((one, other) => one - other);
}

/** Names of what two inputs want differently. Setting a value and not setting it are different. */
function differencesBetween(one: Wish, other: Wish): string[] {
	const [left, right] = [mentionedIn(one), mentionedIn(other)];
	const names = [...new Set([...left.keys(), ...right.keys()])];
	const differing = names.filter((name) => {
		if (!left.has(name) || !right.has(name)) return true;
		const [first, second] = [left.get(name), right.get(name)];
		const kind = kindOfValue(name, one.attributes);
		// The comparison does not depend on the order of the items.
		return !isSameValue(first, second, kind) || !isSameValue(second, first, kind);
	});
	return haveSameSettings(one, other) ? differing : ['options', ...differing];
}

function mentionedIn({ values, notSent }: WantedContact): ContactValues {
	return notSent.size > 0 ? new Map([...values, ...notSent]) : values;
}

function haveSameSettings(one: Wish, other: Wish): boolean {
	// In most runs, the items share one object.
	if (one.settings === other.settings) return true;
	return JSON.stringify(one.settings) === JSON.stringify(other.settings);
}
