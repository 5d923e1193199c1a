import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	INodePropertyRouting,
} from 'n8n-workflow';

import { runItem } from './run';
import type { Service } from './service';

/** n8n's view of the input item that an operation works on. */
export type ItemContext = IExecutePaginationFunctions;

/** The request as the routing of the operation and of its fields describe it. */
export interface RoutedRequest {
	method: IHttpRequestMethods;
	/** Path below the Base URL with `{name}` placeholders. */
	path: string;
	/** What the fields have put into the body. */
	body: IDataObject;
	/** What the fields have put into the query. */
	qs: IDataObject;
}

/** An input item that has been read and found valid. */
export interface ReadyItem<Task> {
	index: number;
	task: Task;
	context: ItemContext;
	service: Service;
}

interface Readable<Task> {
	/**
	 * Looks at the parameters of one item and refuses what cannot work. It makes no request: in Stop
	 * mode no item is sent before all of them have been read.
	 *
	 * @throws NodeOperationError that names the field by its display name
	 */
	read(context: ItemContext, request: RoutedRequest): Task;
}

/** An operation that works on each item by itself. */
export interface SingleOperation<Task> extends Readable<Task> {
	/** @returns the records that become output items */
	send(item: ReadyItem<Task>): Promise<IDataObject[]>;
}

/** An item of a joint operation, which is answered as soon as its outcome is known. */
export interface JointItem<Task> extends ReadyItem<Task> {
	/** Hands over the records that become the output items. */
	succeed(records: IDataObject[]): void;
	/** Fails this item alone; in Stop mode nothing more is sent for the others either. */
	fail(error: unknown): void;
}

/** An operation whose items are sent together, because that saves requests or keeps them in order. */
export interface JointOperation<Task> extends Readable<Task> {
	/**
	 * Answers every item. Items that are left unanswered when it throws fail with the same error.
	 *
	 * @param items all valid items that the engine has started together
	 */
	sendTogether(items: Array<JointItem<Task>>): Promise<void>;
}

/** An operation of the node. */
export type Operation<Task> = SingleOperation<Task> | JointOperation<Task>;

/**
 * The routing of an operation: where its request goes, and that the operation handles it.
 *
 * n8n calls a pagination function instead of sending the request itself when `paginate` is set, in
 * tool use too, where it bypasses `customOperations`.
 *
 * @param method HTTP method of the main request
 * @param path path below the Base URL, with `{chatbotId}` and the like where IDs belong
 * @param operation what to do for an item
 */
export function routed<Task>(
	method: IHttpRequestMethods,
	path: string,
	operation: Operation<Task>,
): INodePropertyRouting {
	return {
		request: { method, url: path },
		send: { paginate: true },
		operations: {
			async pagination(this: ItemContext, requestData) {
				return await runItem(this, requestData, operation);
			},
		},
	};
}
