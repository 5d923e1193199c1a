import type { WantedContact } from './change';
import { wantsTheSame } from './change';

/** Items of one run that are about the same contact. */
export interface SameContact<Item> {
	items: Item[];
	wanted: WantedContact;
	/** Whether they ask for different values, so that the result would depend on their order. */
	conflicts: boolean;
}

/**
 * Groups items that are about the same contact.
 *
 * @param items the items in their order
 * @param keyOf what the contact is known by
 * @param wantedOf what the contact should hold
 */
export function groupByContact<Item>(
	items: Item[],
	keyOf: (item: Item) => string,
	wantedOf: (item: Item) => WantedContact,
): Array<SameContact<Item>> {
	const groups = new Map<string, SameContact<Item>>();
	for (const item of items) {
		const group = groups.get(keyOf(item));
		if (!group)
			groups.set(keyOf(item), { items: [item], wanted: wantedOf(item), conflicts: false });
		else {
			group.items.push(item);
			group.conflicts ||= !wantsTheSame(group.wanted, wantedOf(item));
		}
	}
	return [...groups.values()];
}
