import type { ApiClient } from '../../api/client';
import type { Failure } from '../../api/failure';
import type { ApiResponse } from '../../api/response';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import {
	type Field,
	type FieldLook,
	optionalField,
	requiredField,
} from '../../panel/field';
import { toolNotice } from '../../panel/notices';
import { boolean, filledText } from '../../panel/types';
import { countFormat, isObject } from '../../values/json';
import type { AnswerStream } from './answerStream';

/** Where version 2 takes a message, or goes on after the results of tools. */
export const chatPath = '/agents/{chatbotId}/chat';

/** In milliseconds. A chatbot may look up information before it answers. */
export const chatTimeout = 120_000;

export const creditsNotice = toolNotice(
	'Each call costs message credits. Describe under Tool Description when to use it.',
);

/** @param look what differs from the usual field, such as a default */
export function messageFieldWith(look: Partial<FieldLook> = {}): Field<string> {
	return requiredField('message', 'Message', filledText, {
		description: 'What the user says to the chatbot',
		typeOptions: { rows: 3 },
		placeholder: 'e.g. What are your opening hours?',
		...look,
	});
}

export const streamOption = optionalField('options.stream', 'Enable Streaming', boolean, {
	description:
		'Whether to send the answer in pieces as it is written. Requires "Streaming" under Response Mode of the Chat Trigger, or under Respond of the Webhook.',
	default: true,
});

/** Passes on what a streaming workflow still lacks of an answer that has arrived completely. */
export async function endAnswer(
	{ sendChunk, context }: InputItem,
	answer: AnswerStream,
	{ text, stream }: { text: string; stream?: boolean },
): Promise<void> {
	// A workflow that streams would otherwise respond with nothing.
	if (answer.text === '') await answer.passWhole(text);
	if (answer.leftOut > 0) {
		context.warn(
			'The answer may lack words: a part of it could not be read. Chatbase has the whole answer in the conversation.',
		);
	}
	if (!stream || sendChunk) return;

	context.warn(
		'The answer was not streamed, because this run has no streaming response. Choose "Streaming" under Response Mode of the Chat Trigger, or under Respond of the Webhook.',
	);
}

/** A success without an answer. The service says nothing more in it. */
export function warnIfSilent(context: RunContext, text: string): void {
	if (text.trim() !== '') return;

	context.warn(
		'The chatbot gave no text. A person may have taken over, or the conversation is paused.',
	);
}

/** Adds to a failure the part of the answer that had arrived, since it may have cost credits. */
export function withArrived(api: ApiClient, failure: Failure, text: string): Failure {
	if (text === '') return failure;

	const arrived = api.hideKey(text);
	const length = countFormat.format([...arrived].length);
	return failure.and(`${length} characters of the answer had arrived: "${arrived}"`);
}

/** The failure of a response without an answer. It quotes the response, since the message may have cost credits. */
export function withoutAnswer(api: ApiClient, response: ApiResponse): Failure {
	const { body } = response;
	const hasMessage = isObject(body) && typeof body.message === 'string';
	const message = typeof body === 'string' ? body : JSON.stringify(body);

	const failure = api.unexpected({ ...response, body: hasMessage ? body : { message } });
	return failure.and('The message may have been received.');
}
