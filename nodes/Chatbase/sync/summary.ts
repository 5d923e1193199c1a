import type { IDataObject } from 'n8n-workflow';

import type { Failure, ItemResult } from '../execution/results';
import type { Run } from '../execution/run';
import { groupBy } from '../values/groupBy';

/** What the records of a run are called. */
export interface Nouns {
	one: string;
	many: string;
	/** In Title Case, for labels. */
	title: string;
	/** The label of their IDs, in the plural. */
	ids: string;
}

/** What the node can do with a record, in the order of a summary. */
export const actions = [
	'created',
	'updated',
	'unchanged',
	/** Another mirror manages the record, so it was not changed. */
	'skipped',
	/** The record is not in the input, and was only reported. */
	'missing',
	'marked',
	'deleted',
	/** The record is not in the input, and was not marked or deleted. */
	'kept',
] as const;

type Action = (typeof actions)[number];

export type SyncAction = Action | 'wouldCreate' | 'wouldUpdate' | 'wouldMark' | 'wouldDelete';

/** A dry run counts what would be done as done. */
const wouldBe: Partial<Record<SyncAction, Action>> = {
	wouldCreate: 'created',
	wouldUpdate: 'updated',
	wouldMark: 'marked',
	wouldDelete: 'deleted',
};

/** Its lists have names of fields, and are left out if empty. */
export interface Sync extends IDataObject {
	action: SyncAction;
	/** What differed. */
	changed?: string[];
	/** What the service dropped. */
	dropped?: string[];
	/** What differed and was not written. */
	kept?: string[];
}

/** What the node did with the records of its output. A record of the service may have a field `_sync`, too. */
const syncs = new WeakMap<IDataObject, Sync>();

/** The output for a record: as the service returned it, with what the node did. */
export function recordOf(record: IDataObject, sync: Sync | SyncAction): IDataObject {
	const { action, ...lists }: Sync = typeof sync === 'string' ? { action: sync } : sync;
	const named = Object.entries(lists).filter(([, names]) => (names as string[]).length > 0);
	const _sync: Sync = { action, ...Object.fromEntries(named) };
	const output = Object.assign({ _sync }, record, { _sync });
	syncs.set(output, _sync);
	return output;
}

export function syncOf(record: IDataObject): Sync | undefined {
	return syncs.get(record);
}

/** A run that may be a dry run. */
export type WritingRun = Run<{ settings: { dryRun: boolean } }>;

/** The result of a run in numbers: how many records each action was done to, and more. */
export interface Summary extends Record<Action, number> {
	/** Number of input items, including equal ones. */
	items: number;
	failed: number;
	/** How often each field was dropped. */
	dropped: Record<string, number>;
	/** Why items failed, the most frequent reason first, with names of the first of these items, or their numbers. */
	failures: Array<{ reason: string; count: number; ids: string[] }>;
	requests: number;
	waitedSeconds: number;
	dryRun: boolean;
	overLimit: boolean;
}

/** Counts the results of a run, and the missing records. */
export function summarize(
	{ items, limits }: WritingRun,
	results: ItemResult[],
	missing?: MissingRecords,
): Summary {
	const failed = results.filter((result) => 'error' in result);
	const records = results.flatMap((result) => ('records' in result ? result.records : []));
	const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Record<Action, number>;
	const dropped = new Map<string, number>();
	for (const sync of [...records, ...(missing?.records ?? [])].map(syncOf)) {
		if (!sync) continue;
		counts[wouldBe[sync.action] ?? (sync.action as Action)]++;
		for (const name of sync.dropped ?? []) dropped.set(name, (dropped.get(name) ?? 0) + 1);
	}
	return {
		items: results.length,
		...counts,
		failed: failed.length,
		dropped: Object.fromEntries(dropped),
		failures: failuresOf(failed),
		requests: limits.reads + limits.writes,
		waitedSeconds: Math.round(limits.waited / 100) / 10,
		dryRun: items.some(({ params }) => params.settings.dryRun),
		overLimit: missing?.overLimit !== undefined,
	};
}

const maxIds = 10;

function failuresOf(failed: Failure[]): Summary['failures'] {
	const byReason = groupBy(failed, ({ error }) => error.message);
	const failures = [...byReason].map(([reason, group]) => ({
		reason,
		count: group.length,
		ids: group
			.slice(0, maxIds)
			.map(({ item: { identity, index } }) => identity.id ?? identity.email ?? `item ${index}`),
	}));
	return failures.sort((one, other) => other.count - one.count);
}

export interface MissingDecision {
	/** What happens to missing records, unless they are left as they are. */
	doneAs: 'missing' | 'marked' | 'deleted';
	/** In place of that, the action in their records. */
	leftAs?: SyncAction;
	/** If more are missing than the safety limit allows: why, and whether they are left alone instead of failing the run. */
	overLimit?: { words: string; isLeft: boolean };
	/** What a run says about a limit that is off. */
	warning?: string;
}

/** Records that no item is about. */
export interface MissingRecords extends MissingDecision {
	records: IDataObject[];
	names: string[];
	/** Names of those that could not be marked or deleted. */
	failed: string[];
	/** Number of records that are neither in the input nor managed. */
	unmanaged: number;
	/** Names of the attributes that a real run creates first. */
	newAttributes: string[];
}
