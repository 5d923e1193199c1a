import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ValueType } from '../../fields/values';
import { boolean, filledText, fraction, hasValue, readAs } from '../../fields/values';
import { readId } from '../../fields/read';
import type { InputItem } from '../../execution/item';
import type { SingleOperation } from '../../execution/operation';
import type { ApiResponse } from '../../api/response';
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
const options: Record<string, { label: string; kind: ValueType<string | number | boolean> }> = {
	conversationId: { label: 'Conversation ID', kind: filledText },
	contactId: { label: 'Contact ID', kind: filledText },
	model: { label: 'Model', kind: filledText },
	temperature: { label: 'Temperature', kind: fraction },
	stream: { label: 'Stream', kind: boolean },
};

/** Sends a message with the turns before it, and returns the answer. */
export const sendMessage: SingleOperation<Task> = {
	read(item) {
		const given = item.collection('options');
		const body: Task['body'] = {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			messages: [...readHistory(item, given.historyJson), readMessage(item)],
		};
		for (const [name, { label, kind }] of Object.entries(options)) {
			const value = given[name];
			if (hasValue(item, value)) body[name] = readAs(item, value, kind, label);
		}
		// An agent reads the whole answer at once, and nobody listens to the parts.
		if (item.isTool) delete body.stream;
		return { path: item.request.path, body };
	},

	async send({ item, params: { path, body }, api }) {
		const answer = new AnswerStream(item.sendChunk);
		const response = await api.send({
			method: 'POST',
			path,
			body,
			subject: 'chat',
			timeout,
			readStream: body.stream
				? async (stream, contentType) => await answer.read(stream, contentType)
				: undefined,
		});
		if (response.outcome) {
			throw withText(api.failure(response, 'chat'), api.redact(answer.arrived));
		}
		const { text, ...rest } = isObject(response.body) ? response.body : {};
		if (typeof text !== 'string') throw api.unexpected(quoting(response), 'chat');
		// Whoever waits for the workflow to stream would be left without an answer.
		if (!body.stream) await answer.passWhole(text);
		const { conversationId } = body;
		return [{ text, ...(conversationId !== undefined && { conversationId }), ...rest }];
	},
};

function readMessage(item: InputItem): Message {
	const message = item.parameter('message');
	return { role: 'user', content: readAs(item, message, filledText, 'Message') };
}

function readHistory(item: InputItem, historyJson: unknown): Message[] {
	const isBlank = typeof historyJson === 'string' && historyJson.trim() === '';
	if (hasValue(item, historyJson) && !isBlank) {
		return readTurns(item, historyJson, 'History JSON');
	}
	const { turns = [] } = item.collection('history') as { turns?: IDataObject[] };
	// A model leaves the turns blank that it has no use for.
	const used = turns.filter(({ content }) => !item.isTool || hasValue(item, content));
	return readTurns(item, used, 'History');
}

/** Keeps what had arrived of an answer that broke off. */
function withText(failure: NodeApiError, text: string): NodeApiError {
	if (text === '') return failure;
	const arrived = `${[...text].length} characters of the answer had arrived: “${text}”`;
	failure.description = `${failure.description} ${arrived}`;
	return failure;
}

/** Lets the error quote a response that is no answer as it came: it may hold what credits were spent on. */
function quoting(response: ApiResponse): ApiResponse {
	const { body } = response;
	if (isObject(body) && typeof body.message === 'string') return response;
	const message = typeof body === 'string' ? body : JSON.stringify(body);
	return { ...response, body: { message } };
}
