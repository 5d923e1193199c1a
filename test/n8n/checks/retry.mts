/** Executions → Retry, with the operations that must never be done twice: only what comes after them can be retried. */
import { orderTemplate } from '../../../service/core/demoData.js';
import { type Chatbot } from '../../../service/index.js';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { publishOnPost } from '../../../lab/publishOnPost.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow } from '../../../lab/workflow.mjs';

const before = 'Customers';
const once = 'Once';
const after = 'Look up';

/** Each is an item, so a message or a clone. */
const phoneNumbers = ['+14155552671', '+14155552673'];

const refusal = 'This operation refuses the retry of an execution';

/** The two ways that the editor offers, by whether n8n takes the workflow as it is now. */
const ways = { 'the saved workflow': true, 'the original workflow': false };

/** An operation that refuses a retry. */
interface Operation {
	name: string;
	parameters: Record<string, unknown>;
	/** The path of its write, at the end of the address. */
	path: RegExp;
	/** How the error begins that says what a retry would do. */
	harm: string;
	/** How it ends. */
	nothingDone: string;
	/** How many exist at the service. */
	countDone: (stage: Stage, chatbot: Chatbot) => number;
}

const operations: Operation[] = [
	{
		name: 'WhatsApp Template: Send',
		parameters: {
			resource: 'whatsAppTemplate',
			operation: 'send',
			template: { __rl: true, mode: 'list', value: orderTemplate.choice },
			to: '={{ $json.phonenumber }}',
			templateVariables: {
				mappingMode: 'defineBelow',
				value: { 'body.1': 'Jane', 'body.2': '1042', 'body.3': 'Friday' },
				matchingColumns: [],
				schema: [],
			},
		},
		path: /\/messages\/template$/,
		harm: 'n8n could send all messages again, and each one costs money.',
		nothingDone: 'Nothing was sent.',
		countDone: (_stage, { agent }) => agent.whatsapp.sent.length,
	},
	{
		name: 'Chatbot: Clone',
		parameters: { resource: 'chatbot', operation: 'clone' },
		path: /\/clone$/,
		harm: 'n8n could make the clones of all items again.',
		nothingDone: 'No clone was made.',
		countDone: ({ service }, { settings }) => {
			// The simulated service gives a clone the name of its original.
			const chatbots = [...service.store.chatbots.values()];
			return chatbots.filter(({ settings: { name } }) => name === settings.name).length - 1;
		},
	},
];

/** One operation in a published workflow, between a node before and a node after it. */
class Scene {
	readonly chatbot: Chatbot;
	/** The chatbots that the other nodes read. A node fails as long as its chatbot isn't there. */
	private readonly others: { before: string; after: string };
	private start!: () => Promise<Execution>;

	private constructor(
		readonly stage: Stage,
		readonly checks: Checks,
		readonly operation: Operation,
		place: string,
	) {
		const title = `${operation.name}, ${place}`;
		const id = title.toLowerCase().replace(/[^a-z]+/g, '-');
		this.chatbot = stage.service.store.addChatbot({ name: `Retry of ${title}` });
		this.chatbot.agent.whatsapp.accounts.push(...orderTemplate.accounts);
		this.others = { before: `${id}-before`, after: `${id}-after` };
	}

	/** @param place where the workflow fails */
	static async publish(
		stage: Stage,
		checks: Checks,
		operation: Operation,
		place: string,
	): Promise<Scene> {
		const scene = new Scene(stage, checks, operation, place);
		const workflow = workflowOf(operation, scene.chatbot.id, scene.others);
		scene.start = await publishOnPost(stage, workflow, [stage.credential]);
		return scene;
	}

	/** Starts the workflow as its trigger does, and waits for its end. */
	async run(): Promise<Execution> {
		return await this.start();
	}

	/** What makes the node before it work. */
	mendBefore(): void {
		const { store } = this.stage.service;
		const { id } = store.addChatbot({ id: this.others.before, name: 'Customers' });
		for (const phonenumber of phoneNumbers) {
			store.addContact(id, { external_id: phonenumber, phonenumber });
		}
	}

	/** What makes the node after it work. */
	mendAfter(): void {
		this.stage.service.store.addChatbot({ id: this.others.after, name: 'Looked up' });
	}

	/** How many writes the service has received, and how many it has done. */
	count(): { received: number; done: number } {
		const { service } = this.stage;
		const writes = service.requests.filter(
			({ method, path }) => method === 'POST' && this.operation.path.test(path),
		);
		return { received: writes.length, done: this.operation.countDone(this.stage, this.chatbot) };
	}

	expectCount(sentence: string, count: number): void {
		this.checks.expectEqual(sentence, this.count(), { received: count, done: count });
	}

	expectRefused(way: string, { error }: Execution): void {
		const { harm, nothingDone } = this.operation;
		const says = `${harm} The node refuses this also if it has not run yet, because n8n does not say so. Start the workflow again. ${nothingDone}`;
		this.checks.expectEqual(
			`Retried with ${way}, it is refused, and the error says to start anew`,
			[error?.message, error?.description],
			[refusal, says],
		);
	}
}

export async function retriesDoNothingTwice(stage: Stage, checks: Checks): Promise<string> {
	for (const operation of operations) {
		stage.service.clearRequests();
		await itselfFails(stage, checks, operation);
		stage.service.clearRequests();
		await nodeAfterFails(stage, checks, operation);
		stage.service.clearRequests();
		await nodeBeforeFails(stage, checks, operation);
	}
	return 'WhatsApp Template: Send and Chatbot: Clone, each failed itself, before it and after it, and retried in both ways';
}

/** The answer to the second item is lost: nobody may do the first one again, nor perhaps the second. */
async function itselfFails(stage: Stage, checks: Checks, operation: Operation): Promise<void> {
	console.log(`  ${operation.name}, which failed itself`);
	const scene = await Scene.publish(stage, checks, operation, 'which failed itself');
	scene.mendBefore();
	scene.mendAfter();
	const lost = stage.service.faults.add({
		when: { method: 'POST', path: operation.path, nth: 2 },
		fault: { kind: 'resetAfter' },
	});

	const failed = await scene.run();
	stage.service.faults.remove(lost);
	checks.expectEqual('The execution fails', failed.status, 'error');
	scene.expectCount('The service did both items, though one answer was lost', 2);

	for (const [way, loadWorkflow] of Object.entries(ways)) {
		const retried = await stage.api.retryExecution(failed, loadWorkflow);
		scene.expectRefused(way, retried);
		scene.expectCount('The service receives nothing more', 2);
	}
}

async function nodeAfterFails(stage: Stage, checks: Checks, operation: Operation): Promise<void> {
	console.log(`  ${operation.name}, after which a node failed`);
	const scene = await Scene.publish(stage, checks, operation, 'after which a node failed');
	scene.mendBefore();

	const failed = await scene.run();
	checks.expectEqual('The execution fails', failed.status, 'error');
	checks.expectEqual('It is done before', failed.items(once).length, 2);
	scene.expectCount('The service did both items', 2);

	scene.mendAfter();
	for (const [way, loadWorkflow] of Object.entries(ways)) {
		const retried = await stage.api.retryExecution(failed, loadWorkflow);
		checks.expectEqual(`Retried with ${way}, the execution succeeds`, retried.status, 'success');
		checks.expectEqual('The node after it has run', retried.items(after).length, 2);
		scene.expectCount('It does not run again: the service receives nothing more', 2);
	}
}

async function nodeBeforeFails(stage: Stage, checks: Checks, operation: Operation): Promise<void> {
	console.log(`  ${operation.name}, before which a node failed`);
	const scene = await Scene.publish(stage, checks, operation, 'before which a node failed');
	scene.mendAfter();

	const failed = await scene.run();
	checks.expectEqual('The execution fails', failed.status, 'error');
	checks.expectEqual('It has not run', failed.runs[once], undefined);

	scene.mendBefore();
	for (const [way, loadWorkflow] of Object.entries(ways)) {
		const retried = await stage.api.retryExecution(failed, loadWorkflow);
		checks.expectEqual('The node before it has run', retried.items(before).length, 2);
		scene.expectRefused(way, retried);
		scene.expectCount('The service receives nothing', 0);
	}

	const anew = await scene.run();
	checks.expectEqual('Started anew, the workflow succeeds', anew.status, 'success');
	scene.expectCount('Each item is done once', 2);
}

function workflowOf(
	operation: Operation,
	chatbotId: string,
	others: { before: string; after: string },
): Workflow {
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
			name: before,
			...chatbase,
			credentials,
			parameters: {
				resource: 'contact',
				operation: 'getAll',
				chatbotId: byId(others.before),
				returnAll: true,
			},
		},
		{
			name: once,
			...chatbase,
			credentials,
			parameters: { ...operation.parameters, chatbotId: byId(chatbotId) },
		},
		{
			name: after,
			...chatbase,
			credentials,
			parameters: { resource: 'chatbot', operation: 'get', chatbotId: byId(others.after) },
		},
	].map((node, index) => ({ ...node, id: `retry-${index}`, position: [index * 240, 0] }));
	const names = nodes.map(({ name }) => name);
	const connections = Object.fromEntries(
		names
			.slice(1)
			.map((name, index) => [names[index]!, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
	return {
		name: `Retry of ${operation.name}`,
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	};
}
