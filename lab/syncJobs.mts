import { randomUUID } from 'node:crypto';

import { type Api, type Credential, type StoredWorkflow } from './api.mjs';
import { waitUntil } from './waitUntil.mjs';
import { type Workflow } from './workflow.mjs';

/** Numbers of executions by status. */
export type Outcome = Record<string, number>;

/** In seconds, for all jobs together. */
const patience = 120;

const unfinished = new Set(['new', 'running', 'waiting']);

/** A published workflow that takes contacts by a webhook and syncs them; each post is a job. */
export class SyncJobs {
	private posted = 0;

	private constructor(
		private readonly api: Api,
		private readonly workflow: StoredWorkflow,
		private readonly url: string,
	) {}

	static async publish(api: Api, credential: Credential, chatbotId: string): Promise<SyncJobs> {
		const path = randomUUID();
		const workflow = await api.importWorkflow(syncOnPost(path, chatbotId), [credential]);
		await api.activate(workflow);
		return new SyncJobs(api, workflow, `${api.session.baseUrl}/webhook/${path}`);
	}

	/** Posts one job for each batch of contacts, all at once. */
	async post(batches: object[][]): Promise<void> {
		this.posted += batches.length;
		await Promise.all(
			batches.map(async (customers) => {
				const response = await fetch(this.url, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ customers }),
				});
				if (!response.ok) throw new Error(`POST ${this.url}: ${response.status}`);
			}),
		);
	}

	/** Waits until at most this many jobs are open, and returns how the others ended. */
	async wait(open = 0): Promise<Outcome> {
		let ended: string[] = [];
		await waitUntil(async () => {
			const statuses = (await this.api.listExecutions(this.workflow)).map(({ status }) => status);
			ended = statuses.filter((status) => !unfinished.has(status));
			return this.posted - ended.length <= open;
		}, patience);
		return count(ended);
	}
}

function syncOnPost(path: string, chatbotId: string): Workflow {
	const place = (name: string, type: string, typeVersion: number, index: number) => ({
		id: name,
		name,
		type,
		typeVersion,
		position: [index * 240, 0],
	});
	return {
		name: 'Sync job',
		nodes: [
			{
				...place('Job', 'n8n-nodes-base.webhook', 2, 0),
				parameters: { httpMethod: 'POST', path, options: {} },
				webhookId: path,
			},
			{
				...place('Split', 'n8n-nodes-base.splitOut', 1, 1),
				parameters: { fieldToSplitOut: 'body.customers', options: {} },
			},
			{
				...place('Sync', 'n8n-nodes-chatbase.chatbase', 1, 2),
				parameters: {
					resource: 'contact',
					operation: 'upsert',
					chatbotId: { __rl: true, mode: 'id', value: chatbotId },
					contactFields: { mappingMode: 'autoMapInputData', value: null },
				},
				credentials: { chatbaseV1Api: { id: '', name: '' } },
			},
		],
		connections: {
			Job: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
			Split: { main: [[{ node: 'Sync', type: 'main', index: 0 }]] },
		},
	};
}

function count(names: string[]): Outcome {
	const counts: Outcome = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}
