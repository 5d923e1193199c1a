/** A real n8n with the packed package in it, in which whole workflows are executed. */
import { Api } from '../lab/api.mjs';
import { startCrm, type Customer } from '../lab/crm.mjs';
import type { PackedExecution } from '../lab/execution.mjs';
import { startN8n, type N8n } from '../lab/instance.mjs';
import { installNode } from '../lab/package.mjs';
import { chooseChatbot, enterAddresses, fillIn, type Workflow } from '../lab/workflow.mjs';
import type { Target } from './processes/service.mjs';

/** n8n's record of an execution. */
export interface WholeRun {
	/** From the start of the execution to its end. */
	ms: number;
	/** The size of its data in n8n's database. */
	bytes: number;
	/** Time and output of each node, in the order of execution. */
	nodes: NodeRun[];
	/** Why the result is wrong. */
	wrong?: string;
}

export interface NodeRun {
	name: string;
	ms: number;
	items: number;
}

/** An execution as n8n's REST interface returns it, with what its database knows besides the data. */
interface StoredExecution extends PackedExecution {
	/** ISO 8601. */
	startedAt: string;
	/** ISO 8601. */
	stoppedAt: string;
}

export class Instance {
	private constructor(
		private readonly n8n: N8n,
		private readonly api: Api,
	) {}

	static async start(): Promise<Instance> {
		const n8n = await startN8n({ prepare: installNode });
		try {
			const api = new Api(n8n.baseUrl);
			await api.session.setUpOwner();
			return new Instance(n8n, api);
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	}

	/**
	 * Executes a workflow from its first trigger, as the editor's Execute button does.
	 *
	 * @param customers what the CRM has that the workflow reads from
	 */
	async run(workflow: Workflow, customers: Customer[], target: Target): Promise<WholeRun> {
		const { apiKey, baseUrl, chatbotId } = target;
		const crm = await startCrm(customers);
		try {
			const credentials = [
				await this.api.createCredential('chatbaseV1Api', baseUrl, { apiKey, baseUrl }),
				await this.api.createCredential('httpBearerAuth', baseUrl, { token: apiKey }),
			];
			const filledIn = fillIn(workflow, {
				'https://crm.example.com': crm.baseUrl,
				'https://www.chatbase.co/api/v1': baseUrl,
				REPLACE_WITH_CHATBOT_ID: chatbotId,
			});
			const ready = enterAddresses(chooseChatbot(filledIn, chatbotId, 'Customers'));
			const stored = await this.api.importWorkflow(ready, credentials);
			const { id, status, runs, error } = await this.api.runWorkflow(stored);
			const path = `/rest/executions/${id}`;
			const packed = await this.api.session.request<StoredExecution>('GET', path);
			return {
				ms: Date.parse(packed.stoppedAt) - Date.parse(packed.startedAt),
				bytes: Buffer.byteLength(packed.data),
				nodes: Object.entries(runs).map(([name, tries]) => ({
					name,
					ms: tries.reduce((sum, { executionTime }) => sum + executionTime, 0),
					items: tries.flatMap(({ data }) => data?.main ?? []).flatMap((items) => items ?? [])
						.length,
				})),
				wrong: status === 'success' ? undefined : `${status}: ${error?.message}`,
			};
		} finally {
			await crm.close();
		}
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
	}
}
