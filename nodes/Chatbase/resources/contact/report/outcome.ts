import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import type { ItemResult, BuildOutput, Failure, Run } from '../../../execution/operation';
import { outputOf } from '../../../execution/run';
import { hasValue, numberBetween, readAs, readChoice } from '../../../fields/values';
import { escapeHtml } from '../../../api/html';
import { syncOf } from '../plan/record';
import { showHints } from './hint';
import { summaryOf } from './summary';

/** How a run ends, and what comes out of it. */
export interface OutcomeSettings {
	output: 'all' | 'changes' | 'summary';
	onFailedItems: 'stop' | 'finish';
	/** How many of the items may fail, in percent. */
	tolerated: number;
}

/** What a run adds to its items. */
export interface RunExtras {
	/** Records of contacts that no item is about. */
	leavers: IDataObject[];
	overLimit: boolean;
}

/**
 * Reads how a run ends. An agent gets the record of its one contact in any case.
 *
 * @throws NodeOperationError when a setting cannot work
 */
export function readOutcome(item: InputItem): OutcomeSettings {
	if (item.isTool) return { output: 'all', onFailedItems: 'stop', tolerated: 0 };
	const options = item.collection('options');
	const { toleratedFailures: tolerated } = options;
	return {
		output: readChoice(item, options, 'output', 'Output', ['all', 'changes', 'summary']),
		onFailedItems: readChoice(item, options, 'onFailedItems', 'If Items Fail', ['stop', 'finish']),
		tolerated: hasValue(item, tolerated)
			? readAs(item, tolerated, numberBetween(0, 100), 'Tolerated Failures')
			: 0,
	};
}

/**
 * Reads how a run ends: as its first item says it that could be read.
 *
 * @throws NodeOperationError when a setting cannot work
 */
export function outcomeOf<Task>({ items, refused }: Run<Task>): OutcomeSettings {
	return readOutcome(items[0]?.item ?? refused[0]);
}

/**
 * Makes the output of a run, and ends it as a failure where that was asked for.
 *
 * @param run the run
 * @param settings how it ends
 * @param dryRun whether nothing was written
 * @param nameOf what an item is about, for the error
 * @param extras what the run adds to its items
 */
export function concludeRun<Task>(
	run: Run<Task>,
	settings: OutcomeSettings,
	dryRun: boolean,
	nameOf: (item: InputItem) => string | undefined,
	{ leavers, overLimit }: RunExtras = { leavers: [], overLimit: false },
): BuildOutput {
	return (answers) => {
		const records = answers.flatMap((answer) => ('records' in answer ? answer.records : []));
		const failed = answers.filter((answer) => 'error' in answer);
		const summary = summaryOf(
			[...records, ...leavers],
			failed.length,
			answers.length,
			run.limits,
			dryRun,
			overLimit,
		);
		showHints(run, summary);
		const { endsOnFailure, node } = run.context;
		if (settings.onFailedItems === 'finish' && endsOnFailure) {
			const isTolerated = failed.length * 100 <= settings.tolerated * answers.length;
			const ending = failed.find(({ error }) => endsRun(error));
			if (ending) throw ending.error;
			if (!isTolerated) throw failedRun(run, failed, answers.length, nameOf);
		}
		const output = (answer: ItemResult) => outputOf(run.context, answer);
		switch (settings.output) {
			case 'summary':
				return [
					{ json: { ...summary }, pairedItem: answers.map(({ item }) => ({ item: item.index })) },
					// What goes to the error output does not share the way of the summary.
					...(node.onError === 'continueErrorOutput' ? failed.flatMap(output) : []),
				];
			case 'changes':
				return [...answers.filter(isChange).flatMap(output), ...leavers.map(asItem)];
			default:
				return [...answers.flatMap(output), ...leavers.map(asItem)];
		}
	};
}

/** Whether an error is about the run and not about one of its items: a refused key, or a cancelled execution. */
function endsRun(error: Failure['error']): boolean {
	return ('httpCode' in error && error.httpCode === '401') || /\bcanceled$/.test(error.message);
}

function isChange(answer: ItemResult): boolean {
	if ('error' in answer) return true;
	const sync = syncOf(answer.records[0] ?? {});
	return sync === undefined || sync.dropped.length > 0 || !restingActions.has(sync.action);
}

/** What is no change of a contact. */
const restingActions: ReadonlySet<string> = new Set(['unchanged', 'unmanaged']);

function asItem(json: IDataObject): INodeExecutionData {
	return { json };
}

const reasonsAtMost = 5;
const namedAtMost = 10;
const number = new Intl.NumberFormat('en-US');

function failedRun<Task>(
	{ context }: Run<Task>,
	failed: Failure[],
	total: number,
	nameOf: (item: InputItem) => string | undefined,
): NodeOperationError {
	const byReason = new Map<string, typeof failed>();
	for (const answer of failed) {
		const { message } = answer.error;
		const others = byReason.get(message);
		if (others) others.push(answer);
		else byReason.set(message, [answer]);
	}
	const reasons = [...byReason].sort(([, one], [, other]) => other.length - one.length);
	const sentences = reasons.slice(0, reasonsAtMost).map(([message, answers]) => {
		const names = answers
			.slice(0, namedAtMost)
			.map(({ item }) => nameOf(item) ?? `item ${item.index}`);
		const more = answers.length > names.length ? ' …' : '';
		return `${number.format(answers.length)} × ${message}: ${names.join(', ')}${more}.`;
	});
	const others = reasons.length - sentences.length;
	const rest = others > 0 ? ` And ${others} other reasons.` : '';
	const remainder = failed.length < total ? ' All others were.' : '';
	return new NodeOperationError(
		context.node,
		`${number.format(failed.length)} of ${number.format(total)} contacts were not written`,
		{
			description: `${escapeHtml(sentences.join(' ') + rest)}${remainder} The first one: ${failed[0].error.description ?? failed[0].error.message}`,
		},
	);
}
