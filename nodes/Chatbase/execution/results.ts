import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Failure, failureOf, type Written } from '../api/failure';
import type { RunState } from '../api/runState';
import { RefusedInput, refusedRun } from './inputProblems';
import type { InputItem } from './item';
import type { RunContext } from './context';

/** How many rows of items an error names as done, such as "items 0 to 148". */
const maxDoneRows = 20;

/** What became of an item. */
export type Answer =
	Failure | { readonly records: IDataObject[]; readonly written: boolean };

/** The answer of an operation that writes, for an item for which it wrote nothing. */
export function unwritten(...records: IDataObject[]): Answer {
	return { records, written: false };
}

export interface FailedItem {
	readonly item: InputItem;
	readonly failure: Failure;
	/** Set if the item was refused when it was read. */
	readonly refusal?: RefusedInput;
}

interface DoneItem {
	readonly item: InputItem;
	readonly records: IDataObject[];
	readonly written: boolean;
}

export type ItemResult = FailedItem | DoneItem;

/** Makes the output of a run from the results of its items, in order. Throws if the run should fail. */
export type BuildOutput = (results: ItemResult[]) => INodeExecutionData[];

export class ItemResults {
	/** Whether the first failure ends the run. While items are being read, no failure does. */
	stopsOnFailure = false;

	/** What the requests of the run share. Set as soon as requests can be sent. */
	limits?: RunState;

	private readonly results: Array<ItemResult | undefined>;

	/** Items that the end of the run interrupted, and that the service may have done. */
	private readonly interrupted = new Set<number>();

	constructor(
		private readonly context: RunContext,
		private readonly items: InputItem[],
		/** The last sentence of an error, if the run wrote nothing. */
		public nothingDone?: string,
	) {
		this.results = items.map(() => undefined);
	}

	get failures(): FailedItem[] {
		return this.results.filter((result) => result !== undefined && 'failure' in result);
	}

	/** Only the first answer counts. The end of a run is no answer, but may leave an item unknown. */
	set(item: InputItem, answer: Answer): void {
		if (this.results[item.index]) return;
		if (!(answer instanceof Failure)) {
			this.results[item.index] = { item, ...answer };
			return;
		}

		if (answer.isEndOfRun) {
			if (answer.written === 'unknown') this.interrupted.add(item.index);
			return;
		}

		const refusal = answer instanceof RefusedInput ? answer : undefined;
		this.results[item.index] = { item, failure: this.tellable(answer), refusal };
		if (this.stopsOnFailure && this.limits) this.limits.stopped = true;
	}

	/**
	 * Ends the run with an error. If the workflow continues after errors, fails the items without a result instead, since
	 * n8n 2.41 would output the unchanged input after a thrown error.
	 */
	failRun(error: unknown): void {
		const ofRun = this.tellable(error);
		if (this.context.endsOnFailure) throw this.withOutcomes(this.firstOfItems ?? ofRun);

		const failure = this.limits?.writes ? ofRun : this.withNothingDone(ofRun);
		// If all items have results, the run failed after them. Its failure replaces the results.
		const failed = this.unanswered.length > 0 ? this.unanswered : this.items;
		for (const item of failed) this.results[item.index] = { item, failure };
		this.sayAll(failure);
	}

	/** The item because of which a run failed says what its own failure could not: what that means for the others. */
	private sayAll(ofRun: Failure) {
		const cause = this.failures.find(({ item }) => item.index === ofRun.itemIndex);
		if (cause) this.results[cause.item.index] = { ...cause, failure: ofRun };
	}

	/** Throws the failure of the first item, or of all that were refused, if it ends the run. */
	throwFirst(): void {
		if (this.firstOfItems) throw this.firstOfItems;
	}

	private get firstOfItems(): Failure | undefined {
		if (!this.stopsOnFailure) return undefined;
		const { failures } = this;
		const [first] = failures;
		if (!first) return undefined;

		const refused = refusedRun(failures);
		if (refused) return this.tellable(refused);
		// Items can share a failure, such as that of a list that all of them need. The error names the first item.
		return first.failure.with({ itemIndex: first.item.index });
	}

	/** Adds what became of the other items, since the output of a stopped run is lost. */
	private withOutcomes(failure: Failure): Failure {
		if (!this.limits?.writes) return this.withNothingDone(failure);

		const outcomes = this.items.map(({ index }) => this.outcomeOf(index));
		return failure.and(...writtenSentences(outcomes));
	}

	private withNothingDone(failure: Failure): Failure {
		if (!this.nothingDone) return failure;
		return failure.and(this.nothingDone);
	}

	private outcomeOf(index: number): Written {
		const result = this.results[index];
		if (result) return writtenOf(result);

		return this.interrupted.has(index) ? 'unknown' : 'no';
	}

	/** Throws if the run should fail. Without `build`, the output is the records of each item. */
	output(build?: BuildOutput): INodeExecutionData[] {
		if (this.unanswered.length > 0) this.failRun(new Error('The item has no result'));
		if (this.firstOfItems) throw this.withOutcomes(this.firstOfItems);

		const results = this.results as ItemResult[];
		if (build) return build(results);
		return results.flatMap((result) => outputItemsOf(this.context, result));
	}

	private get unanswered(): InputItem[] {
		return this.items.filter(({ index }) => !this.results[index]);
	}

	/** The failure without the keys of the run: it may quote a record in which the service repeats a key. */
	private tellable(error: unknown): Failure {
		return failureOf(error).withWords((text) => this.context.hideKeys(text));
	}
}

/** Says which items were written, and of which that is not known, for an error that replaces the output. */
export function writtenSentences(outcomes: readonly Written[]): string[] {
	const indicesOf = (wanted: Written) =>
		outcomes.flatMap((written, index) => (written === wanted ? [index] : []));
	const done = indicesOf('yes');
	const unknown = indicesOf('unknown');

	const sentences: string[] = [];
	if (done.length > 0) sentences.push(`Done: ${itemRanges(done, maxDoneRows)}.`);
	if (unknown.length > 0) sentences.push(`Unknown: ${itemRanges(unknown)}.`);
	return sentences;
}

/** Whether the service has written what the item wants. */
export function writtenOf(result: ItemResult): Written {
	if ('failure' in result) return result.failure.written;
	return result.written ? 'yes' : 'no';
}

export function outputItemsOf(
	context: RunContext,
	result: ItemResult,
): INodeExecutionData[] {
	const pairedItem = { item: result.item.index };
	if ('failure' in result) return [{ json: failureRecord(context, result), pairedItem }];

	return result.records.map((json) => ({ json, pairedItem }));
}

/**
 * The output of a failed item. n8n 1.123 and 2.41 send a record with only `error` to the error output, and add the
 * fields and the pairing of the input there. Agents get the record as the result of the tool.
 */
function failureRecord(
	{ isTool, node }: RunContext,
	{ item, failure }: FailedItem,
): IDataObject {
	const error = failure.text;
	const standsAlone = isTool || node.onError === 'continueErrorOutput';
	return standsAlone ? { error } : { ...item.json, error };
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
	if (row.length <= 2) return row.join(', ');
	return `${row[0]} to ${row[row.length - 1]}`;
}
