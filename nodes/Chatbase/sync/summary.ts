import type { IDataObject } from 'n8n-workflow';

import { escapeHtml } from '../api/errors';
import type { Failure, ItemResult } from '../execution/results';
import type { Run } from '../execution/run';
import { firstOf, groupBy } from '../values/list';
import { countFormat } from '../values/number';

export interface Nouns {
	one: string;
	many: string;
	/** In Title Case, for labels. */
	title: string;
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

/** What a dry run calls an action, in the order of its verdict. */
export const wouldBe = {
	deleted: 'wouldDelete',
	marked: 'wouldMark',
	created: 'wouldCreate',
	updated: 'wouldUpdate',
} as const;

type DoneAction = keyof typeof wouldBe;
const doneActions = Object.keys(wouldBe) as DoneAction[];

export type SyncAction = Action | (typeof wouldBe)[DoneAction];

/** Its lists have names of fields, and are left out if empty. */
export interface Sync extends IDataObject {
	action: SyncAction;
	changed?: string[];
	/** By the service. */
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
	return noteSync(Object.assign({ _sync }, record, { _sync }), _sync);
}

export function noteSync(record: IDataObject, sync: Sync): IDataObject {
	syncs.set(record, sync);
	return record;
}

export const syncOf = (record: IDataObject) => syncs.get(record);

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

export function summarize(
	{ items, limits }: WritingRun,
	results: ItemResult[],
	missing: Partial<MissingRecords> = {},
): Summary {
	const failed = results.filter((result) => 'error' in result);
	const records = results.flatMap((result) => ('records' in result ? result.records : []));
	const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Record<Action, number>;
	const dropped = new Map<string, number>();
	for (const sync of [...records, ...(missing.records ?? [])].map(syncOf)) {
		if (!sync) continue;
		// A dry run counts what would be done as done.
		const done = doneActions.find((action) => wouldBe[action] === sync.action);
		counts[done ?? (sync.action as Action)]++;
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
			.map(({ item: { identity, index } }) => identity.id ?? identity.email ?? `item ${index}`),
	}));
	return failures.sort((one, other) => other.count - one.count);
}

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
	newAttributes: string[];
}

/** Shows in the editor the result of a run, the number of requests, and what to check. */
export function showHints(
	run: WritingRun,
	summary: Summary,
	nouns: Nouns,
	missing: Partial<MissingRecords> = {},
) {
	const { functions, isTool } = run.context;
	if (isTool) return;
	const show = (type: 'info' | 'warning', message: string) =>
		functions.addExecutionHints?.({ type, message: escapeHtml(message), location: 'outputPane' });
	if (summary.dryRun) show('warning', verdictOf(summary, nouns, missing));
	else show('info', resultOf(run, summary, nouns, missing));
	warningsOf(summary, nouns, missing).forEach((message) => show('warning', message));
}

function countOf(count: number, { one, many }: Pick<Nouns, 'one' | 'many'>): string {
	return `${countFormat.format(count)} ${count === 1 ? one : many}`;
}

/** Only the first number of a sentence has a noun. */
function countAt(index: number, count: number, nouns: Nouns): string {
	return index > 0 ? countFormat.format(count) : countOf(count, nouns);
}

const resultWords: Record<string, string> = {
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

function resultOf(
	{ limits }: WritingRun,
	summary: Summary,
	nouns: Nouns,
	{ warning }: Partial<MissingRecords>,
): string {
	const told = [...actions, 'failed' as const]
		.filter((name) => summary[name] > 0)
		.map((name, index) => `${countAt(index, summary[name], nouns)} ${resultWords[name] ?? name}`);
	const { requests, waitedSeconds } = summary;
	const sentences = [
		`${told.join(', ')}.`,
		limits.writes > 0
			? `${countOf(requests, { one: 'API request', many: 'API requests' })}.`
			: `Nothing written, ${countOf(requests, { one: 'read', many: 'reads' })}.`,
		waitedSeconds > 0 && `The service made the node wait for ${waitedSeconds} seconds.`,
		warning,
	];
	return sentences.filter(Boolean).join(' ');
}

const maxNames = 3;

function verdictOf(summary: Summary, nouns: Nouns, missing: Partial<MissingRecords>): string {
	const { doneAs, leftAs, names = [], overLimit, unmanaged = 0, newAttributes = [] } = missing;
	const verdict = 'Nothing was written. A real run would';
	if (overLimit && leftAs !== 'kept') return `${verdict} fail: ${overLimit}`;
	const steps = doneActions
		.filter((name) => summary[name] > 0 || name === doneAs || name === 'updated')
		.map((name, index) => {
			const verb = wouldBe[name].replace('would', '').toLowerCase();
			const counted = countAt(index, summary[name], nouns);
			const isNamed = name === doneAs && summary[name] > 0;
			return `${verb} ${counted}${isNamed ? ` (${firstOf(names, String, maxNames)})` : ''}`;
		});
	const last = steps.pop();
	const states: Array<[count: number, one: string, many: string]> = [
		[summary.unchanged, 'is unchanged', 'are unchanged'],
		[summary.missing, 'is missing', 'are missing'],
		[summary.kept, 'is missing and kept', 'are missing and kept'],
		[summary.skipped, 'is skipped', 'are skipped'],
		[summary.failed, 'would fail', 'would fail'],
		[unmanaged, "other isn't managed by this mirror", "others aren't managed by this mirror"],
	];
	const present = states.filter(([count]) => count > 0);
	const told = present.map(([count, one, many]) => countOf(count, { one, many }));
	const done = steps.length > 0 ? `${steps.join(', ')} and ${last}` : last;
	const sentences = [
		`${verdict} ${[done, told.join(', ')].filter(Boolean).join('; ')}.`,
		newAttributes.length > 0 && `It first creates these attributes: ${newAttributes.join(', ')}.`,
		missing.warning,
	];
	return sentences.filter(Boolean).join(' ');
}

function warningsOf(
	{ dropped, dryRun }: Summary,
	nouns: Nouns,
	{ leftAs, overLimit, failed = [] }: Partial<MissingRecords>,
) {
	const isLeft = overLimit !== undefined && leftAs === 'kept';
	const noun = { one: `missing ${nouns.one}`, many: `missing ${nouns.many}` };
	const names = Object.entries(dropped).map(
		([name, count]) => `${name} (${countFormat.format(count)})`,
	);
	const warnings = [
		isLeft &&
			`Missing ${nouns.many} ${dryRun ? 'would stay' : 'stay'} unchanged: ${overLimit} Check that the input is complete.`,
		failed.length > 0 &&
			`${countOf(failed.length, noun)} could not be marked or deleted: ${firstOf(failed)}.`,
		names.length > 0 && `The service dropped: ${names.join(', ')}.`,
	];
	return warnings.filter((warning) => warning !== false);
}
