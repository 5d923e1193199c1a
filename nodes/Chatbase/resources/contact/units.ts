import type { IDataObject } from 'n8n-workflow';

import type { SameContact } from '../../contacts/duplicates';
import { groupByContact } from '../../contacts/duplicates';
import { refusal } from '../../transport/failure';
import type { PreparedItem } from './prepare';

/** Items that are written as one contact. */
export type ContactUnit<Task> = SameContact<PreparedItem<Task>>;

/**
 * Puts items about the same contact together. Where they want different values, all of them fail, since
 * the result would depend on which comes last.
 *
 * @param keyOf what the contact is known by
 * @returns the units that can be written
 */
export function unitsOf<Task>(
	items: Array<PreparedItem<Task>>,
	keyOf: (item: PreparedItem<Task>) => string,
): Array<ContactUnit<Task>> {
	const units = groupByContact(items, keyOf, ({ wanted }) => wanted);
	units.filter(({ conflicts }) => conflicts).forEach(refuseConflict);
	return units.filter(({ conflicts }) => !conflicts);
}

/** Answers every item of a unit with the same record. */
export function succeedUnit<Task>({ items }: ContactUnit<Task>, record: IDataObject) {
	items.forEach(({ item }) => item.succeed([record]));
}

/** Fails every item of a unit. */
export function failUnit<Task>({ items }: ContactUnit<Task>, error: unknown) {
	items.forEach(({ item }) => item.fail(error));
}

function refuseConflict<Task>({ items }: ContactUnit<Task>) {
	const numbers = items.map(({ item }) => item.index);
	for (const { item } of items) {
		item.fail(
			refusal(
				item.service.node,
				item.index,
				'Several items want different values for one contact',
				`Items ${numbers.slice(0, -1).join(', ')} and ${numbers[numbers.length - 1]} are about the same contact. Keep one of them, for example with the node Remove Duplicates.`,
			),
		);
	}
}
