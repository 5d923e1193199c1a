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
import { failuresIn } from './records';
import type { RunReport } from './report';

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
	const { failures, failed, items, dryRun } = summary;
	const reasons = failures.slice(0, maxReasons).map(({ reason, count, ids }) => {
		// If there is only one reason, the title has its count.
		const counted = failures.length > 1 ? ` (${countFormat.format(count)})` : '';
		const more = count > ids.length ? ' …' : '';
		return `${reason}${counted}: ${ids.join(', ')}${more}.`;
	});
	const moreReasons = failures.length - reasons.length;
	if (moreReasons > 0) reasons.push(`There are ${moreReasons} more reasons.`);

	const others =
		summary.skipped > 0 ? 'written, unchanged or skipped' : 'written or unchanged';
	const remainder = failed < items ? [`All others were ${others}.`] : [];
	const ending = dryRun ? ['Nothing was written.'] : remainder;
	const unknown = results
		.map(writtenOf)
		.map((written) => (written === 'unknown' ? written : 'no'));
	const failing = dryRun ? 'would fail' : 'failed';

	return ownFailure(
		`${countFormat.format(failed)} of ${countFormat.format(items)} ${nouns.many} ${failing}`,
		...(kinds ?? reasons),
		...ending,
		...writtenSentences(unknown),
		...(kinds ? [] : [`First: ${first.description || first.title}`]),
	);
}
