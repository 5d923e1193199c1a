import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import { errorText, withSentence } from '../api/errors';
import type { RunLimits } from '../api/limits';
import { forEachLimited, RunStoppedError } from '../api/limits';
import type { Endpoint } from '../api/resources';
import { assertWithinOutputLimit } from '../fields/paging';
import { firstOf } from '../values/firstOf';
import { isObject } from '../values/object';
import { assertOneDryRun } from './dryRun';
import type { RunContext } from './item';
import { InputItem } from './item';
import { openClients } from './clients';

/** An operation of the node: what the panel shows, and what it does. */
export interface Operation<Params = unknown> {
	/** Stored in workflows. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** The request that the operation is about. */
	request: Endpoint;
	/** In the order of the panel. */
	fields: INodeProperties[];
	/** False for an operation that the panel of a tool does not offer. */
	worksAsTool?: false;
	/** Rejects the whole run, before any item is read. */
	validateRun?(context: RunContext): void;
	/**
	 * All items are read before anything is sent. Errors name the field by its label. Use `api` only if an item can't be read
	 * without it.
	 */
	read(item: InputItem, api: ApiClient): Params | Promise<Params>;
	/** Items with a common key are sent in order, one after the other. */
	sequenceKeys?(params: Params, item: InputItem): string[];
	/** Works on one item, and returns its output records. */
	send?(item: ReadyItem<Params>): Promise<IDataObject[]>;
	/** Works on all items together. If it throws, items without a result fail with that error. */
	sendAll?(run: Run<Params>): Promise<BuildOutput | void>;
	/** If the output is not just the records of each item. */
	buildOutput?(run: Run<Params>): BuildOutput;
	/** Whether the other items are finished before a failure ends the run. */
	continueAfterFailure?(item: InputItem): boolean;
}

/** A valid input item with its parameters. */
export interface ReadyItem<Params> {
	item: InputItem;
	params: Params;
	/** Sends with the credential of this item. */
	api: ApiClient;
}

/** An item that needs a result. */
export interface PendingItem<Params> extends ReadyItem<Params> {
	succeed(records: IDataObject[]): void;
	/** Fails this item. If failures end the run, nothing more is sent for the others either. */
	fail(error: unknown): void;
}

export interface Failure {
	item: InputItem;
	error: NodeApiError | NodeOperationError;
}

export type ItemResult = Failure | { item: InputItem; records: IDataObject[] };

/** The valid items of a run, and its shared state. */
export interface Run<Params> {
	items: Array<PendingItem<Params>>;
	/** Invalid items, if the run continues without them. */
	refused: InputItem[];
	context: RunContext;
	limits: RunLimits;
	hasFailures(): boolean;
}

/** Makes the output of a run from the results of its items, in order. Throws if the run should fail. */
export type BuildOutput = (results: ItemResult[]) => INodeExecutionData[];

/** Throws if an item fails and the workflow does not continue without it. */
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
	// n8n 2.41 would give the agent an empty text, which looks like a failure.
	return [{ json: { message: 'Nothing was found.' }, pairedItem: { item: 0 } }];
}

async function perform(
	context: RunContext,
	operation: Operation,
	items: InputItem[],
	results: ItemResults,
): Promise<BuildOutput | void> {
	const clients = await openClients(context, items, operation.fields);
	const { limits } = clients;
	results.onStop = () => (limits.stopped = true);
	assertOneDryRun(items, operation.fields);
	const ready: Array<ReadyItem<unknown>> = [];
	for (const item of items) {
		await results.attempt(item, async () => {
			const api = await clients.clientOf(item.index);
			api.rootOf(operation.request.resource);
			ready.push({ item, api, params: await operation.read(item, api) });
		});
	}
	// The first readable item has the settings of the run.
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

/** Groups items that have a common key, directly or through other items. */
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
	/** Whether the first failure ends the run. While items are read, none does. */
	stopsOnFailure = false;

	/** Called immediately when a failure ends the run, so that no more requests are sent. */
	onStop = () => {};

	private readonly results: Array<ItemResult | undefined>;

	constructor(
		private readonly context: RunContext,
		private readonly items: InputItem[],
	) {
		this.results = items.map(() => undefined);
	}

	get failures(): Failure[] {
		return this.results.filter((result) => result !== undefined && 'error' in result);
	}

	succeed(item: InputItem, records: IDataObject[]) {
		this.results[item.index] ??= { item, records };
	}

	fail(item: InputItem, error: unknown) {
		// A request that was not sent because the run had ended is not a failure of its item.
		if (error instanceof RunStoppedError || this.results[item.index]) return;
		const nodeError = this.asNodeError(error);
		// Items can share an error, such as that of a list that all of them need. It names the first item.
		const named = Number(nodeError.context.itemIndex ?? Infinity);
		nodeError.context.itemIndex = Math.min(named, item.index);
		this.results[item.index] = { item, error: nodeError };
		if (this.stopsOnFailure) this.onStop();
	}

	async attempt(item: InputItem, work: () => Promise<void>) {
		try {
			await work();
		} catch (error) {
			this.fail(item, error);
		}
	}

	/**
	 * Ends the run with an error. If the workflow continues after errors, fails the items without a result instead, since
	 * n8n 2.41 would output the unchanged input after a thrown error.
	 */
	failRun(error: unknown) {
		this.throwFirst();
		if (this.context.endsOnFailure) throw this.withDone(this.asNodeError(error));
		const open = this.unanswered;
		this.failAll(open.length > 0 ? open : this.items, error);
	}

	throwFirst() {
		if (this.stopsOnFailure && this.failures.length > 0)
			throw this.withDone(this.failures[0].error);
	}

	/** Adds what was written before the run ended, since its output is lost. */
	private withDone(error: Failure['error']): Failure['error'] {
		if (this.items[0].request.method === 'GET') return error;
		const done = this.results.filter((result) => result && 'records' in result && isDone(result));
		const names = done.map((result) => result?.item.identity.id ?? `item ${result?.item.index}`);
		const sentence = `Done before the run stopped: ${firstOf(names)}.`;
		if (names.length > 0 && !error.description?.includes('Done before the run stopped')) {
			withSentence(error, sentence);
		}
		return error;
	}

	complete(): ItemResult[] {
		this.throwFirst();
		this.failAll(this.unanswered, new Error('The item has no result'));
		this.throwFirst();
		return this.results as ItemResult[];
	}

	private get unanswered(): InputItem[] {
		return this.items.filter(({ index }) => !this.results[index]);
	}

	/** Fails items with an error about the whole run. */
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

function isDone({ records }: { records: IDataObject[] }): boolean {
	return records.some(({ _sync, deleted }) =>
		isObject(_sync) ? /^(cre|upd)ated$/.test(String(_sync.action)) : deleted !== false,
	);
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
function failureRecord({ isTool, node }: RunContext, { item, error }: Failure): IDataObject {
	const standsAlone = isTool || node.onError === 'continueErrorOutput';
	return { ...(standsAlone ? {} : item.json), error: errorText(error) };
}
