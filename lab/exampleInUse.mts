import { type Credential, type StoredWorkflow } from './api.mjs';
import { type Crm } from './crm.mjs';
import { type Execution } from './execution.mjs';
import { type Library } from './library.mjs';
import { type Mailbox } from './mailbox.mjs';
import { publishOnPost } from './publishOnPost.mjs';
import { type Stage } from './stage.mjs';
import { waitUntil } from './waitUntil.mjs';
import { orderTemplate } from '../service/core/demoData.js';
import {
	chooseChatbot,
	chooseTemplate,
	enterAddresses,
	fillIn,
	readExamples,
	type Workflow,
	type WorkflowNode,
} from './workflow.mjs';

/** The services that an example uses. */
export interface Surroundings {
	chatbotId: string;
	crm?: Crm;
	library?: Library;
	mailbox?: Mailbox;
	/** Further ones that its nodes ask for. */
	credentials?: Credential[];
}

/** Posts a body as JSON; a text goes out as it is. */
export type Post = (body: object | string, headers?: Record<string, string>) => Promise<Response>;

/** What a credential *Basic Auth* has. */
export interface Login {
	user: string;
	password: string;
}

/** The header by which a browser logs in. */
export function basicAuthorization({ user, password }: Login): string {
	return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Where an example is used. */
export type Place = Pick<Stage, 'api' | 'credential' | 'service'>;

/** An example as a user has filled it in and uses it. */
export class ExampleInUse {
	private constructor(
		private readonly stage: Place,
		readonly workflow: Workflow,
		private readonly credentials: Credential[],
		private readonly stored: StoredWorkflow,
	) {}

	static async import(
		stage: Place,
		name: string,
		{ chatbotId, crm, library, mailbox, credentials: others = [] }: Surroundings,
	): Promise<ExampleInUse> {
		const example = (await readExamples()).find((workflow) => workflow.name === name)!;
		const filledIn = fillIn(example, {
			...(crm && { 'https://crm.example.com': crm.baseUrl }),
			...(library && { 'https://documents.example.com': library.baseUrl }),
		});
		const chatbotName = stage.service.store.chatbot(chatbotId).settings.name;
		const credentials = [stage.credential, ...others];
		if (mailbox) {
			const { credentialData } = mailbox;
			credentials.push(await stage.api.createCredential('smtp', 'Mail server', credentialData));
		}
		const chosen = chooseChatbot(enterAddresses(filledIn), chatbotId, chatbotName);
		const workflow = chooseTemplate(chosen, orderTemplate.choice);
		const stored = await stage.api.importWorkflow(workflow, credentials);
		return new ExampleInUse(stage, workflow, credentials, stored);
	}

	/** The same example with other parameters of one node. */
	async with(nodeName: string, parameters: Record<string, unknown>): Promise<ExampleInUse> {
		return await this.changed((node) =>
			node.name === nodeName
				? { ...node, parameters: { ...node.parameters, ...parameters } }
				: node,
		);
	}

	/** The same example with nodes activated that it brings deactivated. */
	async activating(...nodeNames: string[]): Promise<ExampleInUse> {
		return await this.changed((node) =>
			nodeNames.includes(node.name) ? { ...node, disabled: false } : node,
		);
	}

	private async changed(change: (node: WorkflowNode) => WorkflowNode): Promise<ExampleInUse> {
		const workflow = { ...this.workflow, nodes: this.workflow.nodes.map(change) };
		const stored = await this.stage.api.importWorkflow(workflow, this.credentials);
		return new ExampleInUse(this.stage, workflow, this.credentials, stored);
	}

	/** Executes it by hand, until it ends or waits for a click. */
	async execute(trigger: string): Promise<Execution> {
		return await this.stage.api.runWorkflow(this.stored, trigger);
	}

	/**
	 * Executes it by hand.
	 *
	 * @throws Error when that fails
	 */
	async run(trigger: string): Promise<Execution> {
		const execution = await this.execute(trigger);
		if (execution.status === 'success') return execution;
		const { name } = this.workflow;
		throw new Error(`"${name}" ended with ${execution.status}`, { cause: execution.error });
	}

	/** Publishes it with a schedule of seconds while a task runs. */
	async whilePublished<Result>(task: () => Promise<Result>): Promise<Result> {
		const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } };
		const { stored } = await this.with('Every night', often);
		const { api } = this.stage;
		await api.activate(stored);
		try {
			return await task();
		} finally {
			await api.deactivate(stored);
		}
	}

	/**
	 * Publishes it while a task posts JSON to its webhook.
	 *
	 * @param task gets a function that posts, and returns the response
	 */
	async whileListening<Result>(path: string, task: (post: Post) => Promise<Result>) {
		const { api } = this.stage;
		await api.activate(this.stored);
		try {
			return await task(
				async (body, headers = {}) =>
					await fetch(`${api.session.baseUrl}/webhook/${path}`, {
						method: 'POST',
						headers: { 'content-type': 'application/json', ...headers },
						body: typeof body === 'string' ? body : JSON.stringify(body),
					}),
			);
		} finally {
			await api.deactivate(this.stored);
		}
	}

	/**
	 * Publishes it, fills in its form, whose fields n8n numbers, and waits for the end of the execution.
	 *
	 * @throws Error when n8n refuses the form
	 */
	async whenSubmitted(path: string, values: string[], login: Login): Promise<Execution> {
		const { api } = this.stage;
		const body = new FormData();
		values.forEach((value, index) => body.append(`field-${index}`, value));
		await api.activate(this.stored);
		try {
			const { ok, status } = await fetch(`${api.session.baseUrl}/form/${path}`, {
				method: 'POST',
				headers: { authorization: basicAuthorization(login) },
				body,
			});
			if (!ok) throw new Error(`n8n answers the form with ${status}`);
			const [{ id }] = await api.listExecutions(this.stored);
			return await api.waitForExecution(id);
		} finally {
			await api.deactivate(this.stored);
		}
	}

	/** Whether n8n keeps no execution of it once all of them have ended. */
	async leavesNoExecution(): Promise<boolean> {
		const { api } = this.stage;
		const hasNone = async () => (await api.listExecutions(this.stored)).length === 0;
		return await waitUntil(hasNone, 5).then(
			() => true,
			() => false,
		);
	}

	/** Publishes it, and returns a function that executes it as {@link publishOnPost} does. */
	async publishOnPost(): Promise<() => Promise<Execution>> {
		return await publishOnPost(this.stage, this.workflow, this.credentials);
	}
}
