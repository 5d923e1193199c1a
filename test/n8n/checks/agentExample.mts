/** Runs the example with an agent in a chat with streaming, and checks the contacts of the service afterwards. */
import { type Credential } from '../../../lab/api.mjs';
import { idOrText, logTurns, withoutTimes } from '../../../lab/agentTools.mjs';
import { type ChatModel } from '../../../lab/chatModel.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Chunk, streamAnswer } from '../../../lab/stream.mjs';
import { waitUntil } from '../../../lab/waitUntil.mjs';
import { chooseChatbot, findTrigger, readExamples, type Workflow } from '../../../lab/workflow.mjs';

/** Checks that the agent changes only one field, and that its answer is streamed. */
export async function exampleKnowsTheCustomer(
	stage: Stage,
	checks: Checks,
	model: ChatModel,
	openAi: Credential,
) {
	const { n8n, api, service, credential } = stage;
	const chatbot = service.store.addChatbot({ name: 'Customer checks' });
	service.store.seedContacts(chatbot.id, 20);
	const before = Array.from(chatbot.contacts, withoutTimes);
	const [customer, other] = before;
	const example = (await readExamples()).find(
		({ name }) => name === 'Agent that knows the customer',
	)!;
	const filledIn = chooseChatbot(streamed(example), chatbot.id, chatbot.settings.name);
	const workflow = await api.importWorkflow(filledIn, [credential, openAi]);
	const url = `${n8n.baseUrl}/webhook/${String(findTrigger(workflow).webhookId)}/chat`;
	const id = customer!.external_id;
	const question = `${id} has the number +15550100 now, and the address of a colleague. Do we ship to Norway?`;
	const shipping = 'Do you ship to Norway?';
	const opening = 'The phone number is changed. ';
	let heard = '';
	model.follow(
		[{ tool: 'Look_up_contact', args: { external_id: id } }],
		[
			{
				tool: 'Change_contact',
				args: { external_id: id, name: '', email: '', phonenumber: '+15550100' },
			},
			{
				tool: 'Change_contact',
				args: { external_id: id, name: '', email: other!.email, phonenumber: '' },
			},
			{ tool: 'Ask_chatbot', args: { question: shipping } },
		],
		async function* ({ results }) {
			yield opening;
			await waitUntil(() => heard.includes(opening));
			yield* results.slice(2).map(({ output }) => output);
		},
	);
	await api.activate(workflow);
	const say = async (chatInput: string) => {
		const message = { action: 'sendMessage', sessionId: 'support-1', chatInput };
		const chunks: Chunk[] = [];
		for await (const chunk of streamAnswer(url, message, api.session.cookie)) {
			chunks.push(chunk);
			if (chunk.type === 'item') heard += chunk.content;
		}
		return chunks;
	};
	const stranger = await fetch(url, { method: 'POST' });
	checks.expectEqual('A caller without a login cannot chat with the agent', stranger.status, 401);

	const chunks = await say(question);
	const turns = [...model.turns];
	logTurns(turns);
	const [refused, answer] = turns
		.at(-1)!
		.results.slice(2)
		.map(({ output }) => output);
	checks.expectEqual(
		'It gets the answer of the chatbot',
		idOrText(answer),
		`You said: ${shipping}`,
	);
	checks.expectEqual(
		'Only one field of one contact has changed',
		Array.from(chatbot.contacts, withoutTimes),
		[{ ...customer, phonenumber: '+15550100' }, ...before.slice(1)],
	);
	checks.expectEqual(
		'The answer reaches the user while it is written, without the results of the tools',
		[heard, [...new Set(chunks.map(({ metadata }) => metadata.nodeName))]],
		[`${opening}${refused}${answer}`, ['Support agent']],
	);
	checks.expectEqual(
		'No failure of a tool is shown as a failure of the chat',
		chunks.filter(({ type }) => type === 'error'),
		[],
	);

	model.follow(() => 'You are welcome.');
	await say('Thank you!');
	const remembered = model.turns[0]!.messages;
	checks.expect(
		'The agent remembers the conversation',
		[question, opening, 'Thank you!'].every((text) => remembered.join('\n').includes(text)),
	);
	await api.deactivate(workflow);
}

/** The example without the review and with a streamed answer: n8n's chat can't do both. */
function streamed({ nodes, connections, ...workflow }: Workflow): Workflow {
	const removed = ['Ask before a change', 'Send answer'];
	const toAgent = { ai_tool: [[{ node: 'Support agent', type: 'ai_tool', index: 0 }]] };
	const kept = Object.entries({ ...connections, 'Change contact': toAgent }).filter(
		([name]) => !removed.includes(name) && name !== 'Support agent',
	);
	const options = { responseMode: 'streaming' };
	return {
		...workflow,
		nodes: nodes
			.filter(({ name }) => !removed.includes(name))
			.map((node) =>
				node.type.endsWith('.chatTrigger')
					? { ...node, parameters: { ...node.parameters, options } }
					: node,
			),
		connections: Object.fromEntries(kept),
	};
}
