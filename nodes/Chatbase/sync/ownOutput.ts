/** What operations of this node return can be the input of the next one. Their records have `_sync`. */
import type { RunContext } from '../execution/context';
import type { InputItem } from '../execution/item';
import { syncOf } from './records';

/**
 * Rejects items that an operation has returned. They are no complete list: the output of a mirror has the records that it
 * has deleted, which the next one would create again, and an output of changes alone lacks all others.
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

/** Rejects the record of a mirror for what it has deleted: to write it would create it again. */
export function assertNotDeleted(item: InputItem, record: string): void {
	if (syncOf(item.json)?.action !== 'deleted') return;

	throw item.error(
		`A mirror has deleted this ${record}`,
		'_sync.action is "deleted". Remove such items with a Filter node.',
	);
}
