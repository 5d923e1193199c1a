import { agreementOf } from '../../../sync/agreement';
import { clean } from '../../../values/clean';
import type { NonEmpty } from '../../../values/list';
import { type ContactValues, isSameValue, kindOfValue, withOthers } from './values';
import type {
	ContactInput,
	Contradiction,
	RefusedItems,
	WantedContact,
	Wish,
} from './wantedContact';

export interface Wishes {
	readonly wishes: readonly Wish[];
	/** Items that contradict each other. */
	readonly refused: readonly RefusedItems[];
}

/**
 * Makes one wish of all items that name one contact, by its cleaned ID. Items contradict each other if the result would depend
 * on their order.
 */
export function wishesOf(inputs: readonly ContactInput[]): Wishes {
	const wishes = inputs.map(({ index, ...wanted }) => ({ ...wanted, items: [index] }));
	return agreeOn(wishes, ({ key }) =>
		key.id === undefined ? `email ${key.email}` : `id ${clean(key.id)}`,
	);
}

/** Makes one wish of the wishes with one key, such as those that have matched one contact. */
export function agreeOn(wishes: readonly Wish[], keyOf: (wish: Wish) => string): Wishes {
	const { agreeing, contradicting } = agreementOf(wishes, { keyOf, differencesBetween });
	return {
		wishes: agreeing.map(joined),
		refused: contradicting.map(({ entries, names }) => {
			const ids = new Set(entries.flatMap(({ key }) => key.id ?? []).map(clean));
			const problem: Contradiction = { kind: 'contradiction', names, ids: [...ids] };
			return { items: itemsOfWishes(entries), problem, candidates: [] };
		}),
	};
}

/** If the items spell their ID differently, the cleaned one is its spelling. */
function joined(group: NonEmpty<Wish>): Wish {
	const [first, ...others] = group;
	if (others.length === 0) return first;

	const { id } = first.key;
	const isSpelledAlike = others.every(({ key }) => key.id === id);
	const spelled = isSpelledAlike || id === undefined ? id : clean(id);
	return { ...first, key: { ...first.key, id: spelled }, items: itemsOfWishes(group) };
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
	return withOthers(values, notSent);
}

function haveSameSettings(one: Wish, other: Wish): boolean {
	// In most runs, the items share one object.
	if (one.settings === other.settings) return true;
	return JSON.stringify(one.settings) === JSON.stringify(other.settings);
}
