import {
	type IDataObject,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { errorText, mayBeDone, withSentence } from '../api/errors';
import { type RunState, RunStoppedError } from '../api/runState';
import { isObject } from '../values/json';
import { RefusedInput } from './inputProblems';
import type { InputItem } from './item';
import type { RunContext } from './context';

/** Most rows of items that are named as done, in an error. */
const maxDoneRows = 20;

/** Whether the service has written what an item wants. */
export type Written = 'yes' | 'no' | 'unknown';

/** What an operation says of an item. */
export type ItemAnswer = { written: Written } & (
	{ records: IDataObject[] } | { error: unknown }
);

export interface Failure {
	item: InputItem;
	written: Written;
	error: NodeApiError | NodeOperationError;
}

export type ItemResult =
	Failure | { item: InputItem; written: Written; records: IDataObject[] };

/** Makes the output of a run from the results of its items, in order. Throws if the run should fail. */
export type BuildOutput = (results: ItemResult[]) => INodeExecutionData[];

export class ItemResults {
	/** Whether the first failure ends the run. While items are read, none does. */
	stopsOnFailure = false;

	/** What the requests of the run share, as soon as one can be sent. */
	limits?: RunState;

	private readonly results: Array<ItemResult | undefined>;

	/** Items that the end of the run interrupted, and that the service may have done. */
	private readonly interrupted = new Set<number>();

	/** Whether the error of the run says what became of its items. */
	private isDescribed = false;

	constructor(
		private readonly context: RunContext,
		private readonly items: InputItem[],
		/** Ends an error of a run that wrote nothing. */
		public nothingDone?: string,
	) {
		this.results = items.map(() => undefined);
	}

	get failures(): Failure[] {
		return this.results.filter((result) => result !== undefined && 'error' in result);
	}

	answer(item: InputItem, answer: ItemAnswer) {
		if ('records' in answer) this.results[item.index] ??= { item, ...answer };
		else this.fail(item, answer.error, answer.written);
	}

	succeed(item: InputItem, records: IDataObject[]) {
		this.answer(item, { written: writtenBy(records), records });
	}

	fail(item: InputItem, error: unknown, written = writtenDespite(error)) {
		if (this.results[item.index]) return;
		// A request that was not sent because the run had ended is not a failure of its item.
		if (error instanceof RunStoppedError) {
			if (written === 'unknown') this.interrupted.add(item.index);
			return;
		}

		const nodeError = this.asNodeError(
			error instanceof RefusedInput ? error.error : error,
		);
		// Items can share an error, such as that of a list that all of them need. It names the first item.
		const named = Number(nodeError.context.itemIndex ?? Infinity);
		nodeError.context.itemIndex = Math.min(named, item.index);
		this.results[item.index] = { item, written, error: nodeError };
		if (this.stopsOnFailure && this.limits) this.limits.stopped = true;
	}

	/**
	 * Ends the run with an error. If the workflow continues after errors, fails the items without a result instead, since
	 * n8n 2.41 would output the unchanged input after a thrown error.
	 */
	failRun(error: unknown) {
		this.throwFirst();
		const failure = this.asNodeError(error);
		if (this.context.endsOnFailure) throw this.withOutcomes(failure);

		if (!this.limits?.writes) this.addNothingDone(failure);
		const items = this.unanswered.length > 0 ? this.unanswered : this.items;
		const written = writtenDespite(error);
		items.forEach(
			(item) => (this.results[item.index] = { item, written, error: failure }),
		);
	}

	throwFirst() {
		if (this.stopsOnFailure && this.failures.length > 0)
			throw this.withOutcomes(this.failures[0].error);
	}

	/** Adds what became of the other items, since the output of a stopped run is lost. */
	private withOutcomes(error: Failure['error']): Failure['error'] {
		if (this.isDescribed) return error;
		this.isDescribed = true;
		if (!this.limits?.writes) return this.addNothingDone(error);

		const outcomes = this.items.map(({ index }) => this.writtenOf(index));
		writtenSentences(outcomes).forEach((sentence) => withSentence(error, sentence));
		return error;
	}

	private addNothingDone(error: Failure['error']): Failure['error'] {
		return this.nothingDone ? withSentence(error, this.nothingDone) : error;
	}

	private writtenOf(index: number): Written {
		const interrupted = this.interrupted.has(index) ? 'unknown' : 'no';
		return this.results[index]?.written ?? interrupted;
	}

	/** Throws if the run should fail. Without `build`, the output is the records of each item. */
	output(build?: BuildOutput): INodeExecutionData[] {
		if (this.unanswered.length > 0) this.failRun(new Error('The item has no result'));
		this.throwFirst();

		const results = this.results as ItemResult[];
		return build
			? build(results)
			: results.flatMap((result) => outputOf(this.context, result));
	}

	private get unanswered(): InputItem[] {
		return this.items.filter(({ index }) => !this.results[index]);
	}

	/** The error as n8n shows it. It may quote a record in which the service repeats the key. */
	private asNodeError(error: unknown): Failure['error'] {
		const nodeError =
			error instanceof NodeApiError || error instanceof NodeOperationError
				? error
				: new NodeOperationError(this.context.node, error as Error);

		nodeError.message = this.context.hideKeys(nodeError.message);
		if (nodeError.description) {
			nodeError.description = this.context.hideKeys(nodeError.description);
		}
		return nodeError;
	}
}

/** Says which items were written, and of which that is not known, for an error that replaces the output. */
export function writtenSentences(outcomes: readonly Written[]): string[] {
	const indicesOf = (wanted: Written) =>
		outcomes.flatMap((written, index) => (written === wanted ? [index] : []));
	const [done, unknown] = [indicesOf('yes'), indicesOf('unknown')];

	const sentences: string[] = [];
	if (done.length > 0) sentences.push(`Done: ${itemRanges(done, maxDoneRows)}.`);
	if (unknown.length > 0) sentences.push(`Unknown: ${itemRanges(unknown)}.`);
	return sentences;
}

/** A record says so if nothing was done. */
function writtenBy(records: IDataObject[]): Written {
	const isDone = ({ _sync, deleted, found }: IDataObject) =>
		isObject(_sync)
			? /^(cre|upd)ated$/.test(String(_sync.action))
			: deleted !== false && found !== false;
	return records.some(isDone) ? 'yes' : 'no';
}

function writtenDespite(error: unknown): Written {
	return mayBeDone(error as Parameters<typeof mayBeDone>[0]) ? 'unknown' : 'no';
}

export function outputOf(context: RunContext, result: ItemResult): INodeExecutionData[] {
	const pairedItem = { item: result.item.index };
	const records = 'records' in result ? result.records : [failureRecord(context, result)];
	return records.map((json) => ({ json, pairedItem }));
}

/**
 * The output of a failed item. n8n 1.123 and 2.41 send a record with only `error` to the error output, and add the
 * fields and the pairing of the input there. Agents get the record as the result of the tool.
 */
function failureRecord(
	{ isTool, node }: RunContext,
	{ item, error }: Failure,
): IDataObject {
	const standsAlone = isTool || node.onError === 'continueErrorOutput';
	return { ...(standsAlone ? {} : item.json), error: errorText(error) };
}

/**
 * Names items by their numbers, such as "items 0 to 148, 151".
 * @param indices in order
 * @param maxRows how many rows of items are named before the rest is counted
 */
export function itemRanges(indices: readonly number[], maxRows = Infinity): string {
	const rows = rowsIn(indices);
	const named = rows.slice(0, maxRows).map(rowText);
	const unnamed = rows.slice(maxRows).flat().length;

	const noun = indices.length === 1 ? 'item' : 'items';
	const more = unnamed > 0 ? ` and ${unnamed} more` : '';
	return `${noun} ${named.join(', ')}${more}`;
}

/** Groups indices that follow each other. */
function rowsIn(indices: readonly number[]): number[][] {
	const rows: number[][] = [];

	for (const index of indices) {
		const row = rows[rows.length - 1];
		if (row?.[row.length - 1] === index - 1) row.push(index);
		else rows.push([index]);
	}
	return rows;
}

function rowText(row: number[]): string {
	return row.length > 2 ? `${row[0]} to ${row[row.length - 1]}` : row.join(', ');
}
