/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
// First, before anything that loads n8n-core.
import { removeUserFolder } from './environment';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { LoggerProxy, NodeConnectionTypes } from 'n8n-workflow';
import { resolve } from 'node:path';
import { runAgentsTool } from './agentsTool';
import { testCredential } from './credentialTest';
import { type CredentialData, EngineCredentials } from './credentials';
import { listSearch, loadOptions, resourceMapping } from './methods';
import { PackageTypes } from './packageTypes';
import { type OtherN8n, RunNodeTypes } from './runNodeTypes';
import { Poller, type PollingOptions } from './polling';
import { execute, type ExecutionOptions, type ExecutionResult, type NodeResult } from './runs';
import { agent, agentNodeType, branch, branchNodeType, start, startNodeType } from './standIns';
import { ScriptedAgent, type Tool, type ToolAnswer, type ToolCall } from './tools';
import { connect, type Connection, createNode, type NodeOptions } from './workflows';

const projectFolder = resolve(__dirname, '../../..');

/** What an engine is created with. */
export interface EngineOptions {
	/** What the user typed into each credential. */
	credentials?: CredentialData;
}

/** Credentials that replace the engine's own for one call. */
interface CredentialOptions {
	credentials?: CredentialData;
}

export interface RunOptions extends NodeOptions, ExecutionOptions, CredentialOptions, OtherN8n {}

export interface RunResult extends NodeResult, Omit<ExecutionResult, 'nodes'> {}

export interface WorkflowOptions extends ExecutionOptions, CredentialOptions, OtherN8n {
	/** The nodes under test, with different names. */
	nodes: Array<NodeOptions & { name: string }>;
	/** The lines between them and from `Start`; if absent, every node follows the one before. */
	connections?: Connection[];
}

export interface ToolOptions extends ExecutionOptions, CredentialOptions {
	/** The tools of one agent; the node types are those of the ordinary nodes. */
	tools: Array<NodeOptions & { name: string }>;
	/** The calls that the agent makes at the same time. */
	calls: ToolCall[];
}

export interface ToolResult extends Omit<ExecutionResult, 'nodes' | 'error'> {
	/** One answer a call, in the order of the calls. */
	answers: ToolAnswer[];
	tools: Tool[];
	/** The error that stopped the agent itself. */
	executionError?: ExecutionResult['error'];
}

export interface ListSearchOptions extends NodeOptions, CredentialOptions {
	filter?: string;
	paginationToken?: string;
}

/** Creates an engine that runs the built nodes of this project. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
	const types = await PackageTypes.load(projectFolder);
	// n8n's own logger takes a stack trace for each line, also for those that it does not print.
	const nothing = () => {};
	LoggerProxy.init({ debug: nothing, error: nothing, info: nothing, warn: nothing });
	return new Engine(types, options.credentials ?? {});
}

/** Runs the nodes of one built package in n8n's own engine. */
export class Engine {
	constructor(
		private readonly types: PackageTypes,
		private readonly credentials: CredentialData,
	) {}

	/** Runs one node on the given items. */
	async run(options: RunOptions): Promise<RunResult> {
		const { name = 'Node', ...execution } = options;
		const { nodes, ...rest } = await this.runWorkflow({
			...execution,
			nodes: [{ ...options, name }],
		});
		return { ...nodes[name], ...rest };
	}

	/** Runs several nodes in one workflow. */
	async runWorkflow(options: WorkflowOptions): Promise<ExecutionResult> {
		const standIns = { [start.type]: startNodeType, [branch.type]: branchNodeType };
		const nodeTypes = new RunNodeTypes(this.types, standIns, options);
		const credentials = this.credentialsFor(options);
		const nodes = [{ node: start.type, name: start.name }, ...options.nodes].map((node) =>
			createNode(this.withType(node), nodeTypes, credentials),
		);
		// Branches run from top to bottom: in the order in which the test lists their nodes.
		nodes.forEach((node, index) => (node.position = [0, index]));
		const chain = nodes.slice(1).map(({ name }, index) => ({ from: nodes[index].name, to: name }));
		const connections = connect(options.connections ?? chain);
		return await execute({ ...options, nodes, connections, nodeTypes, credentials });
	}

	/** Lets an agent call one tool, and returns its answer. */
	async callTool(
		options: RunOptions & { arguments: ToolCall['arguments'] },
	): Promise<ToolAnswer & Omit<ToolResult, 'answers'>> {
		const { name = 'Tool', arguments: parameters, ...execution } = options;
		const { answers, ...rest } = await this.callTools({
			...execution,
			tools: [{ ...options, name }],
			calls: [{ tool: name, arguments: parameters }],
		});
		return { ...rest, ...(answers[0] ?? { error: rest.executionError }) };
	}

	/** Lets one agent call several tools, or one tool several times, at the same time. */
	async callTools(options: ToolOptions): Promise<ToolResult> {
		const scripted = new ScriptedAgent(options.calls);
		const nodeTypes = new RunNodeTypes(this.types, {
			[start.type]: startNodeType,
			[agent.type]: agentNodeType(async function (this: IExecuteFunctions) {
				return await scripted.execute(this);
			}),
		});
		const credentials = this.credentialsFor(options);
		const tools = options.tools.map((tool) => {
			const typed = this.withType(tool);
			return createNode({ ...typed, node: `${typed.node}Tool` }, nodeTypes, credentials);
		});
		const nodes = [start, agent].map(({ type, name }) =>
			createNode({ node: type, name }, nodeTypes, credentials),
		);
		const connections = connect([
			{ from: start.name, to: agent.name },
			...tools.map(({ name }) => ({
				from: name,
				to: agent.name,
				type: NodeConnectionTypes.AiTool,
			})),
		]);
		const {
			error: executionError,
			chunks,
			run,
		} = await execute({
			...options,
			nodes: [...nodes, ...tools],
			connections,
			nodeTypes,
			credentials,
		});
		return { answers: scripted.answers, tools: scripted.tools, executionError, chunks, run };
	}

	/** Calls a tool as n8n's Agents do, which have no workflow, and returns its records. */
	async callAgentsTool(
		options: NodeOptions & CredentialOptions & { arguments: ToolCall['arguments'] },
	): Promise<IDataObject[]> {
		const typed = this.withType(options);
		const credentials = this.credentialsFor(options);
		const node = createNode({ ...typed, node: `${typed.node}Tool` }, this.types, credentials);
		const output = await runAgentsTool(node, options.arguments, this.types, credentials);
		return (output as INodeExecutionData[][])[0].map(({ json }) => json);
	}

	/** Runs a method that fills a searchable list, as the editor does. */
	async listSearch(name: string, options: ListSearchOptions = {}) {
		const { filter, paginationToken } = options;
		return await listSearch(name, this.methodCall(options), filter, paginationToken);
	}

	/** Runs a method that fills a list of options, as the editor does. */
	async loadOptions(name: string, options: NodeOptions & CredentialOptions = {}) {
		return await loadOptions(name, this.methodCall(options));
	}

	/** Runs a method that names the fields of a resource mapper, as the editor does. */
	async resourceMapping(name: string, options: NodeOptions & CredentialOptions = {}) {
		return await resourceMapping(name, this.methodCall(options));
	}

	/** Tests a credential as n8n does when the user saves it. */
	async testCredential(type: string, data: ICredentialDataDecryptedObject) {
		return await testCredential(type, data, this.types);
	}

	/** A polling trigger, ready for a sequence of polls. */
	poller(options: NodeOptions & PollingOptions & CredentialOptions = {}): Poller {
		const credentials = this.credentialsFor(options);
		const node = createNode(this.withType(options), this.types, credentials);
		return new Poller(node, this.types, credentials, options);
	}

	/** Removes what the engine put on disk. */
	close(): void {
		removeUserFolder();
	}

	private methodCall(options: NodeOptions & CredentialOptions) {
		return {
			options: this.withType(options),
			nodeTypes: this.types,
			credentials: this.credentialsFor(options),
		};
	}

	private withType<T extends NodeOptions>(options: T): T {
		return { ...options, node: options.node ?? this.types.firstNodeType };
	}

	private credentialsFor({ credentials = this.credentials }: CredentialOptions): EngineCredentials {
		return new EngineCredentials(this.types, credentials);
	}
}
