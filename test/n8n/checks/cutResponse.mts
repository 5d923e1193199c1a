/** A response that breaks off in its body. Older versions of n8n report it as an error with the status of the response. */
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const node = 'Chatbase';

const contact = {
	resource: 'contact',
	operation: 'upsert',
	contactFields: {
		mappingMode: 'defineBelow',
		value: { external_id: 'cut-1', name: 'Jane' },
		matchingColumns: [],
		schema: [],
	},
};

const message = { resource: 'chat', operation: 'send', message: 'Hello' };

export async function cutResponsesAreUnclear(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Cut response' });
	const cutOnce = () => {
		service.clearRequests();
		service.faults.add({ when: { method: 'POST', times: 1 }, fault: { kind: 'resetMidBody' } });
	};
	const posts = () => service.requests.filter(({ method }) => method === 'POST').length;

	cutOnce();
	const created = await run(stage, chatbot.id, contact);
	checks.expectEqual('A contact whose response is cut is looked up', created.status, 'success');
	checks.expectEqual('It is in the output', created.json(node)[0]?.external_id, 'cut-1');
	checks.expectEqual('It was sent once', [posts(), [...chatbot.contacts].length], [1, 1]);

	cutOnce();
	const { error } = await run(stage, chatbot.id, message);
	checks.expectEqual(
		'The error of a message says that the connection was lost',
		error?.message,
		'The connection to the service was lost',
	);
	checks.expect(
		'It says that the service may have done it',
		String(error?.description).includes('may have done it'),
	);
	checks.expectEqual('The message was sent once', posts(), 1);
}

async function run(
	stage: Stage,
	chatbotId: string,
	parameters: Record<string, unknown>,
): Promise<Execution> {
	const start = {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const chatbase = {
		name: node,
		type: 'n8n-nodes-chatbase.chatbase',
		typeVersion: 1,
		credentials: { chatbaseV1Api: { id: '', name: '' } },
		parameters: { ...parameters, chatbotId: { __rl: true, mode: 'id', value: chatbotId } },
	};
	const nodes = [start, chatbase].map((each, index) => ({
		...each,
		id: `cut-${index}`,
		position: [index * 240, 0],
	}));
	const workflow = {
		name: `Cut response: ${String(parameters.resource)}`,
		nodes,
		connections: { Start: { main: [[{ node, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
	const stored = await stage.api.importWorkflow(workflow, [stage.credential]);
	return await stage.api.runWorkflow(stored);
}
