import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { AvailableSettings } from '../api/errorTexts';
import { errorText } from '../api/errors';
import { RunStoppedError } from '../api/credentialState';
import { InputItem } from './item';
import type { MainRequest } from './item';
import type { ItemResult, BuildOutput, Failure, Operation, ReadyItem } from './operation';
import { assertWithinOutputLimit } from './outputLimit';
import type { RunContext } from './runContext';
import { openServices } from './services';

/** What the description says about an operation. */
export interface OperationEndpoint {
	request: MainRequest;
	place: AvailableSettings;
}

/**
 * Runs an operation for all items of a run: reads them all, refuses what is wrong, then sends.
 *
 * @param context what n8n offers for the run
 * @param operation what to do
 * @param endpoint what the description says about it
 * @returns the output items, each paired with its input item
 * @throws NodeApiError or NodeOperationError when an item fails and the workflow does not go on without it
 */
export async function runOperation<Task>(
	context: RunContext,
	operation: Operation<Task>,
	{ request, place }: OperationEndpoint,
): Promise<INodeExecutionData[]> {
	const items = context.items.map((_, index) => new InputItem(context, index, request));
	if (items.length === 0) return [];
	const answers = new ItemResults(context, items);
	let conclude: BuildOutput | void;
	try {
		operation.validateRun?.(context);
		conclude = await perform(context, operation, place, items, answers);
	} catch (error) {
		answers.failRun(error);
	}
	conclude ??= (all) => all.flatMap((answer) => outputOf(context, answer));
	const output = conclude(answers.complete());
	if (!context.isTool || output.length > 0) return output;
	// An agent would be handed an empty text (n8n 2.41), and could take it for a failure.
	return [{ json: { message: 'Nothing was found.' }, pairedItem: { item: 0 } }];
}

async function perform<Task>(
	context: RunContext,
	operation: Operation<Task>,
	place: AvailableSettings,
	items: InputItem[],
	answers: ItemResults,
): Promise<BuildOutput | void> {
	const read = items.flatMap((item) => {
		try {
			return [{ item, params: operation.read(item) }];
		} catch (error) {
			answers.fail(item, error);
			return [];
		}
	});
	// Where an expression fails for the first item, the next one tells the settings of the run.
	const first = read[0]?.item ?? items[0];
	if (operation.continueAfterFailure?.(first)) answers.stopsOnFailure = false;
	const services = await openServices(context, first, place);
	const { limits } = services;
	answers.onStop = () => (limits.stopped = true);
	const ready: Array<ReadyItem<Task>> = [];
	for (const entry of read) {
		await answers.attempt(entry.item, async () => {
			ready.push({ ...entry, api: await services.of(entry.item.index) });
		});
	}
	answers.throwFirst();

	if ('sendAll' in operation) {
		return await operation.sendAll({
			items: ready.map((entry) => ({
				...entry,
				succeed: (records) => answers.succeed(entry.item, records),
				fail: (error) => answers.fail(entry.item, error),
			})),
			refused: answers.failures.map(({ item }) => item),
			context,
			limits,
			hasFailures: () => answers.failures.length > 0,
		});
	}
	const sending = ready.map(async (entry) => {
		await answers.attempt(entry.item, async () => {
			const records = await operation.send(entry);
			assertWithinOutputLimit(entry.item, records.length);
			answers.succeed(entry.item, records);
		});
	});
	await Promise.all(sending);
}

/** The answers of a run as they come in, one for each item. */
class ItemResults {
	/** Whether the first failure ends the run. */
	stopsOnFailure: boolean;

	/** Called at once when a failure ends the run, so that no request slips in. */
	onStop = () => {};

	private readonly answers: Array<ItemResult | undefined>;

	constructor(
		private readonly context: RunContext,
		private readonly items: InputItem[],
	) {
		this.answers = items.map(() => undefined);
		this.stopsOnFailure = context.endsOnFailure;
	}

	/** What has failed so far, in the order of the items. */
	get failures(): Failure[] {
		return this.answers.filter((answer) => answer !== undefined && 'error' in answer);
	}

	succeed(item: InputItem, records: IDataObject[]) {
		this.answers[item.index] ??= { item, records };
	}

	fail(item: InputItem, error: unknown) {
		// A request that was not sent because the run had ended says nothing about its item.
		if (error instanceof RunStoppedError || this.answers[item.index]) return;
		const nodeError = this.asNodeError(error);
		nodeError.context.itemIndex ??= item.index;
		this.answers[item.index] = { item, error: nodeError };
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
	 * Ends the run with what kept it from its end, or fails the items that are not answered yet where the workflow goes
	 * on without them. n8n would take an error that is thrown there for a success (2.41).
	 */
	failRun(error: unknown) {
		this.throwFirst();
		if (this.context.endsOnFailure) throw this.asNodeError(error);
		const open = this.unanswered;
		this.failAll(open.length > 0 ? open : this.items, error);
	}

	/** Ends the run where it is over with its first failure. */
	throwFirst() {
		if (this.stopsOnFailure && this.failures.length > 0) throw this.failures[0].error;
	}

	/** @returns the answers of all items */
	complete(): ItemResult[] {
		this.throwFirst();
		this.failAll(this.unanswered, new Error('The item was not worked on'));
		this.throwFirst();
		return this.answers as ItemResult[];
	}

	private get unanswered(): InputItem[] {
		return this.items.filter(({ index }) => !this.answers[index]);
	}

	/** Fails items with something that is about none of them more than others. */
	private failAll(items: InputItem[], reason: unknown) {
		const error = this.asNodeError(reason);
		items.forEach((item) => (this.answers[item.index] = { item, error }));
	}

	private asNodeError(error: unknown): Failure['error'] {
		return error instanceof NodeApiError || error instanceof NodeOperationError
			? error
			: new NodeOperationError(this.context.node, error as Error);
	}
}

/** The output items of one input item. */
export function outputOf(context: RunContext, answer: ItemResult): INodeExecutionData[] {
	const pairedItem = { item: answer.item.index };
	const records = 'records' in answer ? answer.records : [failureRecord(context, answer)];
	return records.map((json) => ({ json, pairedItem }));
}

/**
 * What an item that failed leaves behind. The error output takes a record by its keys, of which `error`
 * alone is known to n8n 1.123 and 2.41 alike; there n8n adds the fields of the input and keeps the pairing. Agents
 * read the record as the answer of the tool.
 */
function failureRecord({ isTool, node }: RunContext, { item, error }: Failure): IDataObject {
	const standsAlone = isTool || node.onError === 'continueErrorOutput';
	return { ...(standsAlone ? {} : item.json), error: errorText(error) };
}
