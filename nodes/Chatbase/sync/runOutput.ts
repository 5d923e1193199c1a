/** What a run returns. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from '../execution/context';
import { type ItemResult, outputItemsOf } from '../execution/results';
import {
	type OutcomeNouns,
	type OutcomeSettings,
	plainOutcome,
	readOutcome,
} from './outcomeOptions';
import {
	doneRecordsOf,
	failuresIn,
	type MissingRecords,
	summarize,
	syncOf,
	tallyOf,
	type WritingRun,
} from './records';
import { type RunOutcome, throwIfAnyFailed } from './runFailure';
import { namesByAction, sentencesOf } from './report';

type OutcomeOutput = (
	results: ItemResult[],
	missing?: MissingRecords,
) => INodeExecutionData[];

/** Makes the output of a run, its hints and its failure. Throws immediately if one of these settings is invalid. */
export function outcomeOutput(
	run: WritingRun,
	nouns: OutcomeNouns,
	settings = firstOutcome(run, nouns),
): OutcomeOutput {
	const { context } = run;
	return (results, missing) => {
		const { records: missingRecords = [], isOverLimit = false } = missing ?? {};
		const records = doneRecordsOf([...results.flatMap(recordsOf), ...missingRecords]);
		const tally = tallyOf(records);
		const summary = summarize(run, { results, tally, isOverLimit });
		const names = namesByAction(records, nouns.idField);
		const outcome = { results, missing, summary, nouns, names };

		const { result, warnings } = sentencesOf(outcome);
		context.inform(result, summary.dryRun ? 'warning' : 'info');
		for (const warning of warnings) context.warn(warning);

		throwIfAnyFailed(context, outcome, settings);

		if (settings.output === 'summary') return summaryItems(context, outcome);
		return recordItems(context, outcome, settings);
	};
}

/** The settings of the first item, which count for the whole run. */
function firstOutcome(
	{ items, refused }: WritingRun,
	nouns: OutcomeNouns,
): OutcomeSettings {
	const first = items[0]?.item ?? refused[0];
	return first ? readOutcome(first, nouns) : plainOutcome;
}

function summaryItems(
	context: RunContext,
	{ results, summary }: RunOutcome,
): INodeExecutionData[] {
	const pairedItem = results.map(({ item }) => ({ item: item.index }));
	// The error output still gets the failed items.
	const failed =
		context.node.onError === 'continueErrorOutput' ? failuresIn(results) : [];
	return [
		{ json: { ...summary }, pairedItem },
		...failed.flatMap((result) => outputItemsOf(context, result)),
	];
}

function recordItems(
	context: RunContext,
	{ results, missing }: RunOutcome,
	{ output }: OutcomeSettings,
): INodeExecutionData[] {
	const shown = output === 'changes' ? results.filter(isChange) : results;
	// If an item has no pairing, n8n 2.41 pairs it with the input item if there is only one, although that is about another
	// record.
	const missingItems = (missing?.records ?? []).map((json) => ({ json, pairedItem: [] }));

	return [...shown.flatMap((result) => outputItemsOf(context, result)), ...missingItems];
}

function recordsOf(result: ItemResult): IDataObject[] {
	return 'records' in result ? result.records : [];
}

function actionIn(result: ItemResult): string {
	return 'failure' in result ? 'failed' : String(syncOf(result.records[0] ?? {})?.action);
}

function isChange(result: ItemResult): boolean {
	return !['unchanged', 'skipped'].includes(actionIn(result));
}
