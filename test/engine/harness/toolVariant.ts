import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

const descriptionType: INodeProperties = {
	displayName: 'Tool Description',
	name: 'descriptionType',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Set Automatically', value: 'auto' },
		{ name: 'Set Manually', value: 'manual' },
	],
	default: 'auto',
};

function descriptionParameters(description: INodeTypeDescription): INodeProperties[] {
	const toolDescription: INodeProperties = {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: description.description,
	};
	const describesItself = description.properties.some(({ name }) =>
		['resource', 'operation'].includes(name),
	);
	if (!describesItself) return [toolDescription];
	const displayOptions = { show: { descriptionType: ['manual'] } };
	return [descriptionType, { ...toolDescription, displayOptions }];
}

/**
 * The node as n8n registers it a second time under `<name>Tool`: no inputs, an `ai_tool` output
 * and parameters for its description. Everything else, `execute` included, is the node's own.
 */
export function toolVariant(nodeType: INodeType): INodeType {
	const { description } = nodeType;
	const toolDescription: INodeTypeDescription = {
		...description,
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		usableAsTool: undefined,
		properties: [...descriptionParameters(description), ...description.properties],
	};
	return Object.create(nodeType, { description: { value: toolDescription } }) as INodeType;
}
