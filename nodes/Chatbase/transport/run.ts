import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';

import { mostItems, tooManyItems } from './ceiling';
import { unescapeHtml } from './html';
import { nodeOf } from './node';
import type { ItemContext, JointItem, JointOperation, Operation, ReadyItem } from './operation';
import { Service } from './service';
import { Dropped, Session } from './session';

const defaultMaxConcurrency = 5;

type ResultOptions = DeclarativeRestApiSettings.ResultOptions;

/** All items that one execution of one node works on, in whatever batches the engine starts them. */
interface Run {
	session: Session;
	/** The user's Timeout option in milliseconds. */
	timeout?: number;
	/** How many items the engine starts together; unknown under n8n's Batching option. */
	expected?: number;
	/** Items that have joined so far, by number. */
	joined: Set<number>;
	/** How many items have joined and are not done. */
	open: number;
	/** The items that are joining at this moment. */
	batch?: Batch;
}

/** Items that the engine starts together: nothing leaves before all of them have joined and are valid. */
interface Batch {
	ready: Array<ReadyItem<unknown>>;
	position: Map<ReadyItem<unknown>, number>;
	/** Whether an item of the batch was refused. */
	refused: boolean;
	/** Settles when all items have joined. */
	complete: Promise<void>;
	/** The records of each ready item, where the items are sent together. */
	outcomes?: Array<Promise<IDataObject[]>>;
}

/** The runs of each execution by name of the node, since the nodes of a workflow can share the key. */
const runs = new WeakMap<object, Map<string, Run>>();

/** Whether an AI agent has called the node: n8n registers its tool variant with this ending. */
export function isToolCall(context: Pick<ItemContext, 'getNode'>): boolean {
	return nodeOf(context).type.endsWith('Tool');
}

/**
 * Runs an operation for one input item. The engine calls it for every item, which makes it the one
 * door to the service: here items meet, and here their failures are dealt with.
 *
 * @param context the engine's view of the item
 * @param requestData the request that the engine has built from the routing of the fields
 * @param operation what to do
 * @returns output items, paired with the input item
 * @throws NodeApiError or NodeOperationError when the item fails in Stop mode
 */
export async function runItem<Task>(
	context: ItemContext,
	requestData: ResultOptions,
	operation: Operation<Task>,
): Promise<INodeExecutionData[]> {
	const run = joinRun(context);
	const records = withinCeiling(context, perform(context, requestData, operation, run));
	const [result] = await Promise.allSettled([records]);
	const pairedItem = { item: context.getItemIndex() };
	let outputs: INodeExecutionData[];
	let failure: NodeApiError | NodeOperationError | undefined;
	if (result.status === 'fulfilled') {
		outputs = result.value.map((json) => ({ json, pairedItem }));
	} else if (result.reason instanceof Dropped) {
		outputs = [];
	} else {
		failure = asNodeError(context, result.reason);
		outputs = [{ json: failureRecord(context, failure), pairedItem }];
		if (stopsOnFailure(context)) run.session.stopped = true;
	}
	leaveRun(context, run);
	if (failure && stopsOnFailure(context)) throw failure;
	return outputs;
}

async function perform<Task>(
	context: ItemContext,
	requestData: ResultOptions,
	operation: Operation<Task>,
	run: Run,
): Promise<IDataObject[]> {
	const batch = (run.batch ??= openBatch(context, run));
	const item = readItem(context, requestData, operation, run);
	if (item instanceof Error) batch.refused = true;
	else batch.position.set(item, batch.ready.push(item) - 1);
	await batch.complete;
	if (item instanceof Error) throw item;
	if (batch.refused && stopsOnFailure(context)) throw new Dropped();
	if ('send' in operation) return await operation.send(item);
	batch.outcomes ??= sendTogether(operation, batch.ready as Array<ReadyItem<Task>>, run);
	return await batch.outcomes[batch.position.get(item)!];
}

/** Nothing of a list that n8n cannot take whole is passed on. */
async function withinCeiling(
	context: ItemContext,
	reading: Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const records = await reading;
	if (records.length <= mostItems) return records;
	throw tooManyItems(
		context,
		'Narrow it down with Filters or a Limit, or let several input items read a part of it each, such as one month.',
	);
}

function sendTogether<Task>(
	operation: JointOperation<Task>,
	ready: Array<ReadyItem<Task>>,
	run: Run,
): Array<Promise<IDataObject[]>> {
	const items: Array<JointItem<Task>> = [];
	const outcomes = ready.map(
		async (item) =>
			await new Promise<IDataObject[]>((resolve, reject) => {
				items.push({
					...item,
					succeed: resolve,
					fail(error) {
						// At once, not when the rejection arrives: no request may slip in between.
						if (stopsOnFailure(item.context)) run.session.stopped = true;
						reject(error);
					},
				});
			}),
	);
	const failRest = (error: unknown) => items.forEach((item) => item.fail(error));
	operation.sendTogether(items).catch(failRest);
	return outcomes;
}

function readItem<Task>(
	context: ItemContext,
	{ options }: ResultOptions,
	operation: Operation<Task>,
	run: Run,
): ReadyItem<Task> | Error {
	const { proxy, skipSslCertificateValidation } = options as IHttpRequestOptions;
	const request = {
		method: options.method ?? 'GET',
		path: options.url ?? '',
		body: (options.body ?? {}) as IDataObject,
		qs: options.qs ?? {},
	};
	try {
		return {
			index: context.getItemIndex(),
			task: operation.read(context, request),
			context,
			service: new Service(context, run.session, {
				proxy,
				skipSslCertificateValidation,
				timeout: run.timeout,
			}),
		};
	} catch (error) {
		return asNodeError(context, error);
	}
}

/** Whether a failure ends the run. Agents get it as an answer instead, which they can act on. */
function stopsOnFailure(context: ItemContext): boolean {
	return !isToolCall(context) && !context.continueOnFail();
}

function joinRun(context: ItemContext): Run {
	const index = context.getItemIndex();
	const run = findRun(context, index);
	run.joined.add(index);
	run.open++;
	return run;
}

function findRun(context: ItemContext, index: number): Run {
	// Several calls of one tool share everything else that could tell them apart, and hold one item each.
	if (isToolCall(context)) return createRun(context);
	const execution = context.getExecuteData();
	const byNode = runs.get(execution) ?? new Map<string, Run>();
	runs.set(execution, byNode);
	const { name } = nodeOf(context);
	const former = byNode.get(name);
	if (former && !former.joined.has(index)) return former;
	// An item that joins a second time belongs to another try of Retry On Fail: the former one is void.
	if (former) former.session.stopped = true;
	const run = createRun(context);
	byNode.set(name, run);
	return run;
}

function leaveRun(context: ItemContext, run: Run) {
	run.open--;
	const over = run.session.stopped || run.joined.size === run.expected;
	if (run.open > 0 || !over || isToolCall(context)) return;
	const byNode = runs.get(context.getExecuteData());
	const { name } = nodeOf(context);
	if (byNode?.get(name) === run) byNode.delete(name);
}

function createRun(context: ItemContext): Run {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { timeout, batching } = context.getNodeParameter('requestOptions', {}) as {
		timeout?: number;
		batching?: { batch?: { batchInterval?: number } };
	};
	const inBatches = (batching?.batch?.batchInterval ?? 0) > 0;
	return {
		session: new Session(readMaxConcurrency(options.maxConcurrency)),
		timeout: timeout || undefined,
		expected: inBatches ? undefined : countItems(context),
		joined: new Set(),
		open: 0,
	};
}

function readMaxConcurrency(value: unknown): number {
	const isNumeric = typeof value === 'number' || typeof value === 'string';
	const number = Math.floor(isNumeric ? Number(value) : defaultMaxConcurrency);
	return number >= 1 ? number : defaultMaxConcurrency;
}

function countItems(context: ItemContext): number {
	if (isToolCall(context) || nodeOf(context).executeOnce) return 1;
	return context.getExecuteData().data.main?.[0]?.length ?? 1;
}

function openBatch(context: ItemContext, run: Run): Batch {
	const batch: Batch = {
		ready: [],
		position: new Map(),
		refused: false,
		complete: sleep(0).then(() => {
			run.batch = undefined;
			// An item whose expressions failed never joins: in Stop mode the engine has given up by now.
			if (run.expected !== undefined && run.joined.size < run.expected) batch.refused = true;
			if (batch.refused && stopsOnFailure(context)) run.session.stopped = true;
		}),
	};
	return batch;
}

function asNodeError(context: ItemContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(nodeOf(context), error as Error, {
		itemIndex: context.getItemIndex(),
	});
}

/**
 * What an item that failed leaves behind. The error output takes a record by its keys, of which `error`
 * alone is known to every version of n8n; there n8n adds the fields of the input and keeps the pairing.
 * Agents read the record as the answer of the tool.
 */
function failureRecord(
	context: ItemContext,
	{ message, description }: NodeApiError | NodeOperationError,
): IDataObject {
	const error = description ? `${message}. ${unescapeHtml(description)}` : message;
	const standsAlone = isToolCall(context) || nodeOf(context).onError === 'continueErrorOutput';
	return standsAlone ? { error } : { ...context.getInputData().json, error };
}
