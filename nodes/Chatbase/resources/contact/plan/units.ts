import type { WantedContact } from './change';
import { wantsTheSame } from './change';

/** Items of one run that are about the same contact, and are written as one. */
export interface Unit<Item> {
	items: [Item, ...Item[]];
	/** Whether they ask for different things, so that the result would depend on their order. */
	conflicts: boolean;
}

/** What decides whether two items ask for the same. */
export interface Asking {
	wanted: WantedContact;
	/** The settings that it is written with, as text. */
	settings: string;
}

/**
 * Groups items that are about the same contact.
 *
 * @param items the items in their order
 * @param keyOf what the contact is known by
 */
export function unitsOf<Item extends Asking>(
	items: Item[],
	keyOf: (item: Item) => string,
): Array<Unit<Item>> {
	const units = new Map<string, Unit<Item>>();
	for (const item of items) {
		const key = keyOf(item);
		const unit = units.get(key);
		if (!unit) {
			units.set(key, { items: [item], conflicts: false });
			continue;
		}
		const [first] = unit.items;
		unit.items.push(item);
		unit.conflicts ||= first.settings !== item.settings || !wantsTheSame(first.wanted, item.wanted);
	}
	return [...units.values()];
}
