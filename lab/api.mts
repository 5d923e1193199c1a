import { setTimeout as sleep } from 'node:timers/promises';

import { Execution, type Item, type PackedExecution } from './execution.mjs';
import { Session } from './session.mjs';
import { findTrigger, type CredentialReferences, type Workflow } from './workflow.mjs';

export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** A workflow that n8n has stored. */
export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
}

export interface NodeType {
	name: string;
	displayName: string;
	version: number | number[];
	properties: Array<Record<string, unknown>>;
	[field: string]: unknown;
}

interface ListedExecution {
	id: string;
	status: string;
	/** What started it, such as `manual`, `webhook` or `error`. */
	mode: string;
}

interface Publication {
	status: 'published' | 'in_progress' | 'not_published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** In milliseconds. n8n tells of changes only to an open editor, so this asks. */
const pollInterval = 100;
const maxLooks = 20;

const unfinished = new Set(['new', 'running', 'unknown']);

/** The requests that the editor sends for a user. */
export class Api {
	readonly session: Session;

	constructor(baseUrl: string) {
		this.session = new Session(baseUrl);
	}

	/** Saves a credential; n8n encrypts its data. */
	async createCredential(
		type: string,
		name: string,
		data: Record<string, unknown>,
	): Promise<Credential> {
		return await this.session.request('POST', '/rest/credentials', { type, name, data });
	}

	/** The test that the editor runs when a credential is saved: it sends back the hidden values. */
	async testCredential({ id }: Credential): Promise<{ status: string; message: string }> {
		const credentials = await this.session.request(
			'GET',
			`/rest/credentials/${id}?includeData=true`,
		);
		return await this.session.request('POST', '/rest/credentials/test', { credentials });
	}

	/** Stores a workflow; each of its nodes gets the given credential of the type that it asks for. */
	async importWorkflow(
		workflow: Workflow,
		credentials: Credential[] = [],
	): Promise<StoredWorkflow> {
		const nodes = workflow.nodes.map((node) => ({
			...node,
			credentials: node.credentials && give(node.credentials, credentials),
		}));
		const { name, connections, settings = {}, pinData } = workflow;
		return await this.session.request('POST', '/rest/workflows', {
			name,
			nodes,
			connections,
			settings,
			pinData,
			active: false,
		});
	}

	/**
	 * Runs a stored workflow as the editor's Execute button does and waits for its end.
	 *
	 * @param triggerName the trigger to start from; the first one without it.
	 */
	async runWorkflow(
		workflow: StoredWorkflow,
		triggerName = findTrigger(workflow).name,
	): Promise<Execution> {
		const { executionId } = await this.session.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			// Older versions take the workflow from the request instead of their database.
			{ workflowData: workflow, triggerToStartFrom: { name: triggerName } },
		);
		return await this.waitForExecution(executionId);
	}

	/** Waits until an execution ends or waits for a click. */
	async waitForExecution(id: string): Promise<Execution> {
		return await this.executionOnceNot(unfinished, id);
	}

	/** Waits for the end of an execution after a click. */
	async waitForAnsweredExecution(id: string): Promise<Execution> {
		return await this.executionOnceNot(new Set([...unfinished, 'waiting']), id);
	}

	private async executionOnceNot(statuses: ReadonlySet<string>, id: string): Promise<Execution> {
		let looks = 0;
		for (;;) {
			const packed = await this.session.request<PackedExecution>('GET', `/rest/executions/${id}`);
			// Older versions report the end shortly before they have the data and the error, if there is one.
			const execution = packed.data === '[]' ? undefined : new Execution(packed);
			const lacksError = packed.status === 'error' && !execution?.error && ++looks < maxLooks;
			const isComplete = execution && !lacksError;
			if (!statuses.has(packed.status) && isComplete) return execution;
			await sleep(pollInterval);
		}
	}

	/**
	 * Retries a failed execution as the list of executions does, and waits for its end.
	 *
	 * @param loadWorkflow whether to take the workflow as it is saved now, in place of the one that failed
	 */
	async retryExecution({ id }: Execution, loadWorkflow: boolean): Promise<Execution> {
		const path = `/rest/executions/${id}/retry`;
		const retried = await this.session.request<{ id: string }>('POST', path, { loadWorkflow });
		return await this.waitForExecution(retried.id);
	}

	/** Publishes a workflow: when this returns, its webhooks, polls and schedules are on. */
	async activate(workflow: StoredWorkflow): Promise<void> {
		const { id, name, versionId } = workflow;
		await this.session.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		for (;;) {
			const { status, triggers } = await this.readPublication(id);
			if (status === 'published') return;
			if (status !== 'in_progress') {
				const reasons = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
				throw new Error(`The workflow "${name}" is ${status}: ${reasons.join('; ')}`);
			}
			await sleep(pollInterval);
		}
	}

	/** Older versions publish before they respond, and have no status. */
	private async readPublication(id: string): Promise<Publication> {
		const path = `/rest/workflows/${id}/publication-status`;
		return await this.session.request<Publication>('GET', path).catch((error: Error) => {
			if (error.message.startsWith(`GET ${path}: 404`))
				return { status: 'published', triggers: [] };
			throw error;
		});
	}

	/** Unpublishes a workflow. */
	async deactivate(workflow: StoredWorkflow): Promise<void> {
		await this.session.request('POST', `/rest/workflows/${workflow.id}/deactivate`, {});
	}

	/** The executions of a workflow, newest first. */
	async listExecutions(workflow: StoredWorkflow): Promise<ListedExecution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
		const { results } = await this.session.request<{ results: ListedExecution[] }>(
			'GET',
			`/rest/executions?limit=100&filter=${filter}`,
		);
		return results;
	}

	/** The descriptions of every node that n8n has loaded. */
	async nodeTypes(): Promise<NodeType[]> {
		return JSON.parse(await this.session.file('/types/nodes.json')) as NodeType[];
	}

	/** The text of a file that an item carries. */
	async readBinary({ binary }: Item, field = 'data'): Promise<string> {
		const { id, data } = binary![field] as { id?: string; data: string };
		// n8n 1.x keeps files in the execution by default.
		if (id === undefined) return Buffer.from(data, 'base64').toString('utf8');
		const query = new URLSearchParams({ id, action: 'download' });
		return await this.session.file(`/rest/binary-data?${query.toString()}`);
	}
}

/** Sets the given credentials in a node; other types are unchanged. */
function give(wanted: CredentialReferences, credentials: Credential[]): CredentialReferences {
	const references = credentials
		.filter(({ type }) => type in wanted)
		.map(({ type, id, name }) => [type, { id, name }]);
	return { ...wanted, ...Object.fromEntries(references) };
}
