import type { IDataObject } from 'n8n-workflow';

import { failureOf } from '../../api/failure';
import { type ApiResponse, bodyIf, codeOf } from '../../api/response';
import { confirmedResult, repeatUntil } from '../../api/unknownOutcome';
import { chatbotField } from '../../chatbots/chatbots';
import { hasExpression } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import {
	readJson,
	requiredField,
	serviceIdField,
	writtenByModel,
} from '../../panel/field';
import { operation } from '../../panel/operation';
import { text } from '../../panel/types';
import { countFormat, isBlank, objectIn } from '../../values/json';
import { forEachLimited, groupBy, type NonEmpty } from '../../values/list';
import { chatPath, chatTimeout, creditsNotice, endAnswer } from './exchange';
import { expectMessage, forAgent, recordOf, warnIfUnanswered } from './message';
import { MessageStream } from './messageStream';

/** In bytes of JSON (reference of version 2). */
const maxOutputSize = 20 * 1024;

/** Milliseconds in which a tool call becomes known, right after a streamed answer (reference of version 2). */
const maxCallLag = 3000;

const conversationIdField = serviceIdField(
	'conversationId',
	'Conversation ID',
	{
		description:
			'The conversationId of the answer with the tool call. In a tool, never let the model fill it in.',
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
	},
	'Enter the conversationId of the answer that called the tool.',
);

const toolCallIdField = serviceIdField(
	'toolCallId',
	'Tool Call ID',
	{
		description:
			'The toolCallId of an entry in toolCalls of the answer. In a tool, never let the model fill it in.',
		placeholder: 'e.g. call_abc123',
	},
	'Enter the toolCallId of an entry in toolCalls of the answer.',
);

const outputField = requiredField('output', 'Output', text, {
	description:
		'What the tool found, as JSON or from an expression. The chatbot reads it. At most 20,480 bytes.',
	type: 'json',
	placeholder: 'e.g. {"status": "shipped"}',
});

interface Params {
	chatbotId: string;
	conversationId: string;
	toolCallId: string;
	output: IDataObject[string];
}

type Result = PendingItem<Params>;

export const sendToolResult = operation<Params>({
	value: 'sendToolResult',
	name: 'Send Tool Result',
	action: 'Send tool result',
	description:
		'Answer a tool call of the chatbot, and get its next answer. May need a higher plan.',
	request: {
		method: 'POST',
		path: '/agents/{chatbotId}/conversations/{conversationId}/tool-result',
		resource: 'agentConversation',
	},
	fields: [
		chatbotField,
		creditsNotice,
		conversationIdField,
		toolCallIdField,
		...writtenByModel(outputField, 'json'),
	],

	neverTwice: 'send all results again, and each answer costs credits',

	read(item) {
		const chatbotId = chatbotField.read(item);
		const conversationId = conversationIdField.read(item);
		// Another result of the conversation must not be sent if this one is refused.
		item.identity = { chatbotId, id: conversationId };

		return {
			chatbotId,
			conversationId,
			toolCallId: toolCallIdField.read(item),
			output: readToolOutput(item),
		};
	},

	async sendAll({ items, refused, limits }) {
		const refusedKeys = new Set(
			refused.map(({ identity: { chatbotId, id } }) => keyOf(chatbotId, id)),
		);
		const conversations = groupBy(items, ({ params }) =>
			keyOf(params.chatbotId, params.conversationId),
		);

		await forEachLimited(
			[...conversations],
			limits.maxConcurrency,
			async ([key, results]) => {
				const isRefused = refusedKeys.has(key) || hasRepeatedCall(results);
				if (isRefused) results.forEach(refuse);
				else await sendResults(results);
			},
		);
	},
});

function keyOf(chatbotId?: string, conversationId?: string): string {
	return JSON.stringify([chatbotId, conversationId]);
}

function hasRepeatedCall(results: readonly Result[]): boolean {
	const calls = new Set(results.map(({ params }) => params.toolCallId));
	return calls.size < results.length;
}

/** The chatbot could not go on, and a second try would send this result again. */
function refuse({ item, params, answer }: Result): void {
	const fact = `Another item of conversation ${params.conversationId} is not valid, or has the same Tool Call ID.`;
	const nextStep =
		'Nothing of this conversation was sent. Correct its items and run again.';
	answer(
		item.error('The results of the conversation are not complete', `${fact} ${nextStep}`),
	);
}

/** JSON of the panel, or any value of an expression. Throws for what JSON can't hold, and for what is too large. */
function readToolOutput(item: InputItem): Params['output'] {
	const given = item.parameter('output');
	const isFromExpression = item.isTool || hasExpression(item.rawParameter('output'));
	const isPlainText = typeof given === 'string' && !/^\s*["{[]/.test(given);
	if (isBlank(given) && !Array.isArray(given)) throw emptyOutput(item, isFromExpression);

	const isAsGiven = isFromExpression && isPlainText;
	const output = isAsGiven ? given : readJson(item, given, 'Output');
	const size = Buffer.byteLength(JSON.stringify(output));
	if (size <= maxOutputSize) return output as Params['output'];

	throw item.error(
		'Output is too large',
		`It has ${countFormat.format(size)} bytes as JSON, and at most ${countFormat.format(maxOutputSize)} can be sent. Send only the fields that the chatbot needs.`,
	);
}

function emptyOutput(item: InputItem, isFromExpression: boolean) {
	const nextStep = isFromExpression
		? 'The expression in Output returned nothing for this item. If the tool found nothing, say so, such as {"found": false}.'
		: 'Enter what the tool found, such as {"found": false}.';
	return item.error('Output is empty', nextStep);
}

/** Sends the results of a conversation, then lets the chatbot go on. */
async function sendResults(results: NonEmpty<Result>): Promise<void> {
	const recorded: Result[] = [];

	for (const result of results) {
		try {
			await recordResult(result);
			recorded.push(result);
		} catch (error) {
			result.answer(failureOf(error));
		}
	}

	if (recorded.length === results.length) await goOn(results);
	else recorded.forEach(answerRecorded);
}

/** The chatbot waits for the other results. */
function answerRecorded({ item, params, answer }: Result): void {
	const fact = `The result of ${params.toolCallId} was recorded. Another one of conversation ${params.conversationId} was not, so the chatbot did not go on.`;
	const failure = item.error(
		'The chatbot waits for another result',
		`${fact} Send only what is missing.`,
	);
	answer(failure.with({ written: 'yes' }));
}

/** Throws unless the service has recorded the result. */
async function recordResult({ item, params, api }: Result): Promise<void> {
	const { toolCallId, output, ...name } = params;
	const response = await repeatUntil(
		api,
		maxCallLag,
		async () =>
			await api.send({ ...item.request, params: name, body: { toolCallId, output } }),
		(received) => !isCallUnknown(received),
	);
	if (confirmedResult(api, response, isRecorded)) return;

	throw api.failure(response).and('The result may have been recorded.');
}

function isCallUnknown(response: ApiResponse): boolean {
	return codeOf(response) === 'RESOURCE_TOOL_CALL_NOT_FOUND';
}

const isRecorded = bodyIf(({ data }) => objectIn(data).success === true);

const howToGoOn =
	'The result was recorded. To get the answer, send the next message with Send Message With Memory.';

/** Asks for the next answer. It is that of each result. */
async function goOn(results: NonEmpty<Result>): Promise<void> {
	const [{ item, params, api }] = results;
	const { chatbotId, conversationId } = params;
	const answer = new MessageStream(item.sendChunk);

	try {
		const response = await api.send({
			method: 'POST',
			path: chatPath,
			resource: 'agentChat',
			params: { chatbotId },
			body: { conversationId, stream: false },
			timeout: chatTimeout,
		});
		const message = expectMessage(api, response, answer);
		await endAnswer(item, answer, { text: message.text });
		warnIfUnanswered(item.context, message);

		const record = recordOf(message, conversationId);
		for (const result of results)
			result.answer([item.isTool ? forAgent(record) : record]);
	} catch (error) {
		const failure = failureOf(error).with({ written: 'yes', isEndOfRun: false });
		for (const result of results)
			result.answer(failure.with({ itemIndex: result.item.index }).and(howToGoOn));
	}
}
