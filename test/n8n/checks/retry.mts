/** Executions → Retry, with a message that must never be sent twice: only what comes after it can be retried. */
import { orderTemplate } from '../../../service/core/demoData.js';
import { type Chatbot } from '../../../service/index.js';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { publishOnPost } from '../../../lab/publishOnPost.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow } from '../../../lab/workflow.mjs';

const once = 'Send';
const after = 'Look up';

/** Each is an item, so a message. */
const phoneNumbers = ['+14155552671', '+14155552673'];

const messagePath = /\/messages\/template$/;

/** The two ways that the editor offers, by whether n8n takes the workflow as it is now. */
const ways = { 'the saved workflow': true, 'the original workflow': false };

/** A published workflow that reads customers, sends each a message, and reads a chatbot, which can be missing. */
class Scene {
	readonly chatbot: Chatbot;
	private readonly following: string;
	private start!: () => Promise<Execution>;

	private constructor(
		readonly stage: Stage,
		readonly checks: Checks,
		place: string,
	) {
		const { store } = stage.service;
		this.chatbot = store.addChatbot({ name: `Retry of a message, ${place}` });
		this.chatbot.agent.whatsapp.accounts.push(...orderTemplate.accounts);
		for (const phonenumber of phoneNumbers) {
			store.addContact(this.chatbot.id, { external_id: phonenumber, phonenumber });
		}
		this.following = `after-${this.chatbot.id}`;
	}

	/** @param place where the workflow fails */
	static async publish(stage: Stage, checks: Checks, place: string): Promise<Scene> {
		console.log(`  a message, ${place}`);
		stage.service.clearRequests();
		const scene = new Scene(stage, checks, place);
		const workflow = workflowOf(scene.chatbot.id, scene.following);
		scene.start = await publishOnPost(stage, workflow, [stage.credential]);
		return scene;
	}

	/** Starts the workflow as its trigger does, and waits for its end. */
	async run(): Promise<Execution> {
		return await this.start();
	}

	/** What makes the node after it work. */
	mendAfter(): void {
		this.stage.service.store.addChatbot({ id: this.following, name: 'Looked up' });
	}

	/** Both messages were sent, and no request for a third one has arrived. */
	expectSentOnce(sentence: string): void {
		const { service } = this.stage;
		const received = service.requests.filter(
			({ method, path }) => method === 'POST' && messagePath.test(path),
		);
		const sent = this.chatbot.agent.whatsapp.sent.length;
		this.checks.expectEqual(sentence, [received.length, sent], [2, 2]);
	}
}

export async function retriesDoNothingTwice(stage: Stage, checks: Checks): Promise<string> {
	await itselfFails(stage, checks);
	await nodeAfterFails(stage, checks);
	return 'a message, failed itself and after it, and retried in both ways';
}

/** The answer to the second item is lost: nobody may do the first one again, nor perhaps the second. */
async function itselfFails(stage: Stage, checks: Checks): Promise<void> {
	const scene = await Scene.publish(stage, checks, 'which failed itself');
	scene.mendAfter();
	const lost = stage.service.faults.add({
		when: { method: 'POST', path: messagePath, nth: 2 },
		fault: { kind: 'resetAfter' },
	});

	const failed = await scene.run();
	stage.service.faults.remove(lost);
	checks.expectEqual('The execution fails', failed.status, 'error');
	scene.expectSentOnce('The service did both items, though one answer was lost');

	for (const [way, loadWorkflow] of Object.entries(ways)) {
		const { error } = await stage.api.retryExecution(failed, loadWorkflow);
		checks.expectEqual(
			`Retried with ${way}, it is refused`,
			error?.message,
			'This operation refuses the retry of an execution',
		);
		scene.expectSentOnce('The service receives nothing more');
	}
}

async function nodeAfterFails(stage: Stage, checks: Checks): Promise<void> {
	const scene = await Scene.publish(stage, checks, 'after which a node failed');

	const failed = await scene.run();
	checks.expectEqual('The execution fails', failed.status, 'error');
	scene.expectSentOnce('The service did both items');

	scene.mendAfter();
	for (const [way, loadWorkflow] of Object.entries(ways)) {
		const retried = await stage.api.retryExecution(failed, loadWorkflow);
		checks.expectEqual(`Retried with ${way}, the execution succeeds`, retried.status, 'success');
		checks.expectEqual('The node after it has run', retried.items(after).length, 2);
		scene.expectSentOnce('It does not run again: the service receives nothing more');
	}
}

function workflowOf(chatbotId: string, following: string): Workflow {
	const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });
	const chatbase = { type: 'n8n-nodes-chatbase.chatbase', typeVersion: 1 };
	const credentials = { chatbaseV1Api: { id: '', name: '' } };
	const nodes = [
		{
			name: 'Every night',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			parameters: {},
		},
		{
			name: 'Customers',
			...chatbase,
			credentials,
			parameters: {
				resource: 'contact',
				operation: 'getAll',
				chatbotId: byId(chatbotId),
				returnAll: true,
			},
		},
		{
			name: once,
			...chatbase,
			credentials,
			parameters: {
				resource: 'whatsAppTemplate',
				operation: 'send',
				chatbotId: byId(chatbotId),
				template: { __rl: true, mode: 'list', value: orderTemplate.choice },
				to: '={{ $json.phonenumber }}',
				templateVariables: {
					mappingMode: 'defineBelow',
					value: { 'body.1': 'Jane', 'body.2': '1042', 'body.3': 'Friday' },
					matchingColumns: [],
					schema: [],
				},
			},
		},
		{
			name: after,
			...chatbase,
			credentials,
			parameters: { resource: 'chatbot', operation: 'get', chatbotId: byId(following) },
		},
	].map((node, index) => ({ ...node, id: `retry-${index}`, position: [index * 240, 0] }));
	const names = nodes.map(({ name }) => name);
	const connections = Object.fromEntries(
		names
			.slice(1)
			.map((name, index) => [names[index]!, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
	return {
		name: 'Retry of a message',
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	};
}
