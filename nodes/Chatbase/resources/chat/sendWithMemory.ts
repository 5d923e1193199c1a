import type { ApiClient } from '../../api/client';
import type { ApiResponse } from '../../api/response';
import { codeOf } from '../../api/response';
import type { ReadyItem } from '../../execution/run';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import type { ValueType } from '../../fields/values';
import {
	filledText,
	readBoolean,
	readChoice,
	readId,
	readOptional,
	readRequired,
	text,
} from '../../fields/values';
import { isObject } from '../../values/object';
import { isSameConversation } from '../conversation/conversations';
import {
	chatTimeout,
	costNotice,
	messageField,
	quoting,
	readConversationId,
	streamOption,
	warnIfUnheard,
	withText,
} from './chat';
import type { Message } from './messageStream';
import { messageIn, MessageStream } from './messageStream';

/** Reference of version 2, 4. */
const userIdType: ValueType<string> = {
	expected: 'valid',
	rule: 'It can have up to 128 letters (a to z), digits, dots, underscores and hyphens.',
	read(value) {
		const userId = text.read(value) ?? '';
		return /^[a-zA-Z0-9._-]{1,128}$/.test(userId) ? userId : undefined;
	},
};

interface Params {
	chatbotId: string;
	message: string;
	/** The conversation to continue; undefined to begin a new one. */
	conversationId?: string;
	userId?: string;
	startsNew: boolean;
	stream: boolean;
}

export const sendWithMemory = operation<Params>({
	value: 'sendWithMemory',
	name: 'Send Message With Memory',
	action: 'Send message with memory',
	description:
		'Send a message in a conversation that Chatbase remembers. Needs a plan with API access.',
	request: { method: 'POST', path: '/agents/{chatbotId}/chat', resource: 'agentChat' },
	fields: [
		chatbotField,
		costNotice,
		messageField,
		optionsField([
			{
				displayName: 'Conversation ID',
				name: 'conversationId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
				description:
					'Conversation to continue, as an earlier output of this node named it. If empty, a new one begins.',
			},
			streamOption,
			{
				displayName: 'If the Conversation Has Ended',
				name: 'onEnded',
				type: 'options',
				default: 'error',
				description: 'What to do if the conversation has ended or a person has taken it over',
				options: [
					{ name: 'Fail', value: 'error', description: 'Fails the item' },
					{
						name: 'Start New',
						value: 'startNew',
						description: 'Sends the message in a new conversation. The output has its ID.',
					},
				],
			},
			maxConcurrencyOption,
			{
				displayName: 'User ID',
				name: 'userId',
				type: 'string',
				default: '',
				placeholder: 'e.g. user_abc123',
				description:
					'ID of the person who chats, from your own system. Chatbase stores it when a conversation begins.',
			},
		]),
	],

	read(item) {
		const onEnded = readChoice(item, 'options.onEnded', 'If the Conversation Has Ended', [
			'error',
			'startNew',
		]);
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			message: readRequired(item, 'message', filledText, 'Message'),
			conversationId: readConversationId(item, 'options.conversationId')?.trim(),
			userId: readOptional(item, 'options.userId', userIdType, 'User ID'),
			startsNew: onEnded === 'startNew',
			// An agent reads the whole answer at once.
			stream: readBoolean(item, 'options.stream', 'Enable Streaming') && !item.isTool,
		};
	},

	sequenceKeys: (params) => (params.conversationId === undefined ? [] : [sequenceKey(params)]),

	async send(ready) {
		const { item, params, api } = ready;
		const successor = `successor of ${sequenceKey(params)}`;
		// An earlier item of the run may have begun a new conversation that replaces this one.
		const previous = await api.state.memoize(successor, async () => params.conversationId);
		let exchange = await ask(ready, previous);
		const startsNew = params.startsNew && previous !== undefined && hasEnded(exchange);
		if (startsNew) exchange = await ask(ready);
		const { id, text, parts, metadata } = messageOf(api, exchange);
		if (params.stream) warnIfUnheard(item);
		const named = metadata.conversationId;
		const conversationId = named ?? (startsNew ? undefined : previous) ?? null;
		if (conversationId === null) {
			item.context.warn(
				'The service did not name the conversation of at least one answer, so that it cannot be continued.',
			);
		}
		if (item.isTool) return [{ text, conversationId }];
		const isNew = previous !== undefined && !isSameConversation(conversationId, previous);
		if (isNew && typeof named === 'string') api.state.cache(successor, named);
		return [
			{
				text,
				conversationId,
				messageId: id ?? metadata.messageId ?? null,
				userId: metadata.userId ?? null,
				finishReason: metadata.finishReason ?? null,
				credits: isObject(metadata.usage) ? (metadata.usage.credits ?? null) : null,
				parts,
				...(isNew && { startedNew: true, previousConversationId: previous }),
			},
		];
	},
});

interface Exchange {
	answer: MessageStream;
	response: ApiResponse;
}

async function ask(
	{ item, params, api }: ReadyItem<Params>,
	conversationId?: string,
): Promise<Exchange> {
	const { chatbotId, message, userId, stream } = params;
	const answer = new MessageStream(item.sendChunk);
	const response = await api.send({
		...item.request,
		params: { chatbotId },
		body: { message, stream, ...(conversationId === undefined ? { userId } : { conversationId }) },
		timeout: chatTimeout,
		// The service may stream without being asked to, and the other way around.
		readStream: async (body, contentType) => await answer.read(body, contentType),
	});
	return { answer, response };
}

/** Whether the service has refused a message because its conversation is over. Its status differs between documents. */
function hasEnded({ answer, response }: Exchange): boolean {
	return answer.text === '' && codeOf(response) === 'CHAT_CONVERSATION_NOT_ONGOING';
}

function messageOf(api: ApiClient, { answer, response }: Exchange): Message {
	if (response.outcome) throw withText(api.failure(response), api.redact(answer.arrived));
	const message = messageIn(response.body);
	const hasFailed = codeOf(response) !== undefined || message?.metadata.finishReason === 'error';
	if (message && !hasFailed) return message;
	const error = hasFailed
		? api.failure({ ...response, outcome: 'streamedFailure', mayHaveRun: true })
		: api.unexpected(quoting(response));
	throw withText(error, api.redact(answer.text));
}

function sequenceKey({ chatbotId, conversationId }: Params): string {
	return JSON.stringify([chatbotId, conversationId]);
}
