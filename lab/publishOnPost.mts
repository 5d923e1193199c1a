import { randomUUID } from 'node:crypto';

import { type Api, type Credential } from './api.mjs';
import { type Execution } from './execution.mjs';
import { type Workflow } from './workflow.mjs';

/**
 * Publishes a workflow with a webhook in place of its schedule, for executions that n8n keeps the memory of nodes after.
 *
 * @param place its `api` may change when n8n starts anew
 * @returns posts to the webhook, and waits for the end of the execution
 */
export async function publishOnPost(
	place: { api: Api },
	workflow: Workflow,
	credentials: Credential[],
): Promise<() => Promise<Execution>> {
	const path = randomUUID();
	const webhook = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode' },
		webhookId: path,
	};
	const nodes = workflow.nodes.map((node) =>
		node.type === 'n8n-nodes-base.scheduleTrigger' ? { ...node, ...webhook } : node,
	);
	const stored = await place.api.importWorkflow({ ...workflow, nodes }, credentials);
	await place.api.activate(stored);
	return async () => {
		const { api } = place;
		// A failed execution responds with 500.
		const { status } = await fetch(`${api.session.baseUrl}/webhook/${path}`, { method: 'POST' });
		if (status === 404) throw new Error(`"${workflow.name}" is not published`);
		// An error starts a second execution of the same workflow.
		const executions = await api.listExecutions(stored);
		return await api.waitForExecution(executions.find(({ mode }) => mode === 'webhook')!.id);
	};
}
