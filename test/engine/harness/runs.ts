import { WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	ITaskData,
	IWorkflowBase,
	NodeExecutionHint,
	StructuredChunk,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';
import { addHooks, createAdditionalData } from './additionalData';
import type { EngineCredentials } from './credentials';
import { giveTable, ProcessedItems } from './processedItems';
import type { RunNodeTypes } from './runNodeTypes';
import { createWorkflow } from './workflows';

/** An input item: its data alone, or a whole item with binary data. */
export type InputItem = IDataObject | INodeExecutionData;

/** How an execution is started. */
export interface ExecutionOptions {
	/** What the first node receives, one empty item if absent. */
	input?: InputItem[];
	/** `manual` (a test in the editor) if absent, otherwise `trigger` or `webhook`. */
	mode?: WorkflowExecuteMode;
	timezone?: string;
	/** What n8n has stored for the workflow. Like n8n, a run changes it unless its mode is `manual`. */
	memory?: IDataObject;
	/** n8n's table of processed items, which runs of every mode change; an empty one if absent. */
	processed?: ProcessedItems;
	/** Empty for a workflow that was never saved. */
	workflowId?: string;
	/** Whether the workflow's trigger answers as a stream. */
	streaming?: boolean;
	/** Called with each chunk that a node streams, at the time when it does. */
	onChunk?: (chunk: StructuredChunk) => void;
	/** Cancels the execution when aborted, as the stop button does. */
	signal?: AbortSignal;
}

/** What one node did in an execution. */
export interface NodeResult {
	/** The items of each output branch. */
	outputs: INodeExecutionData[][];
	/** The items of the first output branch. */
	items: INodeExecutionData[];
	/** The error that stopped the node. */
	error?: ExecutionError;
	/** The hints of the editor beside the output. */
	hints: NodeExecutionHint[];
	/** How often the node ran: more than once with Retry On Fail. */
	tries: number;
}

/** What an execution did. */
export interface ExecutionResult {
	nodes: Record<string, NodeResult>;
	/** The error that stopped the execution. */
	error?: ExecutionError;
	/** What the nodes streamed, in the order in which it was sent. */
	chunks: StructuredChunk[];
	/** Everything that n8n saves of an execution; absent if it could not begin. */
	run?: IRun;
}

interface Execution extends ExecutionOptions {
	nodes: INode[];
	connections: IConnections;
	nodeTypes: RunNodeTypes;
	credentials: EngineCredentials;
}

function isWholeItem(item: InputItem): item is INodeExecutionData {
	return typeof item.json === 'object' && item.json !== null;
}

/** Turns the input of a test into items. */
function toItems(input: InputItem[]): INodeExecutionData[] {
	return input.map((item) => deepCopy(isWholeItem(item) ? item : { json: item }));
}

function toNodeResult(task: ITaskData | undefined, tries: number): NodeResult {
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	return {
		outputs,
		items: outputs[0] ?? [],
		error: task?.error,
		hints: task?.hints ?? [],
		tries,
	};
}

/** Runs a workflow from its first node to the end in n8n's own engine. */
export async function execute(execution: Execution): Promise<ExecutionResult> {
	const { nodes, connections, nodeTypes, credentials } = execution;
	const { input = [{}], mode = 'manual', timezone, streaming = false, onChunk, signal } = execution;
	const { memory = {}, processed = new ProcessedItems() } = execution;
	const workflow = createWorkflow(nodes, connections, nodeTypes, timezone, deepCopy(memory));
	workflow.id = execution.workflowId ?? workflow.id;
	giveTable(workflow, processed);
	const stored = { id: workflow.id, name: workflow.name, nodes, connections } as IWorkflowBase;
	const additionalData = createAdditionalData(credentials);
	const chunks = addHooks(additionalData, mode, stored, streaming, onChunk);
	const [first] = nodes;

	let run: IRun | undefined;
	let error: ExecutionError | undefined;
	try {
		const running = new WorkflowExecute(additionalData, mode).run({
			workflow,
			startNode: first,
			triggerToStartFrom: {
				name: first.name,
				data: {
					data: { main: [toItems(input)] },
					startTime: 0,
					executionIndex: 0,
					executionTime: 0,
					source: [],
				},
			},
		});
		const cancel = () => running.cancel();
		if (signal?.aborted) cancel();
		signal?.addEventListener('abort', cancel, { once: true });
		run = await running;
		signal?.removeEventListener('abort', cancel);
		error = run.data.resultData.error;
	} catch (refusal) {
		// The engine refuses to begin when a required parameter is missing.
		error = refusal as ExecutionError;
	}

	// n8n saves it only if it has changed.
	if (mode !== 'manual' && workflow.staticData.__dataChanged === true) {
		Object.assign(memory, deepCopy(workflow.staticData));
	}
	const results = nodes.map(({ name }) => [
		name,
		toNodeResult(run?.data.resultData.runData[name]?.at(-1), nodeTypes.triesOf(name)),
	]);
	return { nodes: Object.fromEntries(results), error, chunks, run };
}
