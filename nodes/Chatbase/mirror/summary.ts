import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { escapeHtml } from '../api/errors';
import type { RunLimits } from '../api/limits';
import type { RunContext } from '../execution/item';

/** What the records of a run are called. */
export interface Nouns {
	one: string;
	many: string;
	/** In Title Case, for labels. */
	title: string;
	/** What the user names a record by, in the plural. */
	ids: string;
}

/** What the node did with a record, or would have done. */
export type SyncAction =
	| 'created'
	| 'updated'
	| 'unchanged'
	| 'wouldCreate'
	| 'wouldUpdate'
	/** Another mirror manages the record, so it was left as it is. */
	| 'skipped'
	/** The record is not in the input; this was only reported. */
	| 'missing'
	| 'marked'
	| 'deleted'
	/** The record would have been marked or deleted, but stays. */
	| 'kept'
	| 'wouldMark'
	| 'wouldDelete';

export interface Sync extends IDataObject {
	action: SyncAction;
	/** Names of the fields that differed. */
	changed: string[];
	/** Names of the fields that the service did not keep. */
	dropped: string[];
	/** Names of the fields that differed and were left alone; absent if there are none. */
	kept?: string[];
}

/** The output for a record: as the service returned it, and what the node did about it. */
export function recordOf(record: IDataObject, sync: Sync | SyncAction): IDataObject {
	const _sync = typeof sync === 'string' ? { action: sync, changed: [], dropped: [] } : sync;
	return { _sync, ...record };
}

/** What `recordOf` has said about a record; undefined for other records. */
export function syncOf(record: IDataObject): Sync | undefined {
	return record._sync as Sync | undefined;
}

export interface FailureReason {
	reason: string;
	count: number;
	/** What the first of these items are about, or their numbers. */
	ids: string[];
}

/** What became of the records of a run, in numbers. A dry run counts what would be done as done. */
export interface Summary {
	/** Input items; two equal ones are two. */
	items: number;
	created: number;
	updated: number;
	unchanged: number;
	skipped: number;
	missing: number;
	marked: number;
	deleted: number;
	kept: number;
	failed: number;
	/** How often the service dropped each field. */
	dropped: Record<string, number>;
	/** Why items failed, the most frequent reason first. */
	failures: FailureReason[];
	requests: number;
	waitedSeconds: number;
	dryRun: boolean;
	/** Whether more records are missing than the safety limit allows. */
	overLimit: boolean;
}

type Count = Exclude<
	keyof Summary,
	| 'items'
	| 'failed'
	| 'dropped'
	| 'failures'
	| 'requests'
	| 'waitedSeconds'
	| 'dryRun'
	| 'overLimit'
>;

const countOf: Record<SyncAction, Count> = {
	created: 'created',
	wouldCreate: 'created',
	updated: 'updated',
	wouldUpdate: 'updated',
	unchanged: 'unchanged',
	skipped: 'skipped',
	missing: 'missing',
	marked: 'marked',
	wouldMark: 'marked',
	deleted: 'deleted',
	wouldDelete: 'deleted',
	kept: 'kept',
};

/** @param records those of the items, and missing ones */
export function summarize(
	records: IDataObject[],
	{
		items,
		failed,
		failures,
		dryRun,
		overLimit = false,
	}: Pick<Summary, 'items' | 'failed' | 'failures' | 'dryRun'> & Partial<Summary>,
	limits: RunLimits,
): Summary {
	const summary: Summary = {
		items,
		created: 0,
		updated: 0,
		unchanged: 0,
		skipped: 0,
		missing: 0,
		marked: 0,
		deleted: 0,
		kept: 0,
		failed,
		dropped: {},
		failures,
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

/** Records that no item is about. */
export interface MissingRecords {
	records: IDataObject[];
	/** Whether more are missing than the safety limit allows. */
	overLimit: boolean;
	/** Whether they are left alone for that. */
	isLeft: boolean;
	/** What to call those that could not be marked or deleted. */
	failed: string[];
}

const maxNames = 10;

export function firstOf(names: string[]): string {
	const more = names.length > maxNames ? ' …' : '';
	return names.slice(0, maxNames).join(', ') + more;
}

const number = new Intl.NumberFormat('en-US');

/** Shows what became of the records of a run, where a person may look. */
export function showHints(
	{ functions, isTool }: RunContext,
	summary: Summary,
	nouns: Nouns,
	missing: MissingRecords,
) {
	if (isTool) return;
	functions.addExecutionHints?.(...hintsOf(summary, nouns, missing));
}

const hintWords: Partial<Record<Count | 'failed', string>> = {
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

/** What the editor says after a run: what was done, with how many requests, and what to check. */
function hintsOf(
	summary: Summary,
	{ one, many }: Nouns,
	{ isLeft, failed }: MissingRecords,
): NodeExecutionHint[] {
	const { dryRun, dropped, overLimit, waitedSeconds, requests } = summary;
	const counts = [
		...(['created', 'updated', 'unchanged', 'skipped'] as const),
		...(['missing', 'marked', 'deleted', 'kept', 'failed'] as const),
	].filter((name) => summary[name] > 0);
	const done = counts.map((name, index) => {
		const noun = index > 0 ? '' : summary[name] === 1 ? ` ${one}` : ` ${many}`;
		return `${number.format(summary[name])}${noun} ${hintWords[name] ?? name}`;
	});
	const sent = `${number.format(requests)} API request${requests === 1 ? '' : 's'}.`;
	const waited =
		waitedSeconds > 0 ? ` The service made the node wait for ${waitedSeconds} seconds.` : '';
	const told = dryRun ? `Would be: ${done.join(', ')}` : done.join(', ');
	const hints = [hint('info', `${told}. ${sent}${waited}`)];
	if (dryRun) hints.push(hint('warning', 'Dry run: nothing was written.'));
	if (overLimit) {
		const outcome = isLeft
			? `, so missing ${many} ${dryRun ? 'would stay' : 'stay'} as they are`
			: ': a real run would fail';
		hints.push(
			hint(
				'warning',
				`More ${many} are missing than the safety limit allows${outcome}. Check that the input is complete.`,
			),
		);
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
