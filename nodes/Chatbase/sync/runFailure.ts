/** How a run fails that wrote the rest first. */
import { type Failure, ownFailure } from '../api/failure';
import type { RunContext } from '../execution/context';
import { refusedRun } from '../execution/inputProblems';
import {
	type FailedItem,
	type ItemResult,
	writtenOf,
	writtenSentences,
} from '../execution/results';
import { countFormat } from '../values/json';
import type { OutcomeSettings } from './outcomeOptions';
import { failuresIn, type Summary } from './records';
import { type RunReport, verbsOf } from './report';

/** The result of a run. */
export interface RunOutcome extends RunReport {
	results: ItemResult[];
}

/** Throws one failure for all failed items, if the run should write the rest and then fail. */
export function throwIfAnyFailed(
	context: RunContext,
	outcome: RunOutcome,
	{ onFailedItems }: OutcomeSettings,
): void {
	const { results } = outcome;
	if (onFailedItems !== 'finish' || !context.endsOnFailure) return;

	const failed = failuresIn(results);
	const [first] = failed;
	if (!first) return;

	const rejectedKey = failed.find(({ failure }) => failure.response?.outcome === '401');
	if (rejectedKey) {
		// After the first failure, nothing more was sent.
		throw rejectedKey.failure.and(...writtenSentences(results.map(writtenOf)));
	}

	// If all were refused when they were read, the kinds of their problems say more than their titles.
	const isRefused = failed.every(({ refusal }) => refusal);
	const kinds = isRefused ? refusedRun(failed)?.sentences : undefined;
	throw someFailed(outcome, first, kinds).withWords((text) => context.hideKeys(text));
}

const maxReasons = 5;

/** Says why items failed. */
function someFailed(
	{ results, summary, nouns }: RunOutcome,
	{ failure: first }: FailedItem,
	kinds?: readonly string[],
): Failure {
	const { failures, failed, items } = summary;
	const reasons = failures.slice(0, maxReasons).map(({ reason, count, ids }) => {
		// If there is only one reason, the title has its count.
		const counted = failures.length > 1 ? ` (${countFormat.format(count)})` : '';
		const more = count > ids.length ? ' …' : '';
		return `${reason}${counted}: ${ids.join(', ')}${more}.`;
	});
	const moreReasons = failures.length - reasons.length;
	if (moreReasons > 0) reasons.push(`There are ${moreReasons} more reasons.`);

	// What was written is said of all others at once.
	const outcomes = results
		.map(writtenOf)
		.map((written) => (written === 'yes' ? 'no' : written));
	const unknown = writtenSentences(outcomes);
	const sentences = [...(kinds ?? reasons), ...othersOf(summary), ...unknown];
	if (!kinds) sentences.push(`First: ${first.description || first.title}`);

	const [count, all] = [failed, items].map((number) => countFormat.format(number));
	const { failed: verb } = verbsOf(summary);
	return ownFailure(`${count} of ${all} ${nouns.many} ${verb}`, ...sentences);
}

/** What became of the items that did not fail. */
function othersOf({ dryRun, failed, items, skipped }: Summary): string[] {
	if (dryRun) return ['Nothing was written.'];
	if (failed === items) return [];
	if (skipped > 0) return ['All others were written, unchanged or skipped.'];
	return ['All others were written or unchanged.'];
}
