/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Chatting. Contract; framing of a stream: public pages. */
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';

import { answerTo } from '../core/answer';
import { Refusal } from '../core/refusal';
import type { Chatbot, Message } from '../core/store';
import type { Behaviour } from './behaviour';
import { findChatbot } from './context';
import { endpoints } from './endpoints';
import { route, type Call } from './route';

type ChatCall = Call<typeof endpoints.chat>;

export const chatRoutes = [
	route(endpoints.chat, async (call) => {
		const { body, behaviour, response } = call;
		const { chatbotId, conversationId, messages, stream } = body;
		const chatbot = findChatbot(call, chatbotId);
		// The reference lists no 404 for the chat.
		if (!chatbot) throw new Refusal(400, 'Chatbot not found');

		const { text, score } = await answerTo(call, { chatbot, messages });
		// Contract: without a conversation ID nothing is saved.
		if (conversationId !== undefined) {
			save(chatbot, { role: 'assistant', content: text, score }, call);
		}
		if (!stream) return { text };

		const isCalledEvents = behaviour.streamFraming === 'events';
		const type = isCalledEvents ? 'text/event-stream' : 'text/plain; charset=utf-8';
		const pieces = chunks(streamBody(text, behaviour), behaviour);
		return await response.type(type).send(Readable.from(pieces, { objectMode: false }));
	}),
];

/** Adds a message and its answer to a conversation, which begins with an ID that the caller makes up. */
function save(chatbot: Chatbot, answer: Message, { body, store }: ChatCall): void {
	const { conversationId, contactId, messages } = body;
	const known = chatbot.conversations.find(({ id }) => id === conversationId);
	const conversation = known ?? store.addConversation(chatbot.id, { id: conversationId });

	conversation.messages.push(...(known ? messages.slice(-1) : messages), answer);
	conversation.contactId = contactId ?? conversation.contactId;
	conversation.lastMessageAt = store.clock.iso();
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
