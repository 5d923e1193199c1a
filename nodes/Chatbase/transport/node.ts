import type { INode } from 'n8n-workflow';

import type { ServiceContext } from './credential';

const nodes = new WeakMap<object, INode>();

/**
 * The node that a context belongs to.
 *
 * n8n copies the node with everything it holds, the mapper and its schema included, whenever it is asked
 * for it. So it is asked once for each context.
 */
export function nodeOf(context: Pick<ServiceContext, 'getNode'>): INode {
	const known = nodes.get(context);
	if (known) return known;
	const node = context.getNode();
	nodes.set(context, node);
	return node;
}
