import type { IDataObject } from 'n8n-workflow';

import type { RunLimits } from '../../../api/runLimits';
import type { SyncAction } from '../plan/record';
import { syncOf } from '../plan/record';

/** What became of the contacts of a run, in numbers. A dry run counts what would be done as done. */
export interface Summary {
	/** Input items; two equal ones are two. */
	items: number;
	created: number;
	updated: number;
	unchanged: number;
	/** Items whose contact another sync manages. */
	unmanaged: number;
	/** Contacts that have left the list and were only reported. */
	left: number;
	marked: number;
	removed: number;
	/** Contacts that have left the list and stay all the same. */
	kept: number;
	failed: number;
	/** How often the service dropped each field. */
	dropped: Record<string, number>;
	requests: number;
	waitedSeconds: number;
	dryRun: boolean;
	/** Whether more contacts have left the list than the guard allows. */
	overLimit: boolean;
}

type Count = Exclude<
	keyof Summary,
	'items' | 'failed' | 'dropped' | 'requests' | 'waitedSeconds' | 'dryRun' | 'overLimit'
>;

const countOf: Record<SyncAction, Count> = {
	created: 'created',
	wouldCreate: 'created',
	updated: 'updated',
	wouldUpdate: 'updated',
	unchanged: 'unchanged',
	unmanaged: 'unmanaged',
	left: 'left',
	marked: 'marked',
	wouldMark: 'marked',
	removed: 'removed',
	wouldRemove: 'removed',
	kept: 'kept',
};

/**
 * Counts what became of the contacts of a run.
 *
 * @param records the records of items and of contacts that have left the list
 * @param failed how many items failed
 * @param items how many items came in
 * @param limits what the run has sent
 * @param dryRun whether nothing was written
 * @param overLimit whether more contacts have left the list than the guard allows
 */
export function summaryOf(
	records: IDataObject[],
	failed: number,
	items: number,
	limits: RunLimits,
	dryRun: boolean,
	overLimit = false,
): Summary {
	const summary: Summary = {
		items,
		created: 0,
		updated: 0,
		unchanged: 0,
		unmanaged: 0,
		left: 0,
		marked: 0,
		removed: 0,
		kept: 0,
		failed,
		dropped: {},
		requests: limits.reads + limits.writes,
		waitedSeconds: Math.round(limits.waited / 100) / 10,
		dryRun,
		overLimit,
	};
	const dropped = new Map<string, number>();
	for (const record of records) {
		const sync = syncOf(record);
		if (!sync) continue;
		summary[countOf[sync.action]]++;
		for (const name of sync.dropped) dropped.set(name, (dropped.get(name) ?? 0) + 1);
	}
	summary.dropped = Object.fromEntries(dropped);
	return summary;
}
