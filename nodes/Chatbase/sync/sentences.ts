import type { RunContext } from '../execution/context';
import { firstOf } from '../values/list';
import { countFormat } from '../values/json';
import type { ActionNames } from './names';
import {
	actions,
	doneActions,
	type MissingRecords,
	type Nouns,
	type Summary,
	dryRunAction,
} from './records';

/** What a run reports to the user. */
export interface RunReport {
	summary: Summary;
	nouns: Nouns;
	missing: MissingRecords;
	/** Number of skipped input rows. The summary counts them as skipped records, too. */
	blankRows: number;
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
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

function resultOf(report: RunReport): string {
	const { summary, nouns, missing, blankRows, names } = report;
	const { requests, waitedSeconds } = summary;
	const { warning, markedBefore } = missing;
	const counts = { ...summary, skipped: summary.skipped - blankRows };
	const present = [...actions, 'failed' as const].filter((name) => counts[name] > 0);
	const told = present.map((name, index) => {
		const named = name === 'failed' ? '' : (names[name] ?? '');
		return `${countAt(index, counts[name], nouns)} ${resultWords[name] ?? name}${named}`;
	});
	if (markedBefore > 0) {
		const were = markedBefore === 1 ? 'was' : 'were';
		told.push(`${countAt(told.length, markedBefore, nouns)} ${were} marked before`);
	}

	const sentences = [
		told.length > 0 && `${told.join(', ')}.`,
		blankRowsOf(blankRows),
		`${countOf(requests, { one: 'API request', many: 'API requests' })}.`,
		waitedSeconds > 0 && `The service made the node wait for ${waitedSeconds} seconds.`,
		warning,
	];
	return sentences.filter(Boolean).join(' ');
}

function blankRowsOf(count: number): string | undefined {
	if (count === 0) return undefined;
	const were = count === 1 ? 'was' : 'were';
	return `${countOf(count, { one: 'blank row', many: 'blank rows' })} ${were} skipped.`;
}

/** The result of a dry run. */
function verdictOf(report: RunReport): string {
	const { overLimit, newAttributes, warning } = report.missing;
	const verdict = 'Nothing was written. A real run would';
	if (overLimit) {
		return [`${verdict} fail: ${overLimit}`, warning].filter(Boolean).join(' ');
	}

	const steps = stepsOf(report);
	const states = statesOf(report, steps.length === 0);
	const last = steps.pop() ?? 'change nothing';
	const done = steps.length > 0 ? `${steps.join(', ')} and ${last}` : last;

	const sentences = [
		`${verdict} ${[done, states.join(', ')].filter(Boolean).join('; ')}.`,
		blankRowsOf(report.blankRows),
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
	const { summary, nouns, missing, blankRows, names } = report;
	const { unmanaged, markedBefore } = missing;
	const states: Array<[count: number, one: string, many: string, named?: string]> = [
		[summary.unchanged, 'is unchanged', 'are unchanged'],
		[summary.missing, 'is missing', 'are missing', names.missing],
		[markedBefore, 'was marked before', 'were marked before'],
		[summary.kept, 'is missing and kept', 'are missing and kept', names.kept],
		[summary.skipped - blankRows, 'is skipped', 'are skipped'],
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
		dropped.length > 0 && `The service dropped: ${dropped.join(', ')}.`,
	];
	return warnings.filter((warning) => warning !== false);
}
