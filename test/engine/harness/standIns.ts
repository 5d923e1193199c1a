import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/** Type name and node name of the node before the node under test, which passes its input on. */
export const start = { type: 'harness.start', name: 'Start' };

/** Type name and node name of the node that calls tools as an AI agent does. */
export const agent = { type: 'harness.agent', name: 'Agent' };

function describe(
	name: string,
	inputs: INodeTypeDescription['inputs'],
	outputs: INodeTypeDescription['outputs'],
): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name },
		inputs,
		outputs,
		properties: [],
	};
}

/** A node that passes its input on unchanged, like a trigger. */
export const startNodeType: INodeType = {
	description: describe(start.type, [], [NodeConnectionTypes.Main]),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Type name of a node like n8n's IF: items with `output: 1` leave by its second output, and lose that value. */
export const branch = { type: 'harness.branch' };

export const branchNodeType: INodeType = {
	description: describe(
		branch.type,
		[NodeConnectionTypes.Main],
		[NodeConnectionTypes.Main, NodeConnectionTypes.Main],
	),
	async execute(this: IExecuteFunctions) {
		const outputs: INodeExecutionData[][] = [[], []];
		this.getInputData().forEach(({ json: { output = 0, ...json } }, item) =>
			outputs[Number(output)].push({ json, pairedItem: { item } }),
		);
		return outputs;
	},
};

/** A node with a tool input that runs the given function instead of a language model. */
export function agentNodeType(execute: NonNullable<INodeType['execute']>): INodeType {
	const { Main, AiTool } = NodeConnectionTypes;
	return { description: describe(agent.type, [Main, AiTool], [Main]), execute };
}

/** n8n's No Operation node, in whose name n8n sends the test request of a credential. */
export const noOperation = describe(
	'n8n-nodes-base.noOp',
	[NodeConnectionTypes.Main],
	[NodeConnectionTypes.Main],
);
