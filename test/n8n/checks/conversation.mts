/** A Chat Trigger and a node as it is added: three messages, one conversation. */
import { type Checks } from '../../../lab/expectations.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const questions = ['My name is Ada.', 'I like lamps.', 'What do I like?'];

export async function chatRemembers(stage: Stage, checks: Checks): Promise<string> {
	const { api, credential, service } = stage;
	const editor = stage.editor!;
	const { page } = editor;
	const panel = new Panel(page);
	const chatbot = service.store.addChatbot({ name: 'Remembering Bot' });
	await editor.openWorkflow(await api.importWorkflow(chat, []));
	await editor.node('Chat').click();
	await editor.addNode('chatbase', 'Chatbase', 'Send message with memory');
	await panel.waitFor();
	await panel.chooseCredential(credential.name);
	// Message and user come from the Chat Trigger by default.
	const chosen = editor.savedWith(chatbot.id);
	await panel.chooseFromList('chatbotId', chatbot.settings.name);
	await chosen;
	await editor.screenshot('conversation-panel');
	await panel.close();

	await page.getByTestId('workflow-chat-button').click();
	for (const question of questions) {
		await page.getByTestId('chat-input').fill(question);
		await page.keyboard.press('Enter');
		const answer = page.locator('.chat-message-from-bot');
		await answer.filter({ hasText: `You said: ${question}` }).waitFor();
	}
	await editor.screenshot('conversation-chat');
	checks.expectEqual(
		'Three messages of a chat are one conversation',
		chatbot.conversations.map(({ messages }) =>
			messages.filter(({ role }) => role === 'user').map(({ content }) => content),
		),
		[questions],
	);
	return 'a node added to a chat, three messages without another field filled in';
}

const chat = {
	name: 'Chat with a conversation',
	nodes: [
		{
			id: 'chat',
			name: 'Chat',
			type: '@n8n/n8n-nodes-langchain.chatTrigger',
			typeVersion: 1.3,
			position: [0, 0] as [number, number],
			parameters: { options: {} },
			webhookId: 'chat-with-a-conversation',
		},
	],
	connections: {},
};
