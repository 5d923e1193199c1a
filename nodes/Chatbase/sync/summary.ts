import type { IDataObject } from 'n8n-workflow';

import { escapeHtml } from '../api/errors';
import type { Failure, ItemResult } from '../execution/results';
import type { Run } from '../execution/run';
import { countFormat } from '../values/scalar';
import { firstOf } from '../values/firstOf';
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
const actions = [
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

export interface Sync extends IDataObject {
	action: SyncAction;
	/** Names of the fields that differed. */
	changed: string[];
	/** Names of the fields that the service dropped. */
	dropped: string[];
	/** Names of the fields that differed and were not written; absent if there are none. */
	kept?: string[];
}

/** What the node did with the records of its output. A record of the service may have a field `_sync`, too. */
const syncs = new WeakMap<IDataObject, Sync>();

/** The output for a record: as the service returned it, with what the node did. */
export function recordOf(record: IDataObject, sync: Sync | SyncAction): IDataObject {
	const _sync = typeof sync === 'string' ? { action: sync, changed: [], dropped: [] } : sync;
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
	{ records: missing, overLimit }: MissingRecords,
): Summary {
	const failed = results.filter((result) => 'error' in result);
	const records = results.flatMap((result) => ('records' in result ? result.records : []));
	const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Record<Action, number>;
	const dropped = new Map<string, number>();
	for (const sync of [...records, ...missing].map(syncOf)) {
		if (!sync) continue;
		counts[wouldBe[sync.action] ?? (sync.action as Action)]++;
		for (const name of sync.dropped) dropped.set(name, (dropped.get(name) ?? 0) + 1);
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
		overLimit: overLimit !== undefined,
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

/** Records that no item is about. */
export interface MissingRecords {
	records: IDataObject[];
	overLimit?: OverLimit;
	/** Names of those that could not be marked or deleted. */
	failed: string[];
	/** For the verdict of a dry run; absent without a mirror. */
	mirror?: {
		doneAs: 'missing' | 'marked' | 'deleted';
		/** Records that are neither in the input nor managed. */
		unmanaged: number;
		/** Names of the attributes that a real run creates first. */
		newAttributes: string[];
	};
}

export interface OverLimit {
	missing: number;
	/** Undefined if all managed records are missing, which is always too many. */
	allowed?: number;
	/** Whether the missing records are left alone, instead of failing the run. */
	isLeft: boolean;
}

const hintWords: Partial<Record<Action | 'failed', string>> = {
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

/** Shows in the editor the result of a run, the number of requests, and what to check. */
export function showHints(
	{ context: { functions, isTool } }: WritingRun,
	summary: Summary,
	{ one, many }: Nouns,
	{ overLimit, failed, mirror }: MissingRecords,
) {
	if (isTool) return;
	const show = (type: 'info' | 'warning', message: string) =>
		functions.addExecutionHints?.({ type, message: escapeHtml(message), location: 'outputPane' });
	const { dryRun, dropped, waitedSeconds, requests } = summary;
	const isInVerdict = (name: string) =>
		dryRun && mirror !== undefined && (name === 'updated' || name === mirror.doneAs);
	const counts = [...actions, 'failed' as const].filter(
		(name) => summary[name] > 0 || isInVerdict(name),
	);
	const told = counts
		.map((name, index) => {
			const would = dryRun && name !== 'failed' ? 'would be ' : '';
			const noun = index > 0 ? '' : `${summary[name] === 1 ? one : many} ${would}`;
			return `${countFormat.format(summary[name])} ${noun}${hintWords[name] ?? name}`;
		})
		.join(', ');
	if (dryRun) {
		const others = mirror?.unmanaged
			? `; ${countFormat.format(mirror.unmanaged)} ${mirror.unmanaged === 1 ? "other isn't" : "others aren't"} managed by this mirror`
			: '';
		show('warning', `Dry run: nothing was written. ${told}${others}.`);
	} else {
		const waited =
			waitedSeconds > 0 ? ` The service made the node wait for ${waitedSeconds} seconds.` : '';
		const sent = `${countFormat.format(requests)} API request${requests === 1 ? '' : 's'}.`;
		show('info', `${told}. ${sent}${waited}`);
	}
	if (dryRun && mirror && mirror.newAttributes.length > 0) {
		const names = mirror.newAttributes.join(', ');
		show('info', `A real run first creates these attributes: ${names}.`);
	}
	if (overLimit) {
		const { missing, allowed, isLeft } = overLimit;
		const stay = `Missing ${many} ${dryRun ? 'would stay' : 'stay'} unchanged`;
		const reason =
			allowed === undefined
				? `all managed ${many} are missing (${countFormat.format(missing)})`
				: `${countFormat.format(missing)} ${many} are missing, ${countFormat.format(allowed)} are allowed`;
		const outcome = isLeft ? stay : 'A real run would fail';
		show('warning', `${outcome}: ${reason}. Check that the input is complete.`);
	}
	if (failed.length > 0) {
		const names = firstOf(failed);
		show('warning', `Missing ${many} that could not be marked or deleted: ${names}.`);
	}
	const names = Object.entries(dropped).map(
		([name, count]) => `${name} (${countFormat.format(count)})`,
	);
	if (names.length > 0) show('warning', `The service dropped: ${names.join(', ')}.`);
}
