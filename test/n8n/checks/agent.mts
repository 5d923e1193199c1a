/** n8n's AI Agent with operations as its tools. Only its model is simulated, by a script. */
import { type Chatbot } from '../../../service/index.js';
import { type Credential } from '../../../lab/api.mjs';
import {
	errorOf,
	idOrText,
	logTurns,
	recordOf,
	saveModelCredential,
	withoutTimes,
} from '../../../lab/agentTools.mjs';
import { ChatModel } from '../../../lab/chatModel.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow, type WorkflowNode } from '../../../lab/workflow.mjs';
import { exampleKnowsTheCustomer } from './agentExample.mjs';
import { changeNeedsApproval } from './reviewExample.mjs';

/** n8n 2 executes the tools of the newer agent as separate nodes; the older agent calls them itself. */
const agentVersions = [2.2, 3.1];

const find = 'Find_contact';
const change = 'Change_contact';
const ask = 'Ask_chatbot';
const search = 'Search_conversations';
const transcript = 'Read_conversation';

/** Tools answer a model, also when they fail, and parallel calls stay separate. */
export async function agentUsesTools(stage: Stage, checks: Checks): Promise<string> {
	const model = await ChatModel.start();
	try {
		const openAi = await saveModelCredential(stage, model);
		for (const version of agentVersions) {
			console.log(`AI Agent ${version}`);
			await toolsAnswer(stage, checks, model, openAi, version);
		}
		await exampleKnowsTheCustomer(stage, checks, model, openAi);
		await changeNeedsApproval(stage, checks, model, openAi);
	} finally {
		await model.close();
	}
	return 'five tools in an old and a new AI Agent, an example with two questions, and two changes that a person reviewed';
}

async function toolsAnswer(
	stage: Stage,
	checks: Checks,
	model: ChatModel,
	openAi: Credential,
	version: number,
) {
	const { api, service, credential } = stage;
	const chatbot = service.store.addChatbot({ name: 'Agent checks' });
	service.store.seedContacts(chatbot.id, 20);
	const [first, second] = Array.from(chatbot.contacts).map((contact) => ({ ...contact }));
	const { id: conversationId } = service.store.addConversation(chatbot.id, {
		title: 'Refund',
		source: 'WhatsApp',
		messages: [{ role: 'user', content: 'I want a refund.' }],
	});
	const workflow = await api.importWorkflow(buildWorkflow(chatbot, version), [credential, openAi]);
	service.clearRequests();
	model.follow(
		[
			{ tool: find, args: { externalId: first!.external_id } },
			{ tool: find, args: { externalId: 'nobody' } },
			{ tool: find, args: { externalId: second!.external_id } },
			{ tool: ask, args: { question: 'Do you ship to Norway?' } },
			{ tool: ask, args: { question: 'And to Sweden?' } },
			{ tool: search, args: { words: 'refund', topic: '' } },
			{ tool: transcript, args: { conversationId } },
			{ tool: transcript, args: { conversationId: 'unknown' } },
		],
		[
			{
				tool: change,
				args: { externalId: first!.external_id, name: 'Named By Agent', email: '', phone: '' },
			},
			{
				tool: change,
				args: { externalId: first!.external_id, name: '', email: second!.email, phone: '' },
			},
		],
		[{ tool: find, args: { externalId: first!.external_id } }],
		// Older versions check the arguments themselves, and end the execution.
		...(version >= 3 ? [[{ tool: find, args: {} }]] : []),
		({ results }) => results.map(({ output }) => output),
	);
	const execution = await api.runWorkflow(workflow);
	if (execution.error) console.error(execution.error);
	logTurns(model.turns);

	const { tools } = model.turns[0]!;
	checks.expectEqual(
		'The model sees the tools by the names of their nodes, with their arguments',
		Object.fromEntries(tools.map(({ name, parameters }) => [name, parameters])),
		{
			[ask]: { question: 'The question' },
			[transcript]: { conversationId: 'The ID' },
			[search]: { words: 'Words to find', topic: 'A topic' },
			[change]: {
				externalId: 'The External ID',
				name: 'The name',
				email: 'The email',
				phone: 'The phone number',
			},
			[find]: { externalId: 'The External ID' },
		},
	);
	const descriptionOf = (tool: string) => tools.find(({ name }) => name === tool)!.description;
	checks.expectMatch(
		'A tool has its action as its description',
		descriptionOf(find),
		/^get contact in chatbase$/i,
	);
	checks.expectEqual(
		'A tool has the description of its user',
		descriptionOf(ask),
		'Answers about orders.',
	);

	const outputs = model.turns.at(-1)!.results.map(({ output }) => output);
	const [searched, read, unread] = outputs.splice(5, 3);
	const [found, missing, alsoFound, answer, otherAnswer, changed, refused, after, unnamed] =
		outputs;
	const { snippet } = recordOf(searched);
	checks.expectEqual(
		'A search returns the conversation and the words that were found',
		[idOrText(searched), snippet],
		[conversationId, 'I want a refund.'],
	);
	checks.expectEqual(
		'A conversation is returned with its transcript, without its messages',
		Object.keys(recordOf(read)),
		['id', 'title', 'createdAt', 'status', 'transcript'],
	);
	checks.expectMatch('The transcript says who said what', read!, /User: I want a refund\./);
	checks.expectMatch('An unknown one is told as such', errorOf(unread), /^Conversation not found/);
	checks.expectEqual(
		'Each of several parallel calls gets its own result',
		[found, alsoFound, answer, otherAnswer].map((output) => idOrText(output)),
		[first!.id, second!.id, 'You said: Do you ship to Norway?', 'You said: And to Sweden?'],
	);
	checks.expectMatch('One of them fails alone', errorOf(missing), /^Contact not found/);
	checks.expectMatch('The model gets the next step', errorOf(missing), /found by External ID/);
	if (version >= 3) {
		checks.expectMatch('An omitted argument is named', errorOf(unnamed), /Contact|External ID/);
	}
	checks.expect('A change returns the contact', idOrText(changed) === first!.id);
	checks.expectMatch('A refused change says why', errorOf(refused), /taken by another contact/);
	checks.expectMatch('A refused change names the field', errorOf(refused), /Email/);
	checks.expectEqual(
		'Blank and refused fields are unchanged',
		withoutTimes(chatbot.contacts.find(first!.external_id)!),
		withoutTimes({ ...first!, name: 'Named By Agent' }),
	);
	checks.expect('The next call sees the change', recordOf(after).name === 'Named By Agent');
	checks.expectEqual('No failure ends the execution', execution.status, 'success');
	checks.expectEqual(
		'The answer quotes the results of the tools',
		execution.json('Agent').map(({ output }) => output),
		[
			model.turns
				.at(-1)!
				.results.map(({ output }) => output)
				.join(''),
		],
	);
	checks.expect(
		'The model never sees the key',
		!JSON.stringify(model.turns).includes(service.apiKey),
	);
}

function buildWorkflow(chatbot: Chatbot, version: number): Workflow {
	const chatbotId = { __rl: true, mode: 'id', value: chatbot.id };
	const contactId = { __rl: true, mode: 'id', value: fromAi('externalId', 'The External ID') };
	const tools = [
		tool('Find contact', { resource: 'contact', operation: 'get', chatbotId, contactId }),
		{
			...tool('Change contact', {
				resource: 'contact',
				operation: 'update',
				chatbotId,
				contactId,
				contactFields: {
					mappingMode: 'defineBelow',
					value: {
						name: fromAi('name', 'The name'),
						email: fromAi('email', 'The email'),
						phonenumber: fromAi('phone', 'The phone number'),
					},
				},
			}),
			// Not offered in the editor, but a workflow can hold it: n8n then ends when a tool throws.
			onError: 'stopWorkflow',
		},
		tool('Search conversations', {
			resource: 'conversation',
			operation: 'search',
			chatbotId,
			query: fromAi('words', 'Words to find'),
			limit: 1,
			filters: { topic: fromAi('topic', 'A topic') },
		}),
		tool('Read conversation', {
			resource: 'conversation',
			operation: 'get',
			chatbotId,
			conversationId: fromAi('conversationId', 'The ID'),
		}),
		tool('Ask chatbot', {
			descriptionType: 'manual',
			toolDescription: 'Answers about orders.',
			resource: 'chat',
			operation: 'send',
			chatbotId,
			message: fromAi('question', 'The question'),
			history: {},
		}),
	];
	const nodes: WorkflowNode[] = [
		{
			id: 'trigger',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'agent',
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: version,
			position: [200, 0],
			parameters: { promptType: 'define', text: 'Begin', options: {} },
		},
		{
			id: 'model',
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.3,
			position: [0, 200],
			parameters: {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: version >= 3,
				options: {},
			},
			credentials: { openAiApi: { id: '', name: '' } },
		},
		...tools,
	];
	const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const connections = {
		Start: toAgent('main'),
		Model: toAgent('ai_languageModel'),
		...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
	};
	return { name: 'Agent with tools', nodes, connections, settings: { executionOrder: 'v1' } };
}

function tool(name: string, parameters: Record<string, unknown>): WorkflowNode {
	return {
		id: name,
		name,
		type: 'n8n-nodes-chatbase.chatbaseTool',
		typeVersion: 1,
		position: [200, 200],
		parameters,
		credentials: { chatbaseV1Api: { id: '', name: '' } },
	};
}

function fromAi(key: string, description: string): string {
	return `={{ $fromAI('${key}', '${description}', 'string') }}`;
}
