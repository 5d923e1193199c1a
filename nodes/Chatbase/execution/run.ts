import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import { errorText } from '../api/errors';
import type { RunLimits } from '../api/limits';
import { forEachLimited, RunStoppedError } from '../api/limits';
import { assertWithinOutputLimit } from '../fields/paging';
import { assertOneDryRun } from './dryRun';
import type { MainRequest, RunContext } from './item';
import { InputItem } from './item';
import { openServices } from './services';

/** An operation of the node: all that the panel shows of it, and what it does. */
export interface Operation<Params = unknown> {
	/** What workflows store. */
	value: string;
	name: string;
	action: string;
	description: string;
	request: MainRequest;
	/** In the order of the panel. */
	fields: INodeProperties[];
	/** Refuses a run as a whole, before any of its items is read. */
	validateRun?(context: RunContext): void;
	/**
	 * Reads the parameters of an item and refuses what cannot work. All items are read before anything is sent;
	 * `api` is only for what an item cannot be understood without.
	 *
	 * @throws NodeOperationError that names the field by its display name
	 */
	read(item: InputItem, api: ApiClient): Params | Promise<Params>;
	/** Items that share a key are sent one after the other, in their order. */
	sequenceKeys?(params: Params, item: InputItem): string[];
	/** Works on one item, and returns the records that become output items. */
	send?(item: ReadyItem<Params>): Promise<IDataObject[]>;
	/** Works on all items together, and answers each of them. Items that are unanswered when it throws fail with that error. */
	sendAll?(run: Run<Params>): Promise<BuildOutput | void>;
	/** Makes the output after `send`, if it is more than the records of each item. */
	buildOutput?(run: Run<Params>): BuildOutput;
	/** Whether all other items are worked on before a failure ends the run. */
	continueAfterFailure?(item: InputItem): boolean;
}

/** An input item that was read and found valid. */
export interface ReadyItem<Params> {
	item: InputItem;
	params: Params;
	/** Sends with the credential of this item. */
	api: ApiClient;
}

/** An item that has to be answered once. */
export interface PendingItem<Params> extends ReadyItem<Params> {
	/** Hands over the records that become output items. */
	succeed(records: IDataObject[]): void;
	/** Fails this item; where failures end the run, nothing more is sent for the others either. */
	fail(error: unknown): void;
}

export interface Failure {
	item: InputItem;
	error: NodeApiError | NodeOperationError;
}

export type ItemResult = Failure | { item: InputItem; records: IDataObject[] };

/** The valid items of a run, and what they share. */
export interface Run<Params> {
	items: Array<PendingItem<Params>>;
	/** Items that were refused while they were read, if the run goes on without them. */
	refused: InputItem[];
	context: RunContext;
	limits: RunLimits;
	hasFailures(): boolean;
}

/**
 * Makes the output of a run from the result of each input item, in their order.
 *
 * @throws NodeOperationError if the run is to end as a failure
 */
export type BuildOutput = (results: ItemResult[]) => INodeExecutionData[];

/**
 * Runs an operation for all items: reads them all, refuses what is wrong, then sends.
 *
 * @throws NodeApiError or NodeOperationError if an item fails and the workflow does not go on without it
 */
export async function runOperation(
	context: RunContext,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const items = context.items.map((_, index) => new InputItem(context, index, operation.request));
	if (items.length === 0) return [];
	const results = new ItemResults(context, items);
	let buildOutput: BuildOutput | void;
	try {
		operation.validateRun?.(context);
		buildOutput = await perform(context, operation, items, results);
	} catch (error) {
		results.failRun(error);
	}
	buildOutput ??= (all) => all.flatMap((result) => outputOf(context, result));
	const output = buildOutput(results.complete());
	if (!context.isTool || output.length > 0) return output;
	// n8n 2.41 hands an empty text to the agent, which could take it for a failure.
	return [{ json: { message: 'Nothing was found.' }, pairedItem: { item: 0 } }];
}

async function perform(
	context: RunContext,
	operation: Operation,
	items: InputItem[],
	results: ItemResults,
): Promise<BuildOutput | void> {
	const services = await openServices(context, items, operation.fields);
	const { limits } = services;
	results.onStop = () => (limits.stopped = true);
	assertOneDryRun(items, operation.fields);
	const ready: Array<ReadyItem<unknown>> = [];
	for (const item of items) {
		await results.attempt(item, async () => {
			const api = await services.of(item.index);
			api.rootOf(operation.request.version);
			ready.push({ item, api, params: await operation.read(item, api) });
		});
	}
	// The first item that can be read tells the settings of the run.
	const first = ready[0]?.item ?? items[0];
	results.stopsOnFailure = context.endsOnFailure && !operation.continueAfterFailure?.(first);
	results.throwFirst();

	const run: Run<unknown> = {
		items: ready.map((entry) => ({
			...entry,
			succeed: (records) => results.succeed(entry.item, records),
			fail: (error) => results.fail(entry.item, error),
		})),
		refused: results.failures.map(({ item }) => item),
		context,
		limits,
		hasFailures: () => results.failures.length > 0,
	};
	if (operation.sendAll) return await operation.sendAll(run);
	await forEachLimited(inSequences(ready, operation), limits.maxConcurrency, async (sequence) => {
		for (const entry of sequence) {
			await results.attempt(entry.item, async () => {
				const records = await operation.send!(entry);
				assertWithinOutputLimit(entry.item, records.length);
				results.succeed(entry.item, records);
			});
		}
	});
	return operation.buildOutput?.(run);
}

/** Puts items together that share a key, directly or through others. */
function inSequences(
	ready: Array<ReadyItem<unknown>>,
	{ sequenceKeys }: Operation,
): Array<Array<ReadyItem<unknown>>> {
	if (!sequenceKeys) return ready.map((entry) => [entry]);
	const byKey = new Map<string, Array<ReadyItem<unknown>>>();
	for (const entry of ready) {
		const keys = [`item ${entry.item.index}`, ...sequenceKeys(entry.params, entry.item)];
		const known = keys.map((key) => byKey.get(key)).filter((sequence) => sequence !== undefined);
		const [sequence = [], ...others] = new Set(known);
		sequence.push(entry);
		keys.forEach((key) => byKey.set(key, sequence));
		for (const other of others) {
			sequence.push(...other);
			byKey.forEach((held, key) => held === other && byKey.set(key, sequence));
		}
	}
	return [...new Set(byKey.values())].map((sequence) =>
		sequence.sort((one, other) => one.item.index - other.item.index),
	);
}

class ItemResults {
	/** Whether the first failure ends the run; while items are read, none does. */
	stopsOnFailure = false;

	/** Called at once when a failure ends the run, so that no request slips in. */
	onStop = () => {};

	private readonly results: Array<ItemResult | undefined>;

	constructor(
		private readonly context: RunContext,
		private readonly items: InputItem[],
	) {
		this.results = items.map(() => undefined);
	}

	/** In the order of the items. */
	get failures(): Failure[] {
		return this.results.filter((result) => result !== undefined && 'error' in result);
	}

	succeed(item: InputItem, records: IDataObject[]) {
		this.results[item.index] ??= { item, records };
	}

	fail(item: InputItem, error: unknown) {
		// A request that was not sent because the run had ended says nothing about its item.
		if (error instanceof RunStoppedError || this.results[item.index]) return;
		const nodeError = this.asNodeError(error);
		// Items can share an error, such as that of a list that all of them need: it names the first one.
		const named = Number(nodeError.context.itemIndex ?? Infinity);
		nodeError.context.itemIndex = Math.min(named, item.index);
		this.results[item.index] = { item, error: nodeError };
		if (this.stopsOnFailure) this.onStop();
	}

	/** Does something about an item, which fails with it. */
	async attempt(item: InputItem, work: () => Promise<void>) {
		try {
			await work();
		} catch (error) {
			this.fail(item, error);
		}
	}

	/**
	 * Ends the run with what kept it from its end, or fails the items that are not answered yet if the workflow goes
	 * on without them: n8n 2.41 passes the input on as a success where an error is thrown there.
	 */
	failRun(error: unknown) {
		this.throwFirst();
		if (this.context.endsOnFailure) throw this.asNodeError(error);
		const open = this.unanswered;
		this.failAll(open.length > 0 ? open : this.items, error);
	}

	/** Ends the run if it is over with its first failure. */
	throwFirst() {
		if (this.stopsOnFailure && this.failures.length > 0) throw this.failures[0].error;
	}

	complete(): ItemResult[] {
		this.throwFirst();
		this.failAll(this.unanswered, new Error('The item was not worked on'));
		this.throwFirst();
		return this.results as ItemResult[];
	}

	private get unanswered(): InputItem[] {
		return this.items.filter(({ index }) => !this.results[index]);
	}

	/** Fails items with something that is about none of them more than others. */
	private failAll(items: InputItem[], reason: unknown) {
		const error = this.asNodeError(reason);
		items.forEach((item) => (this.results[item.index] = { item, error }));
	}

	private asNodeError(error: unknown): Failure['error'] {
		return error instanceof NodeApiError || error instanceof NodeOperationError
			? error
			: new NodeOperationError(this.context.node, error as Error);
	}
}

export function outputOf(context: RunContext, result: ItemResult): INodeExecutionData[] {
	const pairedItem = { item: result.item.index };
	const records = 'records' in result ? result.records : [failureRecord(context, result)];
	return records.map((json) => ({ json, pairedItem }));
}

/**
 * What a failed item leaves behind. n8n 1.123 and 2.41 both send a record with `error` alone to the error output, add
 * the fields of the input there and keep the pairing. Agents read the record as the answer of the tool.
 */
function failureRecord({ isTool, node }: RunContext, { item, error }: Failure): IDataObject {
	const standsAlone = isTool || node.onError === 'continueErrorOutput';
	return { ...(standsAlone ? {} : item.json), error: errorText(error) };
}
