import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../execution/item';

/**
 * Tells an agent that a list does not end where its records do: it cannot see the Limit that its tool is set to. A
 * workflow is told nothing, since every record becomes an item.
 *
 * @param item the item
 * @param count how many records are returned
 * @param limit how many were wanted; Infinity for all
 * @param total how many there are; undefined where nobody knows
 * @returns what follows the records
 */
export function truncationNotice(
	item: InputItem,
	count: number,
	limit: number,
	total?: number,
): IDataObject[] {
	if (!item.isTool || count < limit) return [];
	if (total === undefined)
		return [{ message: `More may follow: the list ends at Limit, ${limit}.` }];
	const more = total - count;
	return more > 0 ? [{ message: `${more} more left out, because Limit is ${limit}.` }] : [];
}
