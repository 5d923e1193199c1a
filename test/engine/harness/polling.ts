import { PollContext, TriggersAndPollers } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeTypes,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import type { EngineCredentials } from './credentials';
import { createWorkflow } from './workflows';

/** How n8n treats a polling trigger. */
export interface PollingOptions {
	/** The static data of an earlier activation; empty by default. */
	staticData?: IDataObject;
	/** Why the workflow is active: just switched on, or n8n has started again (`init`). */
	activation?: WorkflowActivateMode;
	timezone?: string;
}

/** What one poll did. */
export interface PollResult {
	/** The output of the trigger; null starts no execution. */
	outputs: INodeExecutionData[][] | null;
	/** The items of the first output branch. */
	items: INodeExecutionData[];
	/** The node's static data as the poll left it, whether n8n saves it or not. */
	staticData: IDataObject;
}

/** A polling trigger with the memory that n8n keeps for it. */
export class Poller {
	/** The node's static data as n8n has saved it. */
	staticData: IDataObject;
	private readonly workflow: Workflow;

	constructor(
		private readonly node: INode,
		nodeTypes: INodeTypes,
		private readonly credentials: EngineCredentials,
		private readonly options: PollingOptions,
	) {
		this.staticData = options.staticData ?? {};
		this.workflow = createWorkflow([node], {}, nodeTypes, options.timezone);
	}

	/** Polls as an active workflow does; the changes of a failed poll are dropped. */
	async poll(): Promise<PollResult> {
		const result = await this.run('trigger', this.options.activation ?? 'activate');
		this.staticData = result.staticData;
		return result;
	}

	/** Polls as the editor does for a test; n8n saves no state of it. */
	async test(): Promise<PollResult> {
		return await this.run('manual', 'manual');
	}

	private async run(
		mode: 'manual' | 'trigger',
		activation: WorkflowActivateMode,
	): Promise<PollResult> {
		const { workflow, node, credentials } = this;
		const staticData = deepCopy(this.staticData);
		const context = new PollContext(
			workflow,
			node,
			createAdditionalData(credentials),
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			() => staticData,
		);
		const outputs = await new TriggersAndPollers().runPollFunction(workflow, node, context);
		return { outputs, items: outputs?.[0] ?? [], staticData };
	}
}
