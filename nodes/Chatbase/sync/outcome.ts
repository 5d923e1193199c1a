import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Failure } from '../api/failure';
import type { RunContext } from '../execution/context';
import { refusedRun } from '../execution/inputProblems';
import type { InputItem } from '../execution/item';
import {
	type FailedItem,
	type ItemResult,
	outputItemsOf,
	writtenSentences,
} from '../execution/results';
import { choiceOption, type Field } from '../panel/field';
import { shownInTool } from '../panel/notices';
import { countFormat, isObject } from '../values/json';
import { namesByAction } from './names';
import {
	blankRow,
	failuresIn,
	type MissingRecords,
	type Nouns,
	summarize,
	syncOf,
	type WritingRun,
} from './records';
import { type RunReport, showHints } from './sentences';

interface OutcomeSettings {
	output: 'all' | 'changes' | 'summary';
	onFailedItems: 'stop' | 'finish';
	/** Whether the output has no `_sync`, such as in Create, where all records are new. */
	hidesSync?: boolean;
}

interface OutcomeOptions {
	onFailedItems: Field<OutcomeSettings['onFailedItems']>;
	output: Field<OutcomeSettings['output']>;
}

/** Options for the result of a run. A tool has none of them, since an agent writes one record at a time. */
const outcomeOptions = ({ many, title }: Nouns): OutcomeOptions => ({
	onFailedItems: choiceOption('onFailedItems', `If ${title} Fail`, {
		description: `What to do if some ${many} can't be written`,
		choices: {
			stop: ['Stop', 'The first failure ends the run, unless On Error says Continue'],
			finish: [
				'Write the Rest, Then Fail',
				`Writes all other ${many}, then fails once with a list of the failures`,
			],
		},
		...shownInTool(false),
	}),
	output: choiceOption('output', 'Output', {
		description: 'What the node returns',
		choices: {
			all: ['All Items', 'One item for each input item'],
			changes: [
				'Changes Only',
				`${title} that were created, updated or failed, or are missing. Unchanged ones are left out.`,
			],
			summary: [
				'Summary',
				'One item with counts, such as created, updated, unchanged and failed',
			],
		},
		...shownInTool(false),
	}),
});

/** The words for the records of a resource, and the options with these words. */
export interface OutcomeNouns extends Nouns {
	outcomeOptions: OutcomeOptions;
}

export function withOutcomeOptions(nouns: Nouns): OutcomeNouns {
	return { ...nouns, outcomeOptions: outcomeOptions(nouns) };
}

export const plainOutcome: OutcomeSettings = { output: 'all', onFailedItems: 'stop' };

export function readOutcome(
	item: InputItem,
	{ outcomeOptions }: OutcomeNouns,
): OutcomeSettings {
	const { onFailedItems, output } = outcomeOptions;
	return { output: output.read(item), onFailedItems: onFailedItems.read(item) };
}

/** The settings of the first item, which count for the whole run. */
function firstOutcome(
	{ items, refused }: WritingRun,
	nouns: OutcomeNouns,
): OutcomeSettings {
	const first = items[0]?.item ?? refused[0];
	return first ? readOutcome(first, nouns) : plainOutcome;
}

type OutcomeOutput = (
	results: ItemResult[],
	missing?: MissingRecords,
) => INodeExecutionData[];

/** The result for missing records of a run that handles none. */
const noneMissing: MissingRecords = {
	actionIfHandled: 'missing',
	records: [],
	failed: [],
	unmanaged: 0,
	markedBefore: 0,
	newAttributes: [],
};

/** Makes the output of a run, its hints and its failure. Throws immediately if one of these settings is invalid. */
export function outcomeOutput(
	run: WritingRun,
	nouns: OutcomeNouns,
	settings = firstOutcome(run, nouns),
): OutcomeOutput {
	const { context } = run;
	return (results, missing = noneMissing) => {
		const summary = summarize(run, results, missing);
		const blankRows = countBlankRows(results);
		const records = [...results.flatMap(recordsOf), ...missing.records];
		const names = namesByAction(records, nouns.idField);
		const outcome = { results, missing, summary, nouns, blankRows, names };
		showHints(context, outcome);
		throwIfAnyFailed(context, outcome, settings);

		return settings.output === 'summary'
			? summaryItems(context, outcome)
			: recordItems(context, outcome, settings);
	};
}

/** The result of a run. */
interface RunOutcome extends RunReport {
	results: ItemResult[];
}

function throwIfAnyFailed(
	context: RunContext,
	outcome: RunOutcome,
	{ onFailedItems }: OutcomeSettings,
) {
	const { results } = outcome;
	if (onFailedItems !== 'finish' || !context.endsOnFailure) return;

	const failed = failuresIn(results);
	const [first] = failed;
	if (!first) return;

	const rejectedKey = failed.find(({ failure }) => failure.response?.outcome === '401');
	if (rejectedKey) {
		// After the first failure, nothing more was sent.
		const sentences = writtenSentences(results.map(({ written }) => written));
		throw rejectedKey.failure.withSentence(...sentences);
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
	const others = failures.length - reasons.length;
	if (others > 0) reasons.push(`There are ${others} more reasons.`);

	const remainder = failed < items ? ['All others were written or unchanged.'] : [];
	const ending = dryRun ? ['Nothing was written.'] : remainder;
	const unknown = results.map(({ written }) => (written === 'unknown' ? written : 'no'));
	const failing = dryRun ? 'would fail' : 'failed';

	return new Failure({
		title: `${countFormat.format(failed)} of ${countFormat.format(items)} ${nouns.many} ${failing}`,
		sentences: [
			...(kinds ?? reasons),
			...ending,
			...writtenSentences(unknown),
			...(kinds ? [] : [`First: ${first.description || first.title}`]),
		],
	});
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
	{ output, hidesSync }: OutcomeSettings,
): INodeExecutionData[] {
	const itemsOf = (result: ItemResult) =>
		outputItemsOf(context, hidesSync ? withoutSync(result) : result);
	const shown = output === 'changes' ? results.filter(isChange) : results;
	// If an item has no pairing, n8n 2.41 pairs it with the input item if there is only one, although that is about another
	// record.
	const missingItems = missing.records.map((json) => ({ json, pairedItem: [] }));

	return [...shown.flatMap(itemsOf), ...missingItems];
}

function countBlankRows(results: ItemResult[]): number {
	const records = results.flatMap(recordsOf);
	return records.filter((record) => syncOf(record)?.reason === blankRow).length;
}

function recordsOf(result: ItemResult): IDataObject[] {
	return 'records' in result ? result.records : [];
}

function withoutSync(result: ItemResult): ItemResult {
	if ('failure' in result) return result;
	// Without `_sync`, a skipped row would look like a record.
	const records = result.records.map(({ _sync, ...record }) =>
		isObject(_sync) && _sync.action === 'skipped' ? { _sync, ...record } : record,
	);
	return { ...result, records };
}

function actionIn(result: ItemResult): string {
	return 'failure' in result ? 'failed' : String(syncOf(result.records[0] ?? {})?.action);
}

function isChange(result: ItemResult): boolean {
	return !['unchanged', 'skipped'].includes(actionIn(result));
}
