/** A person between an agent and a tool: the example changes a contact after a click, and once. */
import { type Credential } from '../../../lab/api.mjs';
import { type ChatModel } from '../../../lab/chatModel.mjs';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { waitUntil } from '../../../lab/waitUntil.mjs';
import { chooseChatbot, findTrigger, readExamples } from '../../../lab/workflow.mjs';

/** What n8n's chat shows while it waits for a click. */
interface Question {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

const review = 'Ask before a change';
const end = 'Send answer';

export async function changeNeedsApproval(
	stage: Stage,
	checks: Checks,
	model: ChatModel,
	openAi: Credential,
): Promise<void> {
	const { n8n, api, service, credential } = stage;
	const chatbot = service.store.addChatbot({ name: 'Review checks' });
	service.store.seedContacts(chatbot.id, 3);
	const [customer] = Array.from(chatbot.contacts);
	const example = (await readExamples()).find(
		({ name }) => name === 'Agent that knows the customer',
	)!;
	const filledIn = chooseChatbot(example, chatbot.id, chatbot.settings.name);
	const workflow = await api.importWorkflow(filledIn, [credential, openAi]);
	const url = `${n8n.baseUrl}/webhook/${String(findTrigger(workflow).webhookId)}/chat`;
	const writes = () =>
		service.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body);
	const args = { external_id: customer!.external_id, name: '', email: '' };

	/** Lets the agent call the tool, clicks a button as often as it is told to, and waits for the answer. */
	const ask = async (phonenumber: string, button: string, clicks: number) => {
		service.clearRequests();
		model.follow(
			[
				{
					tool: 'Change_contact',
					args: { toolParameters: { ...args, phonenumber }, hitlParameters: {} },
				},
			],
			({ results }) => [`The tool says: ${results.at(-1)!.output}`],
		);
		const id = await say(url, `Change the phone number to ${phonenumber}`, api.session.cookie);
		const asked = await api.waitForExecution(id);
		const question = questionOf(asked);
		checks.expectEqual(
			'The agent waits, and nothing is written',
			[asked.status, writes()],
			['waiting', []],
		);

		const { link } = question.buttons.find(({ text }) => text === button)!;
		for (let click = 0; click < clicks; click++) await follow(link);
		await waitUntil(async () => (await api.waitForExecution(id)).runs[end] !== undefined, 30);
		await api.session.request('POST', `/rest/executions/${id}/stop`);
		return { question, told: model.turns.at(-1)!.results.at(-1)!.output };
	};

	await api.activate(workflow);
	const approved = await ask('+15550101', 'Approve', 2);
	checks.expectEqual(
		'The person sees which contact would change, and how',
		approved.question.text,
		`Change the contact ${customer!.external_id}?\n\n- Name: unchanged\n- Email: unchanged\n- Phone number: +15550101`,
	);
	checks.expectEqual('The change is made once, also after two clicks', writes(), [
		{ data: { phonenumber: '+15550101' } },
	]);

	const declined = await ask('+15550102', 'Decline', 1);
	checks.expectEqual('After a refusal, nothing is sent', service.requests, []);
	checks.expectMatch('The agent learns of the refusal', declined.told, /rejected/);
	await api.deactivate(workflow);
}

/** Sends a message of the chat, and returns the ID of the execution that it starts. */
async function say(url: string, chatInput: string, cookie: string): Promise<string> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', cookie },
		body: JSON.stringify({ action: 'sendMessage', sessionId: 'review', chatInput }),
	});
	const { executionId } = (await response.json()) as { executionId: string };
	return executionId;
}

function questionOf(execution: Execution): Question {
	const [item] = execution.items(review, 0, 'ai_tool').slice(-1);
	return (item as unknown as { sendMessage: Question }).sendMessage;
}

/** n8n treats clients without a browser's name as virus scanners. It answers 409 while the execution goes on after a first click. */
async function follow(link: string): Promise<void> {
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const response = await fetch(link, { headers });
	if (!response.ok && response.status !== 409) throw new Error(`GET ${link}: ${response.status}`);
}
