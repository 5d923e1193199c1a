import type { IDataObject } from 'n8n-workflow';

import type { Failure, ItemResult } from '../execution/results';
import type { Run } from '../execution/run';
import { groupBy } from '../values/list';
import {
	type Action,
	actions,
	doneActions,
	type SyncAction,
	syncOf,
	wouldBe,
} from './records';

export type WritingRun = Run<{ settings: { dryRun: boolean } }>;

export interface MissingDecision {
	/** What happens to missing records, unless they are left as they are. */
	doneAs: 'missing' | 'marked' | 'deleted';
	/** In place of that, the action in their records. */
	leftAs?: SyncAction;
	/** How many are missing, if the safety limit allows fewer. Unless they are kept, a real run fails. */
	overLimit?: string;
	/** What a run says about a limit that is off. */
	warning?: string;
}

/** Records that no item is about. */
export interface MissingRecords extends MissingDecision {
	records: IDataObject[];
	names: string[];
	/** Names of those that could not be marked or deleted. */
	failed: string[];
	/** As in the plan of the mirror. */
	unmanaged: number;
	markedBefore: number;
	newAttributes: string[];
}

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

export function summarize(
	{ items, limits }: WritingRun,
	results: ItemResult[],
	missing: Partial<MissingRecords> = {},
): Summary {
	const failed = results.filter((result) => 'error' in result);
	const records = results.flatMap((result) =>
		'records' in result ? result.records : [],
	);
	const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Record<
		Action,
		number
	>;
	const dropped = new Map<string, number>();

	for (const sync of [...records, ...(missing.records ?? [])].map(syncOf)) {
		if (!sync) continue;
		// A dry run counts what would be done as done.
		const done = doneActions.find((action) => wouldBe[action] === sync.action);
		counts[done ?? (sync.action as Action)]++;
		for (const name of sync.dropped ?? [])
			dropped.set(name, (dropped.get(name) ?? 0) + 1);
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
		overLimit: missing.overLimit !== undefined,
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
			.map(
				({ item: { identity, index } }) =>
					identity.id ?? identity.email ?? `item ${index}`,
			),
	}));

	return failures.sort((one, other) => other.count - one.count);
}
