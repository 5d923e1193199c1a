/** What the suites about a chat with memory share. */
import type { INodeParameters, StructuredChunk } from 'n8n-workflow';

import type { RunOptions } from '../harness';
import { byId, useTestbed } from '../testbed';

/** What the chatbot says. */
export const answer = 'Grüße 🦊🦊\n\nتفضل, "so be it" \u2028 and\nthe end 👩‍👩‍👧. ';

/** What the node returns for this answer, without its parts. */
export const outputIn = (conversationId: string) => ({
	text: answer,
	conversationId,
	messageId: `${conversationId}-2`,
	userId: null,
	finishReason: 'stop',
	credits: 1,
	toolCalls: [],
});

export const address = 'POST /api/v2/agents/bot/chat';

export const inConversation = (conversationId: string, options: INodeParameters = {}) => ({
	conversation: 'id',
	conversationId,
	options,
});

export const itemsOf = (chunks: StructuredChunk[]) => chunks.filter(({ type }) => type === 'item');
/** What an error says of a part of an answer. */
export const quoting = (text: string) =>
	new RegExp(`had arrived: .${text}. Unknown: item 0\\.$`, 'u');
export const textOf = (chunks: StructuredChunk[]) =>
	chunks.map(({ content }) => content ?? '').join('');

/** The node in n8n's engine, with a chatbot that always gives this answer. */
export function useMemory() {
	const testbed = useTestbed(
		{ resource: 'chat', operation: 'sendWithMemory', chatbotId: byId('bot') },
		{ reply: () => answer },
	);

	const bodies = () => testbed.service.requests.map(({ body }) => body);
	const conversations = () => testbed.service.store.chatbot('bot').conversations;
	const messagesOf = (id: string) =>
		conversations()
			.find((conversation) => conversation.id === id)!
			.messages.map(({ content }) => content);
	const addConversation = (id: string, status: 'ongoing' | 'ended' | 'paused' = 'ongoing') =>
		testbed.service.store.addConversation('bot', { id, status });

	const run = async (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
		await testbed.run({ message: 'Hi', conversation: 'new', ...parameters }, options);

	/** Runs the node in a workflow whose trigger answers as a stream. */
	const stream = async (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
		await run(
			{ options: { stream: true }, ...parameters },
			{
				mode: 'webhook',
				streaming: true,
				...options,
			},
		);

	return { testbed, bodies, conversations, messagesOf, addConversation, run, stream };
}
