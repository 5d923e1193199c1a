/** Every operation as a tool, listed by a client of the Model Context Protocol, and two that it calls. */
import { type Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type INodeTypeDescription } from 'n8n-workflow';

import { type Checks } from '../../../lab/expectations.mjs';
import { FilledNode, operationsOf, type Choices } from '../../../lab/filledNode.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { connectTools } from '../../../lab/tools.mjs';
import { type Workflow, type WorkflowNode } from '../../../lab/workflow.mjs';

const path = 'chatbase-tools';

/** The fields that the model fills in, by operation. The user has set the others. */
const filledByModel: Record<string, Choices> = {
	'contact get': { contactId: id(fromAi('externalId', 'The External ID of the contact')) },
	'contact upsert': {
		contactFields: {
			mappingMode: 'defineBelow',
			value: {
				external_id: fromAi('externalId', 'The External ID of the contact'),
				name: fromAi('name', 'The full name'),
				email: fromAi('email', 'The email, empty if it is not known'),
				'custom_attributes.newsletter': fromAi('newsletter', 'true or false'),
			},
			schema: [
				{
					id: 'custom_attributes.newsletter',
					displayName: 'Attribute: Newsletter, true or false',
					type: 'string',
					options: [
						{ name: 'True', value: true },
						{ name: 'False', value: false },
					],
				},
			],
		},
	},
};

export async function operationsAreTools(stage: Stage, checks: Checks): Promise<string> {
	const { api, n8n, service, credential } = stage;
	const { store } = service;
	const chatbot = store.addChatbot({ name: 'Tool checks' });
	store.seedContacts(chatbot.id, 20);
	const types = (await api.nodeTypes()) as unknown as INodeTypeDescription[];
	const type = types.find(({ name }) => name === 'n8n-nodes-chatbase.chatbaseTool')!;
	const operations = operationsOf(type);
	const workflow = buildWorkflow(type, operations, chatbot.id);
	const stored = await api.importWorkflow(workflow, [credential]);
	await api.activate(stored);
	const client = await connectTools(n8n.baseUrl, path);
	try {
		await toolsAreListed(client, operations, checks);
		const call = async (operation: string, args: Record<string, unknown>) =>
			await callTool(client, operation, args);

		const known = 'customer-000003';
		const read = await call('contact get', { externalId: known });
		checks.expect('Get returns the contact', read.includes(store.contact(chatbot.id, known)!.id));
		const missing = await call('contact get', { externalId: 'nobody' });
		checks.expectMatch('An error says that a contact does not exist', missing, /Contact not found/);
		checks.expectMatch('The error says what to do', missing, /found by External ID/);

		const { email } = store.contact(chatbot.id, known)!;
		await call('contact upsert', {
			externalId: known,
			name: 'Named By Agent',
			email: '',
			newsletter: 'false',
		});
		const written = store.contact(chatbot.id, known)!;
		checks.expectEqual(
			'Blank fields are unchanged; filled fields have the type of the attribute',
			[written.name, written.email, written.custom_attributes.newsletter],
			['Named By Agent', email, false],
		);
	} finally {
		await client.close();
		await api.deactivate(stored);
	}
	return `${operations.length} tools listed, three calls`;
}

async function toolsAreListed(client: Client, operations: Choices[], checks: Checks) {
	const { tools } = await client.listTools();
	checks.expectEqual(
		'Every operation is listed',
		tools.map(({ name }) => name).sort(),
		operations.map((operation) => toolName(nameOf(operation))).sort(),
	);
	const plain = tools.filter(({ description }) => !/^[A-Z][a-z]+ .+/.test(description ?? ''));
	checks.expectEqual(
		'Each has a description',
		plain.map(({ name, description }) => [name, description]),
		[],
	);
	checks.expectEqual(
		'All descriptions differ',
		new Set(tools.map(({ description }) => description)).size,
		tools.length,
	);
	const upsert = tools.find(({ name }) => name === toolName('contact upsert'));
	checks.expectEqual(
		'The arguments are the fields that the model fills in',
		Object.keys(upsert?.inputSchema.properties ?? {}).sort(),
		['email', 'externalId', 'name', 'newsletter'],
	);
}

/** Returns the text that the model would read. */
async function callTool(client: Client, operation: string, args: Record<string, unknown>) {
	const result = await client.callTool({ name: toolName(operation), arguments: args });
	return (result.content as Array<{ text?: string }>).map(({ text }) => text ?? '').join('\n');
}

function buildWorkflow(
	type: INodeTypeDescription,
	operations: Choices[],
	chatbotId: string,
): Workflow {
	const trigger: WorkflowNode = {
		id: 'trigger',
		name: 'Tools',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: { path },
		webhookId: path,
	};
	const nodes = operations.map((operation, index) => {
		const name = nameOf(operation);
		const choices = {
			chatbotId: id(chatbotId),
			contactId: id('customer-000001'),
			sourceId: id('00000000-0000-4000-8000-000000000001'),
			attributeName: { __rl: true, mode: 'name', value: 'company' },
			conversationId: id('conversation-1'),
			ticketNumber: id('1'),
			template: { __rl: true, mode: 'name', value: 'order_update' },
			history: {},
			options: {},
			additionalFields: {},
			updateFields: {},
			filters: {},
			...operation,
			...filledByModel[name],
		};
		return new FilledNode(type, choices).placedAs(name, [index * 200, 300]);
	});
	const toTrigger = { ai_tool: [[{ node: 'Tools', type: 'ai_tool', index: 0 }]] };
	const connections = Object.fromEntries(nodes.map(({ name }) => [name, toTrigger]));
	return { name: 'Every tool', nodes: [trigger, ...nodes], connections };
}

function id(value: string) {
	return { __rl: true, mode: 'id', value };
}

function fromAi(key: string, description: string): string {
	return `={{ $fromAI('${key}', '${description}', 'string') }}`;
}

function nameOf({ resource, operation }: Choices): string {
	return `${String(resource)} ${String(operation)}`;
}

/** n8n makes the name of a tool from that of its node. */
function toolName(name: string): string {
	return name.replaceAll(' ', '_');
}
