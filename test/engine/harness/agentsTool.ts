import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INode, INodeTypes, NodeOutput } from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';

import { createAdditionalData } from './additionalData';
import type { EngineCredentials } from './credentials';

/**
 * Runs a node as a tool of n8n's Agents do (n8n 2.41, `EphemeralNodeExecutor`): alone in a workflow that was never saved,
 * with what the model filled in as its only item.
 */
export async function runAgentsTool(
	node: INode,
	filledIn: IDataObject,
	nodeTypes: INodeTypes,
	credentials: EngineCredentials,
): Promise<NodeOutput> {
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const items = [{ json: filledIn }];
	const data = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData(credentials),
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		data,
		{ node, data, source: null },
		[],
	);
	const { execute } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	return await execute!.call(context);
}
