import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { escapeHtml } from '../api/errors';
import type { InputItem } from '../execution/item';
import type { BuildOutput, Failure, ItemResult } from '../execution/results';
import { outputOf } from '../execution/results';
import { shownInTool } from '../fields/define';
import { numberBetween, readChoice, readOptional } from '../fields/values';
import { countFormat } from '../values/scalar';
import type { MissingRecords, Nouns, Summary, WritingRun } from './summary';
import { showHints, summarize, syncOf } from './summary';

export interface OutcomeSettings {
	output: 'all' | 'changes' | 'summary';
	onFailedItems: 'stop' | 'finish';
	maxFailedPercent: number;
}

/** Options for the result of a run. A tool has none of them, since an agent writes one record at a time. */
export const outcomeOptions = ({ many, title }: Nouns): INodeProperties[] => [
	{
		displayName: `If ${title} Fail`,
		name: 'onFailedItems',
		type: 'options',
		default: 'stop',
		description: `What to do if some ${many} can't be written`,
		...shownInTool(false),
		options: [
			{
				name: 'Stop',
				value: 'stop',
				description: 'The first failure ends the run, unless On Error says Continue',
			},
			{
				name: 'Write the Rest, Then Fail',
				value: 'finish',
				description: `Writes all other ${many}, then fails once with a list of the failures`,
			},
		],
	},
	{
		displayName: 'Max Failed Percent',
		name: 'maxFailedPercent',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 0,
		description: `Percentage of ${many} that may fail without failing the run. Needs "Write the Rest, Then Fail" above.`,
		...shownInTool(false),
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'all',
		description: 'What the node returns',
		...shownInTool(false),
		options: [
			{ name: 'All Items', value: 'all', description: 'One item for each input item' },
			{
				name: 'Changes Only',
				value: 'changes',
				description: `${title} that were created, updated or failed, have dropped fields, or are missing`,
			},
			{
				name: 'Summary',
				value: 'summary',
				description: 'One item with counts, such as created, updated, unchanged and failed',
			},
		],
	},
];

/** A tool always returns the record of its one item. */
export function readOutcome(item: InputItem, { title }: Nouns): OutcomeSettings {
	if (item.isTool) return { output: 'all', onFailedItems: 'stop', maxFailedPercent: 0 };
	return {
		output: readChoice(item, 'options.output', 'Output', ['all', 'changes', 'summary']),
		onFailedItems: readChoice(item, 'options.onFailedItems', `If ${title} Fail`, [
			'stop',
			'finish',
		]),
		maxFailedPercent:
			readOptional(item, 'options.maxFailedPercent', numberBetween(0, 100), 'Max Failed Percent') ??
			0,
	};
}

const noneMissing: MissingRecords = { records: [], failed: [] };

/** Makes the output of a run, its hints and its failure. Throws immediately if one of these settings is invalid. */
export function outcomeOutput(run: WritingRun, nouns: Nouns) {
	const first = run.items[0]?.item ?? run.refused[0];
	const { output, onFailedItems, maxFailedPercent } = readOutcome(first, nouns);
	return (results: ItemResult[], missing = noneMissing): INodeExecutionData[] => {
		const failed = results.filter((result) => 'error' in result);
		const summary = summarize(run, results, missing);
		showHints(run, summary, nouns, missing);
		const { endsOnFailure, node } = run.context;
		if (onFailedItems === 'finish' && endsOnFailure) {
			const ending = failed.find(({ error }) => endsRun(error));
			if (ending) throw ending.error;
			const isTolerated = failed.length * 100 <= maxFailedPercent * results.length;
			if (!isTolerated) throw failedRun(run, failed, summary, nouns);
		}
		const itemsOf = (result: ItemResult) => outputOf(run.context, result);
		const missingItems = missing.records.map((json): INodeExecutionData => ({ json }));
		const shown = output === 'changes' ? results.filter(isChange) : results;
		if (output !== 'summary') return [...shown.flatMap(itemsOf), ...missingItems];
		return [
			{ json: { ...summary }, pairedItem: results.map(({ item }) => ({ item: item.index })) },
			// Failed items still go to the error output.
			...(node.onError === 'continueErrorOutput' ? failed.flatMap(itemsOf) : []),
		];
	};
}

export function hintedOutput(run: WritingRun, nouns: Nouns, isCreation = false): BuildOutput {
	return (results) => {
		const summary = summarize(run, results, noneMissing);
		if (isCreation) summary.created = results.length - summary.failed;
		showHints(run, summary, nouns, noneMissing);
		return results.flatMap((result) => outputOf(run.context, result));
	};
}

/** Whether an error is about the run, not about an item: a rejected key, or a canceled execution. */
function endsRun(error: Failure['error']): boolean {
	return ('httpCode' in error && error.httpCode === '401') || /\bcanceled$/.test(error.message);
}

function isChange(result: ItemResult): boolean {
	if ('error' in result) return true;
	const sync = syncOf(result.records[0] ?? {});
	return !sync || sync.dropped.length > 0 || !['unchanged', 'skipped'].includes(sync.action);
}

const maxReasons = 5;

function failedRun(
	{ context }: WritingRun,
	[first]: Failure[],
	{ failures, failed, items, dryRun }: Summary,
	{ many }: Nouns,
): NodeOperationError {
	const reasons = failures.slice(0, maxReasons).map(({ reason, count, ids }) => {
		const more = count > ids.length ? ' …' : '';
		return `${reason} (${countFormat.format(count)}): ${ids.join(', ')}${more}.`;
	});
	const others = failures.length - reasons.length;
	if (others > 0) reasons.push(`There are ${others} more reasons.`);
	const remainder = failed < items ? ' All others were written or unchanged.' : '';
	return new NodeOperationError(
		context.node,
		`${countFormat.format(failed)} of ${countFormat.format(items)} ${many} ${dryRun ? 'would fail' : 'were not written'}`,
		{
			description: `${escapeHtml(reasons.join(' '))}${dryRun ? ' Nothing was written.' : remainder} First: ${first.error.description ?? first.error.message}`,
		},
	);
}
