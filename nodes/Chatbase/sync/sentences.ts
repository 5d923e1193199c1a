import type { RunContext } from '../execution/context';
import { countFormat, isBlank } from '../values/json';
import { firstOf } from '../values/list';
import { abbreviate } from '../values/text';
import {
	type Action,
	actions,
	doneActions,
	type DoneRecord,
	dryRunAction,
	type MissingRecords,
	type Nouns,
	type Summary,
	type Sync,
} from './records';

/** How many records a hint or an error names. */
export const maxNames = 5;

const maxFields = 3;

/** The actions whose records are named. The records of other actions are only counted. */
const namedActions: Action[] = [
	'updated',
	'missing',
	'marked',
	'deleted',
	'kept',
	'unknown',
];

/** The first names of each action, such as ` (W-2002: plan; W-2008: email)`. */
export type ActionNames = Partial<Record<Action, string>>;

/** What a run reports to the user. */
export interface RunReport {
	summary: Summary;
	nouns: Nouns;
	missing: MissingRecords;
	/** The records that changed or are missing, by what was done with them. */
	names: ActionNames;
}

/** Shows in the editor the result of a run, the number of requests, and what to check. */
export function showHints(context: RunContext, report: RunReport): void {
	if (report.summary.dryRun) context.inform(verdictOf(report), 'warning');
	else context.inform(resultOf(report));
	warningsOf(report).forEach((message) => context.warn(message));
}

function countOf(count: number, { one, many }: Pick<Nouns, 'one' | 'many'>): string {
	return `${countFormat.format(count)} ${count === 1 ? one : many}`;
}

/** Only the first number of a sentence has a noun. */
function countAt(index: number, count: number, nouns: Nouns): string {
	return index > 0 ? countFormat.format(count) : countOf(count, nouns);
}

const resultWords: Record<string, string> = {
	skipped: 'skipped (blank, or managed by another mirror)',
	kept: 'missing and kept',
	unknown: 'missing, and perhaps deleted or marked',
};

function resultOf(report: RunReport): string {
	const { summary, nouns, missing, names } = report;
	const { requests, waitedSeconds } = summary;
	const { warning, markedBefore } = missing;
	const present = [...actions, 'failed' as const].filter((name) => summary[name] > 0);
	const told = present.map((name, index) => {
		const named = name === 'failed' ? '' : (names[name] ?? '');
		return `${countAt(index, summary[name], nouns)} ${resultWords[name] ?? name}${named}`;
	});
	if (markedBefore > 0) {
		const were = markedBefore === 1 ? 'was' : 'were';
		told.push(`${countAt(told.length, markedBefore, nouns)} ${were} marked before`);
	}

	const sentences = [
		told.length > 0 && `${told.join(', ')}.`,
		`${countOf(requests, { one: 'API request', many: 'API requests' })}.`,
		waitedSeconds > 0 && `The service made the node wait for ${waitedSeconds} seconds.`,
		warning,
	];
	return sentences.filter(Boolean).join(' ');
}

/** The result of a dry run. */
function verdictOf(report: RunReport): string {
	const { wouldFail, newAttributes, warning } = report.missing;
	const verdict = 'Nothing was written. A real run would';
	if (wouldFail !== undefined) {
		return [`${verdict} fail: ${wouldFail}`, warning].filter(Boolean).join(' ');
	}

	const steps = stepsOf(report);
	const states = statesOf(report, steps.length === 0);
	const last = steps.pop() ?? 'change nothing';
	const done = steps.length > 0 ? `${steps.join(', ')} and ${last}` : last;

	const sentences = [
		`${verdict} ${[done, states.join(', ')].filter(Boolean).join('; ')}.`,
		newAttributes.length > 0 &&
			`It first creates these attributes: ${newAttributes.join(', ')}.`,
		warning,
	];
	return sentences.filter(Boolean).join(' ');
}

/** What a real run would do, such as `delete 2 contacts (a, b)`. */
function stepsOf({ summary, nouns, names }: RunReport): string[] {
	const present = doneActions.filter((name) => summary[name] > 0);
	return present.map((name, index) => {
		const counted = countAt(index, summary[name], nouns);
		const verb = dryRunAction[name].replace('would', '').toLowerCase();
		return `${verb} ${counted}${names[name] ?? ''}`;
	});
}

/** What a real run would leave as it is. */
function statesOf(report: RunReport, isFirst: boolean): string[] {
	const { summary, nouns, missing, names } = report;
	const { unmanaged, markedBefore } = missing;
	const states: Array<[count: number, one: string, many: string, named?: string]> = [
		[summary.unchanged, 'is unchanged', 'are unchanged'],
		[summary.missing, 'is missing', 'are missing', names.missing],
		[markedBefore, 'was marked before', 'were marked before'],
		[summary.kept, 'is missing and kept', 'are missing and kept', names.kept],
		[summary.skipped, 'is skipped', 'are skipped'],
		[summary.failed, 'would fail', 'would fail'],
	];
	const present = states.filter(([count]) => count > 0);
	const told = present.map(([count, one, many, named = ''], index) => {
		const counted = isFirst ? countAt(index, count, nouns) : countFormat.format(count);
		return `${counted} ${count === 1 ? one : many}${named}`;
	});

	const other = { one: "other isn't managed", many: "others aren't managed" };
	if (unmanaged > 0) told.push(`${countOf(unmanaged, other)} by this mirror`);
	return told;
}

function warningsOf({ summary, nouns, missing }: RunReport): string[] {
	const { failed } = missing;
	const noun = { one: `missing ${nouns.one}`, many: `missing ${nouns.many}` };
	const dropped = Object.entries(summary.dropped).map(
		([name, count]) => `${name} (${countFormat.format(count)})`,
	);

	const warnings = [
		failed.length > 0 &&
			`${countOf(failed.length, noun)} could not be ${nouns.handling.done}: ${firstOf(failed)}.`,
		dropped.length > 0 && `Dropped fields: ${dropped.join(', ')}.`,
	];
	return warnings.filter((warning) => warning !== false);
}

/**
 * Which records a run names in its hints: people want to look at records that changed or are missing.
 * @param idField the field by which people know a record
 */
export function namesByAction(
	records: readonly DoneRecord[],
	idField: string,
): ActionNames {
	const named = new Map(namedActions.map((action) => [action, new Set<string>()]));
	for (const { record, action, sync } of records) {
		const names = named.get(action);
		if (!names || names.size > maxNames || isBlank(record[idField])) continue;

		const changes = action === 'updated' ? changesOf(sync) : '';
		names.add(abbreviate(String(record[idField])) + changes);
	}

	const filled = [...named].filter(([, { size }]) => size > 0);
	return Object.fromEntries(
		filled.map(([action, names]) => [action, shown(names, action)]),
	);
}

/** The names of the fields that changed. An attribute stands there without `custom_attributes`. */
function changesOf({ changed = [] }: Sync): string {
	if (changed.length === 0) return '';

	const fields = changed.map((field) => field.slice(field.indexOf('.') + 1));
	const more = fields.length > maxFields ? ' …' : '';
	return `: ${fields.slice(0, maxFields).join(', ')}${more}`;
}

function shown(names: ReadonlySet<string>, action: Action): string {
	const separator = action === 'updated' ? '; ' : ', ';
	const more = names.size > maxNames ? ' …' : '';
	return ` (${[...names].slice(0, maxNames).join(separator)}${more})`;
}
