import { type IDataObject, jsonParse } from 'n8n-workflow';

import type { RunContext } from '../execution/context';
import type { InputItem } from '../execution/item';
import type { FailedItem, ItemResult } from '../execution/results';
import type { Run } from '../execution/run';
import { isBlank, isObject } from '../values/json';
import { groupBy } from '../values/list';

/** The first and the last fields of a record. n8n's table shows a record from left to right. */
interface FieldOrder {
	first: readonly string[];
	last: readonly string[];
}

/** What the records of a resource are called. */
export interface Nouns {
	one: string;
	many: string;
	/** In Title Case, for labels. */
	title: string;
	ids: string;
	/** The field by which people know a record. */
	idField: string;
	/** If absent, the order in which the service returns the fields. */
	fieldOrder?: FieldOrder;
	/** What a mirror can do with missing records, as a verb. */
	handling: string;
}

/** What the node can do with a record, in the order of a summary. */
export const actions = [
	'created',
	'updated',
	'unchanged',
	/** Another mirror manages the record, or the item is blank, so nothing was changed. */
	'skipped',
	/** The record is not in the input, and was only reported. */
	'missing',
	'marked',
	'deleted',
	/** The record is not in the input, and was not marked or deleted. */
	'kept',
	/** The record is not in the input. No response says whether it was marked or deleted. */
	'unknown',
] as const;

export type Action = (typeof actions)[number];

/** What a Dry Run calls an action. */
export const dryRunAction = {
	deleted: 'wouldDelete',
	marked: 'wouldMark',
	created: 'wouldCreate',
	updated: 'wouldUpdate',
} as const;

type DoneAction = keyof typeof dryRunAction;

export type SyncAction = Action | (typeof dryRunAction)[DoneAction];

/** What the node did with a record. The lists contain names of fields. Empty lists are left out. */
export interface Sync extends IDataObject {
	action: SyncAction;
	changed?: string[];
	/** The old values of what changed, by name. */
	before?: IDataObject;
	/** Fields that are not on the record afterwards. */
	dropped?: string[];
	/** Fields that differed and were not written. */
	kept?: string[];
	/**
	 * Why a missing record could not be marked or deleted. It is not beside the fields of the record: n8n 2.41 runs a node with
	 * Retry On Fail again if its first output item has `error` there, and the records of the first try are lost.
	 */
	error?: string;
}

/** The output for a record: as the service returned it, with what the node did in `_sync`. */
export function recordOf(record: IDataObject, sync: Sync | SyncAction): IDataObject {
	const { action, ...details }: Sync = typeof sync === 'string' ? { action: sync } : sync;
	const _sync: Sync = { action };
	for (const [name, detail] of Object.entries(details)) {
		if (Object.keys(detail as object).length > 0) _sync[name] = detail;
	}

	// `_sync` stands first, even if the service has a field of this name.
	return Object.assign({ _sync }, record, { _sync });
}

/** The same record with its fields in the given order. */
export function inOrder(
	record: IDataObject,
	{ first, last }: FieldOrder = { first: [], last: [] },
): IDataObject {
	const others = Object.keys(record).filter((name) => !last.includes(name));
	const ordered: IDataObject = {};
	for (const name of [...first, ...others, ...last]) {
		if (name in record) ordered[name] = record[name];
	}
	return ordered;
}

/** What the node did with a record of its output. */
export function syncOf({ _sync }: IDataObject): Sync | undefined {
	return isObject(_sync) ? (_sync as Sync) : undefined;
}

/** A record of the output, and what the node did with it. */
export interface DoneRecord {
	readonly record: IDataObject;
	readonly sync: Sync;
	/** In a Dry Run, what would be done counts as done. */
	readonly action: Action;
}

/** Equal items share their record, which is named and counted once. */
export function doneRecordsOf(records: readonly IDataObject[]): DoneRecord[] {
	return [...new Set(records)].flatMap((record): DoneRecord[] => {
		const sync = syncOf(record);
		return sync ? [{ record, sync, action: asDone(sync.action) }] : [];
	});
}

const doneActions = new Map<SyncAction, Action>(
	Object.entries(dryRunAction).map(([done, planned]) => [planned, done as DoneAction]),
);

function asDone(action: SyncAction): Action {
	return doneActions.get(action) ?? (action as Action);
}

/** What a mirror does with missing records. */
export interface MissingDecision {
	/** What is done with missing records, unless they are kept. */
	actionIfHandled: 'missing' | 'marked' | 'deleted';
	/** The action in their records, if they are kept or the run is a dry run. */
	actionIfKept?: SyncAction;
	/** Why a real run would fail. Only a dry run has it. */
	wouldFail?: string;
	/** Whether the safety limit is the reason. */
	isOverLimit?: boolean;
	/** What a run says about a limit that is off. */
	warning?: string;
}

/** Records that no item is about. */
export interface MissingRecords extends MissingDecision {
	records: IDataObject[];
	/** Names of those that could not be marked or deleted. */
	failed: string[];
	/** Number of unmanaged records, as in the plan of the mirror. */
	unmanaged: number;
	markedBefore: number;
	newAttributes: string[];
}

export type WritingRun = Run<{ settings: { dryRun: boolean } }>;

/** The result of a run in numbers: how many records had each action, and more. */
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

/** What was done with all records of a run. */
interface Tally {
	readonly counts: Record<Action, number>;
	/** How often each field was dropped. */
	readonly dropped: Record<string, number>;
}

export function tallyOf(records: readonly DoneRecord[]): Tally {
	const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Record<
		Action,
		number
	>;
	const dropped = new Map<string, number>();

	for (const { action, sync } of records) {
		counts[action]++;
		for (const name of sync.dropped ?? [])
			dropped.set(name, (dropped.get(name) ?? 0) + 1);
	}
	return { counts, dropped: Object.fromEntries(dropped) };
}

/** What a summary counts. */
interface Counted {
	readonly results: ItemResult[];
	readonly tally: Tally;
	readonly isOverLimit: boolean;
}

export function summarize(
	{ items, limits }: WritingRun,
	{ results, tally, isOverLimit }: Counted,
): Summary {
	const { counts, dropped } = tally;
	const failed = failuresIn(results);
	return {
		items: results.length,
		...counts,
		failed: failed.length,
		dropped,
		failures: reasonsOf(failed),
		requests: limits.reads + limits.writes,
		waitedSeconds: Math.round(limits.waited / 100) / 10,
		dryRun: items.some(({ params }) => params.settings.dryRun),
		overLimit: isOverLimit,
	};
}

export function failuresIn(results: ItemResult[]): FailedItem[] {
	return results.filter((result) => 'failure' in result);
}

const maxIds = 10;

function shownId({ place }: InputItem): string {
	return place;
}

function reasonsOf(failed: FailedItem[]): Summary['failures'] {
	const byReason = groupBy(failed, ({ failure }) => failure.title);

	const reasons = [...byReason].map(([reason, group]) => ({
		reason,
		count: group.length,
		ids: group.slice(0, maxIds).map(({ item }) => shownId(item)),
	}));

	return reasons.sort((one, other) => other.count - one.count);
}

/**
 * What this node did with a record that it has returned; undefined for any other item. A data table or a CSV file keeps `_sync`
 * as text, or as a column `_sync.action`.
 */
function resultActionOf(json: IDataObject): string | undefined {
	const { _sync: sync, '_sync.action': action } = json;
	if (isObject(sync)) return String(sync.action);
	if (!isBlank(action)) return String(action);
	if (typeof sync !== 'string' || isBlank(sync)) return undefined;

	const parsed: unknown = jsonParse(sync, { fallbackValue: undefined });
	return isObject(parsed) ? String(parsed.action) : '';
}

/**
 * Rejects items that an operation has returned. They are no complete list. The output of a mirror has the records that it has
 * deleted, and the next mirror would create them again. An output with changes only lacks all other records.
 */
export function assertNoResults(context: RunContext, records: string): void {
	const index = context.items.findIndex(
		({ json }) => json && resultActionOf(json) !== undefined,
	);
	if (index < 0) return;

	throw context.error(
		'The input of Mirror is a result, not a list',
		`Item ${index} has _sync, so it comes from another operation of this node. Such a result can lack ${records} or have deleted ones. Connect Mirror to the list itself.`,
		index,
	);
}

/** Rejects a record that a mirror has deleted, since writing it would create it again. */
export function assertNotDeleted(item: InputItem, record: string): void {
	if (resultActionOf(item.json) !== 'deleted') return;

	throw item.error(
		`A mirror has deleted this ${record}`,
		'_sync.action is "deleted". Remove such items with a Filter node.',
	);
}
