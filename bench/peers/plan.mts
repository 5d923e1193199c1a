/** The workflow of a peer: the nodes that a user would put on the canvas. */
import type { IConnections, IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { NodeOptions, ProcessedItems } from '../../test/engine/harness/index.js';
import type { InputItem } from '../../test/engine/harness/runs.js';
import type { Flaw } from '../data.mjs';
import type { Target } from '../processes/service.mjs';

/** A job for a peer. */
export interface Task {
	target: Target;
	/** How many contacts, customers or documents. */
	count: number;
	/** How many of the customers or documents have changed, in percent. */
	percent?: number;
	/** Requests in flight, where the peer lets its user choose. */
	concurrency?: number;
	/** The setting of a user who knows the service's limit. */
	batching?: { batchSize: number; batchInterval: number };
	/** Whether items may fail alone. */
	continues?: boolean;
	/** What is wrong with some of the new contacts. */
	flaw?: Flaw;
}

export interface Plan {
	nodes: Array<NodeOptions & { name: string }>;
	/** If absent, every node follows the one before. */
	connections?: IConnections;
	/** What the first node receives, one empty item if absent. */
	input?: InputItem[];
	/** Node types that no package holds, by full type name. */
	nodeTypes?: Record<string, INodeType>;
	streaming?: boolean;
	/** What n8n has stored for the nodes of the workflow. A run changes it. */
	memory?: IDataObject;
	/** What nodes have stored in n8n's table of processed items. A run changes it. */
	processed?: ProcessedItems;
}

/** Name of the node in front of the others. */
export const start = 'Start';

/** A resource locator that holds an ID, or an expression for one. */
export function byId(value: string): INodeParameters {
	return { __rl: true, mode: 'id', value };
}
