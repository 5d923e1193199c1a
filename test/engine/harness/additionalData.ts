import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type {
	ICredentialsHelper,
	INodeParameters,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	StructuredChunk,
	WorkflowExecuteMode,
} from 'n8n-workflow';

let executions = 0;
const instance = 'https://n8n.example/';

function unavailable(what: string): () => never {
	return () => {
		throw new Error(`The engine of the tests offers no ${what}`);
	};
}

/** What n8n passes to an execution besides the workflow: credentials, URLs, hooks. */
export function createAdditionalData(
	credentialsHelper: ICredentialsHelper,
	currentNodeParameters?: INodeParameters,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		currentNodeParameters,
		currentNodeExecutionIndex: 0,
		executionId: String(++executions),
		variables: {},
		externalSecretsProxy: new ExternalSecretsProxy(),
		instanceBaseUrl: instance,
		restApiUrl: `${instance}rest`,
		formBaseUrl: `${instance}form`,
		formTestBaseUrl: `${instance}form-test`,
		formWaitingBaseUrl: `${instance}form-waiting`,
		webhookBaseUrl: `${instance}webhook`,
		webhookTestBaseUrl: `${instance}webhook-test`,
		webhookWaitingBaseUrl: `${instance}webhook-waiting`,
		mcpBaseUrl: `${instance}mcp`,
		mcpTestBaseUrl: `${instance}mcp-test`,
		logAiEvent: () => {},
		executeWorkflow: unavailable('sub-workflows'),
		getRunExecutionData: unavailable('saved executions'),
		getRuntimeCredential: unavailable('runtime credentials'),
		startRunnerTask: unavailable('task runners'),
	};
}

/** Adds the hooks that an execution needs; with streaming on, what a node streams is collected. */
export function addHooks(
	additionalData: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode,
	workflow: IWorkflowBase,
	streaming: boolean,
	onChunk?: (chunk: StructuredChunk) => void,
): StructuredChunk[] {
	const chunks: StructuredChunk[] = [];
	const hooks = new ExecutionLifecycleHooks(mode, additionalData.executionId!, workflow);
	if (streaming) {
		hooks.addHandler('sendChunk', (chunk) => {
			chunks.push(chunk);
			onChunk?.(chunk);
		});
	}
	additionalData.hooks = hooks;
	additionalData.streamingEnabled = streaming;
	return chunks;
}
