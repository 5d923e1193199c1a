/** Publishes the example that rates answers, and posts to it as the server of a chat does. */
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const header = { name: 'x-chat-server', value: 'only-the-server-knows' };

export async function answersAreRated(stage: Stage, checks: Checks): Promise<void> {
	const { api, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Rating checks' });
	const conversation = service.store.addConversation(chatbot.id, {
		messages: [
			{ role: 'user', content: 'Do you ship to Norway?' },
			{ role: 'assistant', content: 'I am not sure.' },
		],
	});
	const { id: conversationId, messages } = conversation;
	const world = {
		chatbotId: chatbot.id,
		credentials: [await api.createCredential('httpHeaderAuth', 'Chat server', header)],
	};
	const example = await ExampleInUse.import(stage, 'Ratings from your chat', world);
	const rating = () => messages[1]!.feedback;

	await example.whileListening('rate-answer', async (post) => {
		const rate = async (body: object, headers?: Record<string, string>) => {
			service.clearRequests();
			const { status } = await post(body, headers ?? { [header.name]: header.value });
			return [status, service.requests.length, rating()];
		};
		const answer = { conversationId, messageId: `${conversationId}-2` };
		const negative = { ...answer, rating: 'negative' };

		checks.expectEqual('A caller without the header rates nothing', await rate(negative, {}), [
			403,
			0,
			undefined,
		]);
		checks.expectEqual('A thumb becomes the rating', await rate(negative), [204, 1, 'negative']);
		checks.expectEqual(
			'What is no rating is refused before any request',
			await rate({ ...answer, rating: 'bad' }),
			[502, 0, 'negative'],
		);
	});
	checks.expect('n8n keeps no execution', await example.leavesNoExecution());
}
