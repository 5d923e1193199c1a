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
		checks.expectEqual('A second click changes nothing', await rate(negative), [
			204,
			1,
			'negative',
		]);
		for (const wrong of ['bad', '', null, { $ne: 1 }]) {
			checks.expectEqual(
				`The rating ${JSON.stringify(wrong)} is refused before any request`,
				await rate({ ...answer, rating: wrong }),
				[502, 0, 'negative'],
			);
		}
		checks.expectEqual('A body without IDs is refused', await rate({}), [502, 0, 'negative']);
		checks.expectEqual(
			'The question of the visitor cannot be rated',
			await rate({ ...negative, messageId: `${conversationId}-1` }),
			[502, 1, 'negative'],
		);
		checks.expectEqual('None clears the rating', await rate({ ...answer, rating: 'none' }), [
			204,
			1,
			null,
		]);
		await rate(negative);
	});
	checks.expect('n8n keeps no execution', await example.leavesNoExecution());
}
