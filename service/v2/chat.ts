/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Chatting: the service keeps the history. Reference of version 2. */
import { Readable } from 'node:stream';

import { answerTo, type Answer } from '../core/answer';
import type { Conversation, Message } from '../core/store';
import type { BehaviourV2 } from './behaviour';
import type { ChatAnswer } from './chatAnswer';
import { callsFor, resultsIn } from './clientAction';
import { endpoints } from './contract';
import { ApiError, invalid } from './errors';
import { route, type Call } from './route';
import type { Part } from './state';
import { chunksOf, eventsOf, framed } from './stream';

type ChatCall = Call<typeof endpoints.chat>;

export const chatRoutes = [
	route(endpoints.chat, async (call) => {
		const { behaviour, body, response } = call;
		if (behaviour.credits !== 'enough') throw new ApiError(behaviour.credits);
		if (body.message === undefined) refuseWithoutResult(call);

		const conversation = conversationFor(call);
		refuseNotOngoing(conversation, behaviour);
		const answer = await recordedAnswer(conversation, body.message, call);

		if (!body.stream) {
			const { id, parts, ...metadata } = answer;
			return { data: { id, role: 'assistant', parts, metadata } };
		}

		if (behaviour.streamError === 'json') throw new ApiError('CHAT_STREAMING_ERROR');
		void response.headers({
			'content-type': 'text/event-stream',
			'cache-control': 'no-cache',
			'x-vercel-ai-ui-message-stream': 'v1',
			'x-accel-buffering': 'no',
		});
		const frames = framed(eventsOf(answer, behaviour), behaviour);
		const chunks = chunksOf(frames, behaviour);
		return response.send(Readable.from(chunks, { objectMode: false }));
	}),
	route(endpoints.toolResult, (call) => {
		const { toolCallId, output } = call.body;
		const last = messageWithCalls(call, call.params.conversationId);
		const [open] = openCalls(last).filter((one) => one.toolCallId === toolCallId);
		if (!open) throw new ApiError('RESOURCE_TOOL_CALL_NOT_FOUND');

		const { toolName } = open;
		last!.parts!.push({ type: 'tool-result', toolCallId, toolName, output });
		return { data: { success: true } };
	}),
];

/** The last message of a conversation if it calls tools. */
function messageWithCalls(
	{ agent }: Pick<ChatCall, 'agent'>,
	conversationId?: string,
): Message | undefined {
	const last = agent.conversations.find(({ id }) => id === conversationId)?.messages.at(-1);
	return last?.parts?.some(({ type }) => type === 'tool-call') ? last : undefined;
}

function openCalls(message?: Message) {
	const parts = message?.parts ?? [];
	const answered = parts.flatMap((one) => (one.type === 'tool-result' ? [one.toolCallId] : []));
	return parts.filter(
		(one) => one.type === 'tool-call' && !answered.includes(one.toolCallId),
	) as Array<Extract<Part, { type: 'tool-call' }>>;
}

/** A message can be left out only to continue after a tool result. */
function refuseWithoutResult(call: ChatCall): void {
	const last = messageWithCalls(call, call.body.conversationId);
	if (!last || openCalls(last).length > 0) throw invalid({ message: 'Required' });
}

function conversationFor({ agent, body, behaviour, store }: ChatCall): Conversation {
	const { conversationId, message = '', userId = null } = body;
	const known = agent.conversations.find(({ id }) => id === conversationId);
	if (known) return known;
	if (conversationId !== undefined) refuseUnknown(behaviour);

	// Fixed from here on: a user ID that comes with a later message is ignored.
	return store.addConversation(agent.id, { userId, title: message.slice(0, 50) });
}

function refuseUnknown({ chatUnknownConversation }: BehaviourV2): void {
	if (chatUnknownConversation === 'startsAnother') return;
	if (chatUnknownConversation === 'notFound') throw new ApiError('RESOURCE_NOT_FOUND');

	const status = chatUnknownConversation === 'mismatch400' ? 400 : 403;
	throw new ApiError('CHAT_CONVERSATION_MISMATCH', undefined, status);
}

function refuseNotOngoing({ status }: Conversation, behaviour: BehaviourV2): void {
	const isRecorded = status === 'paused' && behaviour.chatPaused === 'recorded';
	if (status === 'ongoing' || isRecorded) return;
	throw new ApiError('CHAT_CONVERSATION_NOT_ONGOING', undefined, behaviour.chatNotOngoing);
}

/** Records the message and its answer, and takes the credits. */
async function recordedAnswer(
	conversation: Conversation,
	message: string | undefined,
	call: ChatCall,
): Promise<ChatAnswer> {
	const { agent, behaviour, store } = call;
	const createdAt = store.clock.iso();
	const { id, userId, messages } = conversation;
	const continues = message === undefined;
	if (!continues) messages.push({ role: 'user', content: message, createdAt });
	const number = messages.length;
	conversation.lastMessageAt = createdAt;

	const isSilent = conversation.status === 'paused' || behaviour.chatAnswer === 'emptyParts';
	const hasFailed = behaviour.chatAnswer === 'error' || behaviour.streamError !== 'none';
	const calls = callsFor(agent.clientActions, messages, () => store.newId());
	const made = await madeAnswer(calls, messages, call);
	const { text, score } = made;
	const shown = continues || calls.length > 0 ? made.parts : partsToShow(made, call);
	const parts = isSilent || behaviour.chatAnswer === 'error' ? [] : shown;
	if (parts.length > 0 && !hasFailed) {
		messages.push({ role: 'assistant', content: text, parts, score, createdAt });
	}

	agent.agent.creditsUsed++;

	const isUnnamed = behaviour.chatAnswer === 'nullUserMessageId';
	return {
		id: `${id}-${number + 1}`,
		parts,
		finishReason:
			calls.length > 0 && parts === calls ? 'tool-calls' : finishReasonOf(behaviour, continues),
		userMessageId: isUnnamed ? null : `${id}-${number}`,
		conversationId: id,
		userId,
		usage: { credits: 1 },
	};
}

/** The calls of client-side actions in place of an answer, or the answer. */
async function madeAnswer(calls: Part[], messages: Message[], call: ChatCall): Promise<Answer> {
	if (calls.length > 0) return { text: '', score: null, parts: calls };
	const result = resultsIn(messages).at(-1);
	return await answerTo(call, { chatbot: call.agent, messages, result });
}

function finishReasonOf(
	{ chatAnswer }: BehaviourV2,
	continues: boolean,
): ChatAnswer['finishReason'] {
	if (continues) return 'stop';
	if (chatAnswer === 'error') return 'error';
	return chatAnswer === 'toolCalls' ? 'tool-calls' : 'stop';
}

function partsToShow({ text, parts }: Answer, { behaviour }: ChatCall): Part[] {
	if (behaviour.chatAnswer === 'severalTexts') {
		const characters = [...text];
		const half = Math.floor(characters.length / 2);
		return [characters.slice(0, half), characters.slice(half)].map((some) => ({
			type: 'text',
			text: some.join(''),
		}));
	}
	if (behaviour.chatAnswer !== 'toolCalls') return parts;

	const call = { toolCallId: 'call_1', toolName: 'lookupOrder' };
	return [...parts, { type: 'tool-call', ...call, input: { orderId: 'ORD-123' } }];
}
