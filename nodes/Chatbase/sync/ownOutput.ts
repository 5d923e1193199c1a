/** Finds items that an operation of this node has returned. Such records have `_sync`. */
import type { RunContext } from '../execution/context';
import type { InputItem } from '../execution/item';
import { syncOf } from './records';

/**
 * Rejects items that an operation has returned. They are no complete list. The output of a mirror has the records that it has
 * deleted, and the next mirror would create them again. An output with changes only lacks all other records.
 */
export function assertNoResults(context: RunContext, records: string): void {
	const index = context.items.findIndex(({ json }) => json && syncOf(json));
	if (index < 0) return;

	throw context.error(
		'The input of Mirror is a result, not a list',
		`Item ${index} has _sync, so it comes from another operation of this node. Such a result can lack ${records} or have deleted ones. Connect Mirror to the list itself.`,
		index,
	);
}

/** Rejects a record that a mirror has deleted, since writing it would create it again. */
export function assertNotDeleted(item: InputItem, record: string): void {
	if (syncOf(item.json)?.action !== 'deleted') return;

	throw item.error(
		`A mirror has deleted this ${record}`,
		'_sync.action is "deleted". Remove such items with a Filter node.',
	);
}
