/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Chatting. Contract; framing of a stream: public pages. */
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { answerTo } from '../core/answer';
import type { Behaviour } from './behaviour';
import { findChatbot, type Context } from './context';
import { chatModels, chatRequest } from './contract';
import { badRequest, Refusal, validated } from '../core/refusal';
import type { Chatbot, Message } from '../core/store';

const requestOfCurrentModels = chatRequest.extend({ model: z.enum(chatModels).optional() });

export function chatRoutes(app: FastifyInstance, context: Context): void {
	const { behaviour, store } = context;

	app.post('/api/v1/chat', async ({ body }, reply) => {
		const schema =
			behaviour.earlierChatModels === 'accepted' ? chatRequest : requestOfCurrentModels;
		const request = validated(schema, body);
		const chatbot = findChatbot(context, request.chatbotId);
		if (!chatbot) throw new Refusal(behaviour.chatUnknownChatbot, 'Chatbot not found');
		refuseLongMessages(request.messages);

		const { text, score } = await answerTo(context, { chatbot, messages: request.messages });
		// Contract: without a conversation ID nothing is saved.
		if (request.conversationId !== undefined) {
			save(chatbot, request, { role: 'assistant', content: text, score });
		}
		if (!request.stream) return { text };

		const isCalledEvents = behaviour.streamFraming === 'events';
		const type = isCalledEvents ? 'text/event-stream' : 'text/plain; charset=utf-8';
		const stream = Readable.from(chunks(streamBody(text, behaviour), behaviour), {
			objectMode: false,
		});
		return await reply.type(type).send(stream);
	});

	function refuseLongMessages(messages: Message[]): void {
		const issues = messages.flatMap(({ content }, index) =>
			content.length > behaviour.maximumMessageLength
				? [{ field: `messages.${index}.content`, message: 'Too long' }]
				: [],
		);
		if (issues.length > 0) throw badRequest(issues);
	}

	function save(
		chatbot: Chatbot,
		{ conversationId, contactId, messages }: z.output<typeof chatRequest>,
		answer: Message,
	): void {
		const known = chatbot.conversations.find(({ id }) => id === conversationId);
		if (!known && behaviour.unknownConversation === 'badRequest') {
			throw badRequest([{ field: 'conversationId', message: 'Conversation not found' }]);
		}

		const conversation = known ?? store.addConversation(chatbot.id, { id: conversationId });
		// A turn adds the last message and its answer.
		conversation.messages.push(...(known ? messages.slice(-1) : messages), answer);
		conversation.contactId = contactId ?? conversation.contactId;
		conversation.lastMessageAt = store.clock.iso();
	}
}

/** The body of a streamed response as a whole: the bare text, or an event for each word and one for the end. */
function streamBody(text: string, { streamFraming }: Behaviour): string {
	if (streamFraming === 'text') return text;
	const event = (piece: string) => {
		const lines = piece.split(/\r\n|\r|\n/);
		return lines.map((line) => `data: ${line}\n`).join('') + '\n';
	};

	const words = text.split(/(?<=\s)(?=\S)/).filter((word) => word !== '');
	return words.map(event).join('') + 'data: [DONE]\n\n';
}

/** A pause that is no longer awaited must not keep the process alive. */
async function pause(milliseconds: number): Promise<void> {
	await setTimeout(milliseconds, undefined, { ref: false });
}

/** Cuts a body into chunks of bytes, wherever characters end. A turn of the event loop keeps them apart. */
async function* chunks(
	body: string,
	{ streamChunkBytes, streamDelayMs }: Behaviour,
): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(body);
	for (let start = 0; start < bytes.length; start += streamChunkBytes) {
		if (start > 0) await (streamDelayMs > 0 ? pause(streamDelayMs) : setImmediate());
		yield bytes.subarray(start, start + streamChunkBytes);
	}
}
