import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Place } from '../transport/errorTexts';
import { unescapeHtml } from '../transport/html';
import { Dropped } from '../transport/session';
import { InputItem } from './inputItem';
import type { MainRequest } from './inputItem';
import type { Answer, Conclusion, OpenItem, Operation, ReadyItem } from './operation';
import { assertWithinOutputLimit } from './outputLimit';
import type { RunContext } from './runContext';
import { openServices } from './services';

type NodeError = NodeApiError | NodeOperationError;

/** What the description says about an operation. */
export interface Endpoint {
	request: MainRequest;
	place: Place;
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
	{ request, place }: Endpoint,
): Promise<INodeExecutionData[]> {
	const items = context.items.map((_, index) => new InputItem(context, index, request));
	if (items.length === 0) return [];
	const answers = new Answers(context, items);
	let conclude: Conclusion = (all) => {
		if (!context.isTool && !context.continuesOnFail) answers.throwFirst(true);
		return all.flatMap((answer) => outputOf(context, answer));
	};
	try {
		operation.admit?.(context);
		conclude = (await perform(context, operation, place, items, answers)) ?? conclude;
	} catch (error) {
		answers.failRun(error);
	}
	answers.failRest(new NodeOperationError(context.node, 'The item was not worked on'));
	const output = conclude(answers.complete());
	if (!context.isTool || output.length > 0) return output;
	// An agent would be handed an empty text (n8n 2.41), and could take it for a failure.
	return [{ json: { message: 'Nothing was found.' }, pairedItem: { item: 0 } }];
}

async function perform<Task>(
	context: RunContext,
	operation: Operation<Task>,
	place: Place,
	items: InputItem[],
	answers: Answers,
): Promise<Conclusion | void> {
	const tasks = items.map((item) => answers.attempt(item, () => operation.read(item)));
	// Where an expression fails for the first item, the next one tells the settings of the run.
	const first = items.find((_, index) => tasks[index]) ?? items[0];
	if (operation.finishesOthers?.(first)) answers.throwsAtFirst = false;
	answers.throwFirst();
	const services = await openServices(context, first, place);
	const { traffic } = services;
	answers.onFailure = () => (traffic.stopped = true);
	const ready: Array<ReadyItem<Task>> = [];
	for (const [index, item] of items.entries()) {
		const read = tasks[index];
		if (!read) continue;
		try {
			ready.push({ item, task: read.value, service: await services.of(index) });
		} catch (error) {
			answers.fail(item, error);
		}
	}
	answers.throwFirst();

	if ('sendAll' in operation) {
		const open = ready.map((entry): OpenItem<Task> => ({
			...entry,
			succeed: (records) => answers.succeed(entry.item, records),
			fail: (error) => answers.fail(entry.item, error),
		}));
		const refused = items.filter((item) => answers.hasFailed(item));
		const { throwsAtFirst: stopsOnFailure } = answers;
		const hasFailures = () => answers.haveFailed;
		return await operation.sendAll({
			items: open,
			refused,
			context,
			traffic,
			stopsOnFailure,
			hasFailures,
		});
	}
	await Promise.all(
		ready.map(async (entry) => {
			try {
				const records = await operation.send(entry);
				assertWithinOutputLimit(entry.item, records.length);
				answers.succeed(entry.item, records);
			} catch (error) {
				answers.fail(entry.item, error);
			}
		}),
	);
}

/** The answers of a run as they come in, one for each item. */
class Answers {
	/** Whether the first failure ends the run. */
	throwsAtFirst: boolean;

	/** What kept a run from its end whose items have all been answered. */
	runFailure?: NodeError;

	/** Called at once when the first failure ends the run, so that no request slips in. */
	onFailure = () => {};

	private readonly answers: Array<Answer | undefined>;

	constructor(
		private readonly context: RunContext,
		private readonly items: InputItem[],
	) {
		this.answers = items.map(() => undefined);
		this.throwsAtFirst = !context.isTool && !context.continuesOnFail;
	}

	/** What comes of a work about one item, which fails with it. */
	attempt<Value>(item: InputItem, work: () => Value): { value: Value } | undefined {
		try {
			return { value: work() };
		} catch (error) {
			this.fail(item, error);
			return undefined;
		}
	}

	succeed(item: InputItem, records: IDataObject[]) {
		this.answers[item.index] ??= { item, records };
	}

	/** @param isOfRun whether the error is about no item more than others */
	fail(item: InputItem, error: unknown, isOfRun = false) {
		// A request that was not sent because the run had ended says nothing about its item.
		if (error instanceof Dropped || this.answers[item.index]) return;
		const nodeError = this.asNodeError(error);
		if (!isOfRun) nodeError.context.itemIndex ??= item.index;
		this.answers[item.index] = { item, error: nodeError };
		if (this.throwsAtFirst) this.onFailure();
	}

	failRest(error: unknown) {
		if (this.throwsAtFirst && this.firstFailure) return;
		this.items.forEach((item) => this.fail(item, error, true));
	}

	/** Fails what is not answered yet; where nothing is left to fail, the run itself. */
	failRun(error: unknown) {
		this.failRest(error);
		if (!this.haveFailed) this.runFailure = this.asNodeError(error);
	}

	hasFailed({ index }: InputItem): boolean {
		const answer = this.answers[index];
		return answer !== undefined && 'error' in answer;
	}

	get haveFailed(): boolean {
		return this.firstFailure !== undefined;
	}

	/** Ends the run where it is over with its first failure. */
	throwFirst(isOver = this.throwsAtFirst) {
		const failure = this.runFailure ?? this.firstFailure;
		if (isOver && failure) throw failure;
	}

	complete(): Answer[] {
		this.throwFirst();
		return this.answers as Answer[];
	}

	private get firstFailure(): NodeError | undefined {
		const failed = this.answers.find((answer) => answer && 'error' in answer);
		return failed && 'error' in failed ? failed.error : undefined;
	}

	private asNodeError(error: unknown): NodeError {
		return error instanceof NodeApiError || error instanceof NodeOperationError
			? error
			: new NodeOperationError(this.context.node, error as Error);
	}
}

/** The output items of one input item. */
export function outputOf(context: RunContext, answer: Answer): INodeExecutionData[] {
	const pairedItem = { item: answer.item.index };
	const records = 'records' in answer ? answer.records : [failureRecord(context, answer)];
	return records.map((json) => ({ json, pairedItem }));
}

/**
 * What an item that failed leaves behind. The error output takes a record by its keys, of which `error`
 * alone is known to n8n 1.123 and 2.41 alike; there n8n adds the fields of the input and keeps the pairing. Agents
 * read the record as the answer of the tool.
 */
function failureRecord(
	{ isTool, node }: RunContext,
	{ item, error }: { item: InputItem; error: NodeError },
): IDataObject {
	const { message, description } = error;
	const text = description ? `${message}. ${unescapeHtml(description)}` : message;
	const standsAlone = isTool || node.onError === 'continueErrorOutput';
	return standsAlone ? { error: text } : { ...item.json, error: text };
}
