/** Imports, publishes and uses the examples that chat in a real n8n. */
import assert from 'node:assert/strict';

import { type Chatbot, type SimulatedService } from '../../../service/index.js';
import { type Api, type Credential, type StoredWorkflow } from '../../../lab/api.mjs';
import { chromiumHelp, Editor, noChromium } from '../../../lab/browser.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type N8n } from '../../../lab/instance.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Chunk, streamAnswer } from '../../../lab/stream.mjs';
import { waitUntil } from '../../../lab/waitUntil.mjs';
import { chooseChatbot, findTrigger, readExamples, type Workflow } from '../../../lab/workflow.mjs';

/** What the checks need; the credential is one for the service. */
interface ChatStage {
	n8n: N8n;
	api: Api;
	service: SimulatedService;
	credential: Credential;
}

const question = 'Do you ship to Norway? 🦊';
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

/** Chats are streamed and answered, outside the editor and in it. */
export async function chatsAreAnswered(stage: Stage, checks: Checks): Promise<string> {
	await checks.attempt('A chat with history is streamed', async () => {
		await answerIsStreamed(stage);
	});
	await checks.attempt(
		'A chat remembers, and starts over when its conversation has ended',
		async () => {
			await conversationIsKept(stage);
		},
	);
	await questionsAreAnswered(stage, checks);
	if (stage.editor) {
		await checks.attempt("The editor's chat shows answers", async () => {
			await chatWindowShowsAnswers(stage);
		});
	} else {
		checks.skip(`the editor's chat: ${noChromium}`, chromiumHelp);
	}
	return `seven questions streamed, two posted${stage.editor ? ', two in the chat of the editor' : ''}`;
}

/** At least three chunks reach a client while the service still writes, and the memory works. */
async function answerIsStreamed(stage: ChatStage): Promise<void> {
	const { n8n, service } = stage;
	const { workflow, chatbot } = await importExample(stage, 'Chat with history');
	const ask = async (chatInput: string) =>
		await readAnswer(service, streamAnswer(chatOf(n8n, workflow), messageIn('s1', chatInput)));
	await whileWritingSlowly(service, async () => {
		await stage.api.activate(workflow);
		const first = await ask(question);
		assert.equal(first.text, `You said: ${question}`);
		assert.ok(first.piecesWhileWriting >= 3, `${first.piecesWhileWriting} pieces arrived in time`);
		assert.equal((await ask('And to Sweden?')).text, 'You said: And to Sweden?');
		await stage.api.deactivate(workflow);
	});
	const bodies = service.requests.slice(-2).map(({ body }) => body as { messages: unknown });
	const turns = [user(question), assistant(`You said: ${question}`)];
	assert.deepEqual(
		bodies.map(({ messages }) => messages),
		[[user(question)], [...turns, user('And to Sweden?')]],
	);
	const saved = chatbot.conversations.find(({ id }) => id === 's1');
	assert.equal(saved?.messages.length, 4, 'the conversation is saved under the session ID');
}

/** The service keeps the history: each chat session goes on in its conversation, and in a new one after its end. */
async function conversationIsKept(stage: ChatStage): Promise<void> {
	const { n8n, service, api } = stage;
	const { workflow, chatbot } = await importExample(stage, 'Chat that remembers');
	const ask = async (session: string, chatInput: string) => {
		const chunks = streamAnswer(chatOf(n8n, workflow), messageIn(session, chatInput));
		const { text, piecesWhileWriting } = await readAnswer(service, chunks);
		assert.equal(text, `You said: ${chatInput}`);
		return piecesWhileWriting;
	};
	const turns = () =>
		chatbot.conversations.map(({ messages }) =>
			messages.filter(({ role }) => role === 'user').map(({ content }) => content),
		);
	Object.assign(service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 500 });
	await api.activate(workflow);
	try {
		const pieces = await ask('s1', question);
		assert.ok(pieces >= 3, `${pieces} pieces came in time`);
		await ask('s2', 'Who are you?');
		await ask('s1', 'And to Sweden?');
		assert.deepEqual(turns(), [[question, 'And to Sweden?'], ['Who are you?']]);
		const users = chatbot.conversations.map(({ userId }) => userId);
		assert.deepEqual(users, ['chat-s1', 'chat-s2']);
		chatbot.conversations[0]!.status = 'ended';
		await ask('s1', 'Still there?');
		await ask('s1', 'Good.');
		assert.deepEqual(turns().at(-1), ['Still there?', 'Good.']);
	} finally {
		Object.assign(service.behaviourV2, { streamEnd: 'done', streamSilenceMs: 0 });
		await api.deactivate(workflow);
	}
}

/** The same without streaming. */
export async function questionsAreAnswered(stage: ChatStage, checks: Checks): Promise<void> {
	await checks.attempt('A posted question gets an answer or an error', async () => {
		await questionIsAnswered(stage);
	});
}

const header = { name: 'x-app', value: 'only-the-app-knows' };

/** A webhook receives a question and returns the answer, or an error. */
async function questionIsAnswered(stage: ChatStage): Promise<void> {
	const { n8n, api, service } = stage;
	const app = await api.createCredential('httpHeaderAuth', 'App', header);
	const { workflow, chatbot } = await importExample(stage, 'Answer incoming questions', [app]);
	const path = String(findTrigger(workflow).parameters.path);
	const post = async (body: unknown, secret: string) =>
		await fetch(`${n8n.baseUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [header.name]: secret },
			body: JSON.stringify(body),
		});
	const ask = async (body: unknown) => {
		const response = await post(body, header.value);
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	};
	await api.activate(workflow);
	const stranger = await post({ question }, 'guessed');
	await stranger.body?.cancel();
	assert.equal(stranger.status, 403, 'only who knows the header gets answers, which cost credits');
	const contactId = 'customer-1001';
	const { status, body } = await ask({ question, contactId });
	assert.equal(status, 200);
	assert.equal(body.answer, `You said: ${question}`);
	const saved = chatbot.conversations.find(({ id }) => id === body.conversationId);
	assert.equal(saved?.contactId, contactId);

	const fault = service.faults.add({ fault: { kind: 'status', status: 403 } });
	const refused = await ask({ question, contactId });
	service.faults.remove(fault);
	assert.deepEqual(
		refused,
		{ status: 502, body: { error: 'No answer is available at the moment' } },
		'a failed item uses the error output, and the caller learns nothing about the account',
	);
	// They would have the value of the header.
	await waitUntil(async () => (await api.listExecutions(workflow)).length === 0);
	await api.deactivate(workflow);
}

/** The chat window of the editor shows the answer, streamed or not. */
async function chatWindowShowsAnswers(stage: ChatStage): Promise<void> {
	const { workflow: streamed } = await importExample(stage, 'Chat with history');
	await chatInEditor(stage, streamed, 'chat-streamed');
	const forgetful = { operation: 'send', message: '={{ $json.chatInput }}' };
	const { workflow: plain } = await importPlainChat(stage, forgetful);
	await chatInEditor(stage, plain, 'chat-plain');
}

async function chatInEditor({ n8n }: ChatStage, workflow: StoredWorkflow, picture: string) {
	const editor = await Editor.open(n8n.baseUrl);
	try {
		await editor.openWorkflow(workflow);
		await editor.page.getByTestId('workflow-chat-button').click();
		await editor.page.getByTestId('chat-input').fill(question);
		await editor.page.keyboard.press('Enter');
		const answer = editor.page.locator('.chat-message-from-bot');
		await answer.filter({ hasText: `You said: ${question}` }).waitFor();
		await editor.screenshot(picture);
	} finally {
		await editor.close();
	}
}

/** The address at which a published chat takes messages. */
function chatOf({ baseUrl }: N8n, workflow: StoredWorkflow): string {
	return `${baseUrl}/webhook/${String(findTrigger(workflow).webhookId)}/chat`;
}

function messageIn(sessionId: string, chatInput: string) {
	return { action: 'sendMessage', sessionId, chatInput };
}

async function importExample(
	{ api, service, credential }: ChatStage,
	name: string,
	others: Credential[] = [],
) {
	const example = (await readExamples()).find((workflow) => workflow.name === name);
	assert.ok(example, `there is an example "${name}"`);
	const chatbot = service.store.addChatbot({ name: 'Chat checks' });
	const filledIn = chooseChatbot(example, chatbot.id, chatbot.settings.name);
	const workflow = await api.importWorkflow(filledIn, [credential, ...others]);
	return { workflow, chatbot };
}

/** A chat whose last node is ours, with these parameters beside the chatbot: what it returns is what a caller gets. */
async function importPlainChat(
	{ api, service, credential }: ChatStage,
	parameters: Record<string, string>,
): Promise<{ workflow: StoredWorkflow; chatbot: Chatbot }> {
	const chatbot = service.store.addChatbot({ name: 'Chat checks' });
	const workflow: Workflow = {
		name: 'Plain chat',
		nodes: [
			{
				id: 'trigger',
				name: 'Chat',
				type: '@n8n/n8n-nodes-langchain.chatTrigger',
				typeVersion: 1.3,
				position: [0, 0],
				parameters: { public: true, options: { responseMode: 'lastNode' } },
				webhookId: 'plain-chat',
			},
			{
				id: 'node',
				name: 'Ask',
				type: 'n8n-nodes-chatbase.chatbase',
				typeVersion: 1,
				position: [240, 0],
				parameters: {
					resource: 'chat',
					chatbotId: { __rl: true, mode: 'id', value: chatbot.id },
					...parameters,
				},
				credentials: { chatbaseV1Api: { id: '', name: '' } },
			},
		],
		connections: { Chat: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
	};
	return { workflow: await api.importWorkflow(workflow, [credential]), chatbot };
}

/** Makes the service pause between writes, so a test can see that the client reads in between. */
async function whileWritingSlowly(service: SimulatedService, task: () => Promise<void>) {
	const { streamDelayMs, streamChunkBytes } = service.behaviour;
	Object.assign(service.behaviour, { streamDelayMs: 100, streamChunkBytes: 6 });
	try {
		await task();
	} finally {
		Object.assign(service.behaviour, { streamDelayMs, streamChunkBytes });
	}
}

async function readAnswer(service: SimulatedService, chunks: AsyncGenerator<Chunk>) {
	let text = '';
	let piecesWhileWriting = 0;
	for await (const { type, content } of chunks) {
		assert.notEqual(type, 'error', content);
		if (type !== 'item') continue;
		text += content;
		if (service.inFlight > 0) piecesWhileWriting++;
	}
	return { text, piecesWhileWriting };
}
