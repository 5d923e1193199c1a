import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { Kind } from '../../fields/kinds';
import { filledText, isGiven, readAs, share, truth } from '../../fields/kinds';
import { readId } from '../../fields/read';
import { escapeHtml } from '../../transport/html';
import type { ItemContext, SingleOperation } from '../../transport/operation';
import { isToolCall } from '../../transport/run';
import { isObject } from '../../values/object';
import { AnswerStream } from './answerStream';
import type { Message } from './messages';
import { readTurns } from './messages';

interface Task {
	path: string;
	body: IDataObject & { messages: Message[]; stream?: boolean };
}

/** A chatbot may think and look things up before it answers. */
const timeout = 120_000;

/** The options that are sent, by their name in the body. */
const options: Record<string, { label: string; kind: Kind<string | number | boolean> }> = {
	conversationId: { label: 'Conversation ID', kind: filledText },
	contactId: { label: 'Contact ID', kind: filledText },
	model: { label: 'Model', kind: filledText },
	temperature: { label: 'Temperature', kind: share },
	stream: { label: 'Stream', kind: truth },
};

/** Sends a message with the turns before it, and returns the answer. */
export const sendMessage: SingleOperation<Task> = {
	read(context, request) {
		const body: Task['body'] = {
			chatbotId: readId(context, 'chatbotId', 'Chatbot'),
			messages: [...readHistory(context), readMessage(context)],
		};
		for (const [name, { label, kind }] of Object.entries(options)) {
			const value = request.body[name];
			if (isGiven(context, value)) body[name] = readAs(context, value, kind, label);
		}
		// An agent reads the whole answer at once, and nobody listens to the parts.
		if (isToolCall(context)) delete body.stream;
		return { path: request.path, body };
	},

	async send({ task: { path, body }, context, service }) {
		const answer = new AnswerStream(context);
		const response = await service.send({
			method: 'POST',
			path,
			body,
			subject: 'chat',
			timeout,
			readStream: body.stream
				? async (stream, contentType) => await answer.read(stream, contentType)
				: undefined,
		});
		if (response.outcome) throw withText(service.failure(response, 'chat'), answer.text);
		const { text, ...rest } = isObject(response.body) ? response.body : {};
		if (typeof text !== 'string') throw service.unexpected(response, 'chat');
		const { conversationId } = body;
		return [{ text, ...(conversationId !== undefined && { conversationId }), ...rest }];
	},
};

function readMessage(context: ItemContext): Message {
	const message = context.getNodeParameter('message', '');
	return { role: 'user', content: readAs(context, message, filledText, 'Message') };
}

function readHistory(context: ItemContext): Message[] {
	const { historyJson } = context.getNodeParameter('options', {}) as IDataObject;
	const isBlank = typeof historyJson === 'string' && historyJson.trim() === '';
	if (isGiven(context, historyJson) && !isBlank) {
		return readTurns(context, historyJson, 'History JSON');
	}
	const turns = context.getNodeParameter('history.turns', []) as IDataObject[];
	// A model leaves the turns blank that it has no use for.
	const used = turns.filter(({ content }) => !isToolCall(context) || isGiven(context, content));
	return readTurns(context, used, 'History');
}

/** Keeps what had arrived of an answer that broke off. */
function withText(failure: NodeApiError, text: string): NodeApiError {
	if (text === '') return failure;
	const arrived = `${[...text].length} characters of the answer had arrived: “${text}”`;
	failure.description = `${failure.description} ${escapeHtml(arrived)}`;
	return failure;
}
