import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ApiClient, usualConcurrency } from '../api/client';
import { type Failure, failureOf } from '../api/failure';
import { forEachLimited, giveWay, isNonEmpty, type NonEmpty } from '../values/list';
import { RunState } from '../api/runState';
import type { Endpoint } from '../api/subjects';
import { credentialName, readCredential, readRequestOptions } from '../api/settings';
import { InputItem } from './item';
import type { RunContext } from './context';
import { assertWithinOutputLimit } from './lists';
import { nodeErrorOf } from './nodeError';
import { type Answer, type BuildOutput, ItemResults } from './results';
import { inSequences } from './sequences';

/** What a run needs to know of a field of the panel. */
interface ReadableField<Value> {
	/** Throws if the value is invalid. */
	read(item: InputItem): Value;
}

/** @typeParam Shared what its items share, such as what earlier ones have created; undefined for most */
export interface Operation<Params = unknown, Shared = unknown> {
	/** Stored in workflows. */
	value: string;
	/** The request that the operation is about. */
	request: Endpoint;
	/**
	 * Set for an operation that must not be done twice. It says what n8n would do in a retry, which runs all items again, such
	 * as "send all messages again". Retries are refused before any request.
	 */
	neverTwice?: string;
	/** Rejects the whole run, before any item is read. */
	validateRun?(context: RunContext): void;
	/** Rejects the whole run for settings in which its items must agree. */
	validateItems?(items: InputItem[]): void;
	/** A sentence for an error that ends a run before its first write. The default of a Dry Run is "Nothing was done." */
	nothingDone?: string;
	/** Whether to write nothing, for operations with such a field. The same for all items. */
	dryRun?: ReadableField<boolean>;
	/** How many requests can run at the same time, for operations with such a field. Undefined if it was not added. */
	maxConcurrency?: ReadableField<number | undefined>;
	/** Whether the other items are finished before a failure ends the run. */
	onFailedItems?: ReadableField<'stop' | 'finish'>;
	/**
	 * All items are read before anything is sent. Errors name the field by its label. Use `api` only if an item can't be read
	 * without it.
	 */
	read(item: InputItem, api: ApiClient): Params | Promise<Params>;
	/** Makes what the items share, before the first one is completed or sent. */
	begin?(): Shared;
	/** Adds what only the service knows. Called for each item once all were read, before anything is written. */
	complete?(entry: ReadyItem<Params>, shared: Shared): Promise<Params>;
	/** Items with a common key are sent in order, one after the other. */
	sequenceKeys?(params: Params, item: InputItem): string[];
	/** Works on one item, and returns its answer. Records alone count as written, unless the request of the operation reads. */
	send?(item: ReadyItem<Params>, shared: Shared): Promise<IDataObject[] | Answer>;
	/** Works on all items together. If it throws, items without a result fail with that error. */
	sendAll?(run: Run<Params>): Promise<BuildOutput | void>;
	/** Only needed if the output is more than the records of each item. */
	buildOutput?(run: Run<Params>): Promise<BuildOutput> | BuildOutput;
}

/** A valid input item with its parameters. */
export interface ReadyItem<Params> {
	item: InputItem;
	params: Params;
	/** Sends with the credential of this item. */
	api: ApiClient;
}

type Ready = ReadyItem<unknown>;

/** An item that needs a result. */
export interface PendingItem<Params> extends ReadyItem<Params> {
	/**
	 * Sets what became of the item. Records alone count as written, unless the request of the operation reads. After a failure
	 * nothing more is sent for the other items, if failures end the run.
	 */
	answer(answer: IDataObject[] | Answer): void;
}

/** The valid items of a run, and its shared state. */
export interface Run<Params> {
	items: Array<PendingItem<Params>>;
	/** Invalid items, if the run continues without them. */
	refused: InputItem[];
	/** Why an item is invalid. */
	reasonOf(refused: InputItem): Failure;
	context: RunContext;
	limits: RunState;
	hasFailures(): boolean;
}

/** Throws n8n's error if an item fails and the workflow does not continue without it. */
export async function runOperation(
	context: RunContext,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	try {
		return await outputOfRun(context, operation);
	} catch (error) {
		throw nodeErrorOf(context.node, error);
	}
}

async function outputOfRun(
	context: RunContext,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const items = context.items.map(
		(_, index) => new InputItem(context, index, operation.request),
	);
	if (!isNonEmpty(items)) return [];

	const results = new ItemResults(context, items, operation.nothingDone);
	let buildOutput: BuildOutput | void = undefined;
	try {
		buildOutput = await perform({ context, operation, items, results });
	} catch (error) {
		results.failRun(error);
	}

	await giveWay();
	const output = results.output(buildOutput ?? undefined);
	if (context.isTool) return outputForAgent(context, output);

	context.showHints();
	return output;
}

/**
 * Agents see no hints, so the last record has the warnings. If nothing else is returned, the record says so: n8n 2.41 would
 * give the agent an empty text, which looks like a failure.
 */
function outputForAgent(
	context: RunContext,
	output: INodeExecutionData[],
): INodeExecutionData[] {
	const nothing = output.length === 0 ? ['Nothing was found.'] : [];
	const message = [...nothing, ...context.tellableWarnings].join(' ');

	if (message === '') return output;
	return [...output, { json: { message }, pairedItem: { item: 0 } }];
}

/** A run, and what its steps share. */
interface Performance {
	readonly context: RunContext;
	readonly operation: Operation;
	readonly items: NonEmpty<InputItem>;
	readonly results: ItemResults;
}

async function perform(performance: Performance): Promise<BuildOutput | void> {
	const { context, operation, items, results } = performance;
	operation.validateRun?.(context);
	const clients = await openClients(context, items, operation);
	results.limits = clients.limits;

	operation.validateItems?.(items);
	const read = await readItems(performance, clients);

	// The first readable item has the settings of the run.
	const first = read[0]?.item ?? items[0];
	const finishes = operation.onFailedItems?.read(first) === 'finish';
	results.stopsOnFailure = context.endsOnFailure && !finishes;
	if (read.length > 0 && operation.dryRun?.read(first))
		results.nothingDone ??= 'Nothing was done.';
	results.throwFirst();

	const shared = operation.begin?.();
	const ready = await completeItems(performance, clients, { read, shared });
	const run = runOf(performance, clients.limits, ready);
	await giveWay();
	if (operation.sendAll) return await operation.sendAll(run);

	await sendItems(performance, clients.limits, { ready, shared });
	return await operation.buildOutput?.(run);
}

/** @returns the valid items */
async function readItems(
	{ operation, items, results }: Performance,
	{ clientOf, limits }: Clients,
): Promise<Array<Ready>> {
	const read: Array<Ready> = [];

	for (const item of items) {
		limits.assertNotCanceled();
		try {
			const api = await clientOf(item.index);
			read.push({ item, api, params: await operation.read(item, api) });
		} catch (error) {
			results.set(item, failureOf(error));
		}
		await giveWay();
	}
	return read;
}

/** @returns the items that don't fail */
async function completeItems(
	{ operation, results }: Performance,
	{ limits }: Clients,
	{ read, shared }: { read: Array<Ready>; shared: unknown },
): Promise<Array<Ready>> {
	if (!operation.complete) return read;
	const ready: Array<Ready> = [];

	for (const entry of read) {
		await giveWay();
		limits.assertNotCanceled();
		try {
			ready.push({ ...entry, params: await operation.complete(entry, shared) });
		} catch (error) {
			results.set(entry.item, failureOf(error));
		}
	}
	results.throwFirst();
	return ready;
}

function runOf(
	{ context, operation, results }: Performance,
	limits: RunState,
	ready: Array<Ready>,
): Run<unknown> {
	const refusals = results.failures;

	return {
		items: ready.map((entry) => ({
			...entry,
			answer: (answer) => results.set(entry.item, wholeAnswer(operation, answer)),
		})),
		refused: refusals.map(({ item }) => item),
		reasonOf(refused) {
			const { failure } = refusals.find(({ item }) => item === refused)!;
			return failure.with({ itemIndex: refused.index });
		},
		context,
		limits,
		hasFailures: () => results.failures.length > 0,
	};
}

async function sendItems(
	{ operation, results }: Performance,
	limits: RunState,
	{ ready, shared }: { ready: Array<Ready>; shared: unknown },
) {
	const { send, sequenceKeys = () => [] } = operation;
	const sendOne = async (entry: Ready) => {
		const { item } = entry;
		try {
			const sent = await send!(entry, shared);
			if (Array.isArray(sent)) assertWithinOutputLimit(item, sent.length);
			results.set(item, wholeAnswer(operation, sent));
		} catch (error) {
			results.set(item, failureOf(error));
		}
	};

	const sequences = inSequences(ready, ({ params, item }) => sequenceKeys(params, item));
	await forEachLimited(sequences, limits.maxConcurrency, async (sequence) => {
		for (const entry of sequence) await sendOne(entry);
	});
}

/** Without another statement, an operation has written if its request does not only read. */
function wholeAnswer({ request }: Operation, answer: IDataObject[] | Answer): Answer {
	if (!Array.isArray(answer)) return answer;
	return { records: answer, written: request.method !== 'GET' };
}

interface Clients {
	limits: RunState;
	/** Items with equal credentials share a client. */
	clientOf(itemIndex: number): Promise<ApiClient>;
}

/** The settings are those of the first item, or of the first readable one if the workflow continues after errors. */
async function openClients(
	context: RunContext,
	items: InputItem[],
	operation: Operation,
): Promise<Clients> {
	const { functions } = context;
	const { maxConcurrency, pace, http } = readFirstSettings(items, operation);
	const limits = new RunState(
		maxConcurrency,
		pace,
		functions.getExecutionCancelSignal?.(),
	);
	const connection = {
		context: functions,
		run: limits,
		http,
		availableSettings: {
			requestOptions: true,
			maxConcurrency: operation.maxConcurrency !== undefined,
		},
	};

	const byCredential = new Map<string, ApiClient>();
	const clientOf = async (itemIndex: number): Promise<ApiClient> => {
		const data = await functions.getCredentials(credentialName, itemIndex);
		const credential = readCredential(data);
		const key = JSON.stringify(credential);
		const known = byCredential.get(key);
		if (known) return known;

		context.keys.add(credential.apiKey);
		const client = new ApiClient({ ...connection, credential });
		client.rootOf(operation.request.resource);
		byCredential.set(key, client);
		return client;
	};

	const common = await commonClient(items.length, clientOf);
	return { limits, clientOf: common ? async () => common : clientOf };
}

function readFirstSettings(items: InputItem[], operation: Operation) {
	let failure: unknown;

	for (const item of items) {
		const { context, index } = item;
		try {
			const { pace, ...http } = readRequestOptions(item.collection('requestOptions'));
			return {
				maxConcurrency: operation.maxConcurrency?.read(item) ?? usualConcurrency,
				pace,
				http,
			};
		} catch (error) {
			if (context.endsOnFailure) throw failureOf(error).with({ itemIndex: index });
			failure ??= error;
		}
	}

	throw failure;
}

/**
 * The common client of a long run, or undefined if credentials may differ. n8n decrypts each time (n8n 2.41,
 * `CredentialsHelper.getDecrypted`: about half a millisecond). So only the credential of the first and the last item is
 * read, and of one that does not exist, for which an expression with `$json` fails.
 */
async function commonClient(
	itemCount: number,
	clientOf: (itemIndex: number) => Promise<ApiClient>,
): Promise<ApiClient | undefined> {
	if (itemCount <= 100) return undefined;
	try {
		const [client, ...others] = await Promise.all(
			[0, itemCount - 1, itemCount].map(clientOf),
		);
		return others.every((other) => other === client) ? client : undefined;
	} catch {
		return undefined;
	}
}
