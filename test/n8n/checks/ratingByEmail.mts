/** A customer rates an answer in the form behind an email, as docs/loop.md describes it. */
import { type ParsedMail } from 'mailparser';

import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow, type WorkflowNode } from '../../../lab/workflow.mjs';

type PlainNode = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

/** What a mail scanner and a customer's browser send. */
const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0' };

export async function answersAreRatedByEmail(stage: Stage, checks: Checks): Promise<void> {
	const { api, credential, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Ratings by email' });
	const mailbox = await Mailbox.open();
	try {
		const data = mailbox.credentialData;
		const smtp = await api.createCredential('smtp', 'Mail server of ratings', data);
		const workflow = workflowFor(chatbot.id);
		const stored = await api.importWorkflow(workflow, [credential, smtp]);
		const waiting = await api.runWorkflow(stored);
		checks.expectEqual('The workflow waits for the customer', waiting.status, 'waiting');
		const [{ conversationId }] = waiting.json('Ask chatbot') as [{ conversationId: string }];
		const rating = () => ratingIn(stage, chatbot.id, conversationId);
		const link = linkIn(await mailbox.take());

		const forged = link.replace(/signature=.{4}/, 'signature=0000');
		const refused = await fetch(forged, { method: 'POST', headers, body: filledIn('negative') });
		checks.expectEqual('A forged link is refused', [refused.status, rating()], [401, null]);
		const { ok } = await fetch(link, { headers });
		checks.expectEqual('To open the link rates nothing', [ok, rating()], [true, null]);

		await fetch(link, { method: 'POST', headers, body: filledIn('negative') });
		const { status } = await api.waitForAnsweredExecution(waiting.id);
		checks.expectEqual('The form rates the answer', [status, rating()], ['success', 'negative']);
	} finally {
		await mailbox.close();
	}
}

function workflowFor(chatbotId: string): Workflow {
	const chatbot = { __rl: true, mode: 'id', value: chatbotId };
	const choices = { values: [{ option: 'positive' }, { option: 'negative' }] };
	const field = { fieldLabel: 'rating', fieldType: 'dropdown', fieldOptions: choices };
	const nodes: PlainNode[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		chatbaseNode('Ask chatbot', {
			resource: 'chat',
			operation: 'sendWithMemory',
			chatbotId: chatbot,
			message: 'Do you ship to Mars?',
			conversation: 'new',
		}),
		{
			name: 'Email the answer',
			type: 'n8n-nodes-base.emailSend',
			typeVersion: 2.1,
			parameters: {
				operation: 'sendAndWait',
				fromEmail: 'shop@example.com',
				toEmail: 'customer@example.com',
				subject: 'Your question',
				message: '={{ $json.text }}',
				responseType: 'customForm',
				formFields: { values: [{ ...field, requiredField: true }] },
			},
			credentials: { smtp: { id: '', name: '' } },
		},
		chatbaseNode('Rate answer', {
			resource: 'conversation',
			operation: 'rate',
			chatbotId: chatbot,
			conversationId: {
				__rl: true,
				mode: 'id',
				value: "={{ $('Ask chatbot').item.json.conversationId }}",
			},
			messageId: "={{ $('Ask chatbot').item.json.messageId }}",
			rating: '={{ $json.data.rating }}',
		}),
	];

	const connections = nodes.slice(1).map(({ name: node }, index) => {
		const line = { node, type: 'main', index: 0 };
		return [nodes[index]!.name, { main: [[line]] }];
	});
	return {
		name: 'Ratings by email',
		nodes: nodes.map((node, index) => ({ ...node, id: node.name, position: [index * 208, 0] })),
		connections: Object.fromEntries(connections) as Record<string, unknown>,
	};
}

function chatbaseNode(name: string, parameters: Record<string, unknown>): PlainNode {
	return {
		name,
		type: 'n8n-nodes-chatbase.chatbase',
		typeVersion: 1,
		parameters,
		credentials: { chatbaseV1Api: { id: '', name: '' } },
	};
}

/** The form of n8n numbers its fields. */
function filledIn(rating: string): FormData {
	const form = new FormData();
	form.append('field-0', rating);
	return form;
}

function linkIn({ html }: ParsedMail): string {
	const [, link] = /href="([^"]+webhook-waiting[^"]+)"/.exec(String(html)) ?? [];
	if (link === undefined) throw new Error('The email has no link');
	return link.replaceAll('&amp;', '&');
}

function ratingIn({ service }: Stage, chatbotId: string, conversationId: string): string | null {
	const { conversations } = service.store.chatbot(chatbotId);
	const conversation = conversations.find(({ id }) => id === conversationId);
	return conversation?.messages.at(-1)?.feedback ?? null;
}
