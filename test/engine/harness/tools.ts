import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/** A call of a tool, as a language model asks for it. */
export interface ToolCall {
	/** Name of the tool's node. */
	tool: string;
	arguments: IDataObject;
}

/** What the agent gets for a call. */
export interface ToolAnswer {
	/** The text that the language model reads. */
	text?: string;
	/** The error that the tool threw instead. */
	error?: Error;
}

/** A tool, as n8n passes it to the agent. */
export interface Tool {
	name: string;
	/** What the language model reads about the tool. */
	description: string;
	/** One schema for each argument, all of them required. */
	schema: { shape: Record<string, { parse(value: unknown): IDataObject[string] }> };
	/** Runs the node; n8n-core's `makeHandleToolInvocation`. */
	func(parameters: IDataObject): Promise<string>;
	metadata: { sourceNodeName: string };
}

// An installation of n8n-core without n8n can mix two major versions of zod in one schema, which
// then parses nothing as a whole. Argument by argument it accepts and drops the same.
function parseArguments({ schema }: Tool, given: IDataObject): IDataObject {
	const parts = Object.entries(schema.shape);
	return Object.fromEntries(parts.map(([name, part]) => [name, part.parse(given[name])]));
}

async function answer(tool: Tool, call: ToolCall): Promise<ToolAnswer> {
	try {
		return { text: await tool.func(parseArguments(tool, call.arguments)) };
	} catch (error) {
		return { error: error as Error };
	}
}

/** An agent that makes the given calls at the same time, instead of a language model. */
export class ScriptedAgent {
	answers: ToolAnswer[] = [];
	tools: Tool[] = [];

	constructor(private readonly calls: ToolCall[]) {}

	/** What the agent's node does: it connects its tools through n8n and calls them. */
	async execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		this.tools = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
		this.answers = await Promise.all(
			this.calls.map(async (call) => await answer(this.find(call.tool), call)),
		);
		return [[{ json: {} }]];
	}

	private find(nodeName: string): Tool {
		const tool = this.tools.find(({ metadata }) => metadata.sourceNodeName === nodeName);
		if (!tool) throw new Error(`No tool ${nodeName} is connected to the agent`);
		return tool;
	}
}
