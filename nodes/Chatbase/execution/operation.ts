import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import type { RunLimits } from '../api/runLimits';
import type { InputItem } from './item';
import type { RunContext } from './runContext';

/** An input item that has been read and found valid. */
export interface ReadyItem<Task> {
	item: InputItem;
	/** What the operation has read of it. */
	params: Task;
	/** The way to the service with the credential of this item. */
	api: ApiClient;
}

/** An item of an operation that works on all items together. It has to be answered once. */
export interface PendingItem<Task> extends ReadyItem<Task> {
	/** Hands over the records that become the output items. */
	succeed(records: IDataObject[]): void;
	/** Fails this item; where failures end the run, nothing more is sent for the others either. */
	fail(error: unknown): void;
}

/** An input item that could not be worked on. */
export interface Failure {
	item: InputItem;
	error: NodeApiError | NodeOperationError;
}

/** What became of an input item. */
export type ItemResult = Failure | { item: InputItem; records: IDataObject[] };

/** All valid items of a run. */
export interface Run<Task> {
	items: Array<PendingItem<Task>>;
	/** Items that were refused while they were read; only where the workflow goes on without them. */
	refused: InputItem[];
	context: RunContext;
	/** What the requests of the run share. It has stopped as soon as a failure ends the run. */
	limits: RunLimits;
	/** Whether an item has failed so far. */
	hasFailures(): boolean;
}

/**
 * Makes the output of a run, where that is more than the records of each item.
 *
 * @param answers the answer of each input item, in their order
 * @throws NodeOperationError when the run is to end as a failure
 */
export type BuildOutput = (answers: ItemResult[]) => INodeExecutionData[];

interface Readable<Task> {
	/**
	 * Looks at the parameters of one item and refuses what cannot work. It makes no request: no item is sent
	 * before all of them have been read.
	 *
	 * @throws NodeOperationError that names the field by its display name
	 */
	read(item: InputItem): Task;
	/** Whether the user wants all other items to be worked on before a failure ends the run. */
	continueAfterFailure?(item: InputItem): boolean;
	/** Refuses a run as a whole, before any of its items is read. */
	validateRun?(context: RunContext): void;
}

/** An operation that works on each item by itself. */
export interface SingleOperation<Task> extends Readable<Task> {
	/** @returns the records that become output items */
	send(item: ReadyItem<Task>): Promise<IDataObject[]>;
}

/** An operation that works on all items together, because that saves requests or keeps them in order. */
export interface BatchOperation<Task> extends Readable<Task> {
	/** Answers every item. Items that are left unanswered when it throws fail with the same error. */
	sendAll(run: Run<Task>): Promise<BuildOutput | void>;
}

/** What the node does for a resource and an operation. */
export type Operation<Task = unknown> = SingleOperation<Task> | BatchOperation<Task>;
