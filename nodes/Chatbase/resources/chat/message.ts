import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type ApiResponse, codeOf } from '../../api/response';
import type { RunContext } from '../../execution/context';
import { asObjects, isObject, objectIn } from '../../values/json';
import { warnIfSilent, withArrived, withoutAnswer } from './exchange';
import type { MessageStream } from './messageStream';

/** What a chatbot says (reference of version 2). */
export interface Message {
	readonly id?: IDataObject[string];
	/** Texts, tool calls and tool results, in their order. */
	readonly parts: IDataObject[];
	/** The texts joined, as a stream has them. */
	readonly text: string;
	readonly metadata: IDataObject;
}

/** Undefined if the body of a response holds no message. */
export function messageIn(body: unknown): Message | undefined {
	const { data } = objectIn(body);
	if (!isObject(data)) return undefined;

	const parts = asObjects(data.parts);
	if (!parts) return undefined;

	const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => text);
	if (!texts.every((text) => typeof text === 'string')) return undefined;

	const metadata = objectIn(data.metadata);
	return { id: data.id, parts, text: texts.join(''), metadata };
}

/** Throws if a response has no answer, or if the answer reports a failure. */
export function expectMessage(
	api: ApiClient,
	response: ApiResponse,
	answer: MessageStream,
): Message {
	if (response.outcome) throw withArrived(api, api.failure(response), answer.arrived);

	const message = messageIn(response.body);
	const hasFailed =
		codeOf(response) !== undefined || message?.metadata.finishReason === 'error';
	if (message && !hasFailed) return message;

	const arrived = message?.text ?? answer.text;
	if (!hasFailed) throw withArrived(api, withoutAnswer(api, response), arrived);

	const failed = { ...response, outcome: 'streamedFailure', mayHaveRun: true } as const;
	throw withArrived(api, api.failure(failed), arrived);
}

/** @param conversationId of the conversation that was continued, in case the message does not name it */
export function recordOf(message: Message, conversationId?: string): IDataObject {
	const { text, parts, metadata } = message;
	const { messageId = null, userId = null, finishReason = null, usage } = metadata;
	const { credits = null } = objectIn(usage);

	return {
		text,
		conversationId: metadata.conversationId ?? conversationId ?? null,
		messageId: message.id ?? messageId,
		userId,
		finishReason,
		credits,
		toolCalls: openToolCalls(parts),
		parts,
	};
}

/** What an agent needs of it. */
export function forAgent(record: IDataObject): IDataObject {
	const { text, conversationId, finishReason, toolCalls } = record;
	return { text, conversationId, finishReason, toolCalls };
}

/** The calls of tools that have no result. The workflow is to send it. */
function openToolCalls(parts: IDataObject[]): IDataObject[] {
	const results = parts.filter(({ type }) => type === 'tool-result');
	const answered = new Set(results.map(({ toolCallId }) => toolCallId));

	return parts
		.filter(({ type, toolCallId }) => type === 'tool-call' && !answered.has(toolCallId))
		.map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input }));
}

/** Says so if nobody got an answer, though the request succeeded. */
export function warnIfUnanswered(context: RunContext, message: Message): void {
	if (message.metadata.finishReason !== 'tool-calls') {
		warnIfSilent(context, message.text);
		return;
	}

	context.warn(
		'The chatbot called a tool and waits for its result. Send it with Chat: Send Tool Result.',
	);
}
