import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { escapeHtml } from '../api/errors';
import type { RunLimits } from '../api/limits';
import type { RunContext } from '../execution/item';
import { firstOf } from '../values/firstOf';

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
const deeds = [
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

type Deed = (typeof deeds)[number];

/** What the node did with a record, or would do. */
export type SyncAction = Deed | 'wouldCreate' | 'wouldUpdate' | 'wouldMark' | 'wouldDelete';

/** A dry run counts what would be done as done. */
const wouldBe: Partial<Record<SyncAction, Deed>> = {
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

/** The output for a record: as the service returned it, with what the node did. */
export function recordOf(record: IDataObject, sync: Sync | SyncAction): IDataObject {
	const _sync = typeof sync === 'string' ? { action: sync, changed: [], dropped: [] } : sync;
	return { _sync, ...record };
}

/** What `recordOf` added to a record; undefined for other records. */
export function syncOf(record: IDataObject): Sync | undefined {
	return record._sync as Sync | undefined;
}

export interface FailureReason {
	reason: string;
	count: number;
	/** Names of the first of these items, or their numbers. */
	ids: string[];
}

/** The result of a run in numbers: how many records each deed was done to, and more. */
export interface Summary extends Record<Deed, number> {
	/** Number of input items, including equal ones. */
	items: number;
	failed: number;
	/** How often each field was dropped. */
	dropped: Record<string, number>;
	/** Why items failed, the most frequent reason first. */
	failures: FailureReason[];
	requests: number;
	waitedSeconds: number;
	dryRun: boolean;
	/** Whether more records are missing than the safety limit allows. */
	overLimit: boolean;
}

/** @param records those of the items, and the missing ones */
export function summarize(
	records: IDataObject[],
	{
		items,
		failed,
		failures,
		dryRun,
		overLimit,
	}: Pick<Summary, 'items' | 'failed' | 'failures' | 'dryRun' | 'overLimit'>,
	limits: RunLimits,
): Summary {
	const counts = Object.fromEntries(deeds.map((deed) => [deed, 0])) as Record<Deed, number>;
	const dropped = new Map<string, number>();
	for (const record of records) {
		const sync = syncOf(record);
		if (!sync) continue;
		counts[wouldBe[sync.action] ?? (sync.action as Deed)]++;
		for (const name of sync.dropped) dropped.set(name, (dropped.get(name) ?? 0) + 1);
	}
	return {
		items,
		...counts,
		failed,
		dropped: Object.fromEntries(dropped),
		failures,
		requests: limits.reads + limits.writes,
		waitedSeconds: Math.round(limits.waited / 100) / 10,
		dryRun,
		overLimit,
	};
}

/** Records that no item is about. */
export interface MissingRecords {
	records: IDataObject[];
	overLimit?: OverLimit;
	/** Names of those that could not be marked or deleted. */
	failed: string[];
	/** For the verdict of a dry run; absent without a mirror. */
	mirror?: {
		deed: 'missing' | 'marked' | 'deleted';
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

const number = new Intl.NumberFormat('en-US');

/** Shows the result of a run in the editor. */
export function showHints(
	{ functions, isTool }: RunContext,
	summary: Summary,
	nouns: Nouns,
	missing: MissingRecords,
) {
	if (isTool) return;
	functions.addExecutionHints?.(...hintsOf(summary, nouns, missing));
}

const hintWords: Partial<Record<Deed | 'failed', string>> = {
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

/** The hints of a run: the result, the number of requests, and what to check. */
function hintsOf(
	summary: Summary,
	{ one, many }: Nouns,
	{ overLimit, failed, mirror }: MissingRecords,
): NodeExecutionHint[] {
	const { dryRun, dropped, waitedSeconds, requests } = summary;
	const isInVerdict = (name: string) =>
		dryRun && mirror !== undefined && (name === 'updated' || name === mirror.deed);
	const counts = [...deeds, 'failed' as const].filter(
		(name) => summary[name] > 0 || isInVerdict(name),
	);
	const told = counts
		.map((name, index) => {
			const would = dryRun && name !== 'failed' ? 'would be ' : '';
			const noun = index > 0 ? '' : `${summary[name] === 1 ? one : many} ${would}`;
			return `${number.format(summary[name])} ${noun}${hintWords[name] ?? name}`;
		})
		.join(', ');
	const sent = `${number.format(requests)} API request${requests === 1 ? '' : 's'}.`;
	const waited =
		waitedSeconds > 0 ? ` The service made the node wait for ${waitedSeconds} seconds.` : '';
	const others = mirror?.unmanaged
		? `; ${number.format(mirror.unmanaged)} ${mirror.unmanaged === 1 ? "other isn't" : "others aren't"} managed by this mirror`
		: '';
	const hints = [
		dryRun
			? hint('warning', `Dry run: nothing was written. ${told}${others}.`)
			: hint('info', `${told}. ${sent}${waited}`),
	];
	if (dryRun && mirror && mirror.newAttributes.length > 0) {
		hints.push(
			hint(
				'info',
				`A real run first creates these attributes: ${mirror.newAttributes.join(', ')}.`,
			),
		);
	}
	if (overLimit) {
		const { missing, allowed, isLeft } = overLimit;
		const outcome = isLeft
			? `Missing ${many} ${dryRun ? 'would stay' : 'stay'} unchanged`
			: 'A real run would fail';
		const reason =
			allowed === undefined
				? `all managed ${many} are missing (${number.format(missing)})`
				: `${number.format(missing)} ${many} are missing, ${number.format(allowed)} are allowed`;
		hints.push(hint('warning', `${outcome}: ${reason}. Check that the input is complete.`));
	}
	if (failed.length > 0) {
		hints.push(
			hint('warning', `Missing ${many} that could not be marked or deleted: ${firstOf(failed)}.`),
		);
	}
	const names = Object.entries(dropped).map(([name, count]) => `${name} (${number.format(count)})`);
	if (names.length > 0) hints.push(hint('warning', `The service dropped: ${names.join(', ')}.`));
	return hints;
}

function hint(type: 'info' | 'warning', message: string): NodeExecutionHint {
	return { type, message: escapeHtml(message), location: 'outputPane' };
}
