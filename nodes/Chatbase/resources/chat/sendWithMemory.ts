import type { IDataObject } from 'n8n-workflow';

import { type ApiResponse, codeOf } from '../../api/response';
import type { ApiResource } from '../../api/subjects';
import { hasExpression } from '../../execution/context';
import type { ReadyItem } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { writtenByModel } from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { shownInTool } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { isSameConversation } from '../conversation/conversations';
import {
	choiceFields,
	choiceOptions,
	type ConversationChoice,
	lookUpLatest,
	readConversationChoice,
	type Target,
} from './conversationChoice';
import {
	chatPath,
	chatTimeout,
	creditsNotice,
	endAnswer,
	messageFieldWith,
	streamOption,
} from './exchange';
import { expectMessage, forAgent, recordOf, warnIfUnanswered } from './message';
import { MessageStream } from './messageStream';

/** n8n's own agent has the same default, so that a Chat Trigger before the node is enough. */
const chatInput = '={{ $json.chatInput }}';
const messageField = messageFieldWith({ default: chatInput, ...shownInTool(false) });
const [, messageFieldOfTool] = writtenByModel(messageFieldWith());

type Params = ConversationChoice & {
	chatbotId: string;
	message: string;
	stream: boolean;
};

export const sendWithMemory = operation<Params, Map<string, string>>({
	value: 'sendWithMemory',
	name: 'Send Message With Memory',
	action: 'Send message with memory',
	description:
		'Send a message in a conversation that Chatbase remembers. May need a higher plan.',
	builderHint:
		'Chatbase keeps the history: connect no memory, and choose under Conversation how the next message finds the same conversation.',
	request: { method: 'POST', path: chatPath, resource: 'agentChat' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		creditsNotice,
		messageField,
		messageFieldOfTool!,
		...choiceFields,
		optionsField([streamOption, maxConcurrencyOption, ...choiceOptions]),
	],

	neverTwice: 'send all messages again, and each answer costs credits',

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		message: messageField.read(item),
		// An agent gets the answer as a whole.
		stream: streamOption.read(item) === true && !item.isTool,
		...readConversationChoice(item),
	}),

	sequenceKeys(params, item) {
		if (params.continues === 'new') return [];
		// Only a look-up shows whether an item by user and one by ID mean the same conversation.
		const isMixed = hasExpression(item.rawParameter('conversation'));
		return isMixed ? [JSON.stringify([params.chatbotId])] : [conversationKeyOf(params)];
	},

	/** The conversations in which items of the run were answered. Later items with the same user or ID continue them. */
	begin: () => new Map(),

	async send(ready, begun) {
		const { item, params, api } = ready;
		const { target, answer, response } = await converse(
			ready,
			begun.get(conversationKeyOf(params)),
		);
		const message = expectMessage(api, response, answer);

		await endAnswer(item, answer, { ...params, text: message.text });
		warnIfUnanswered(item.context, message);

		const record = recordOf(message, target.id);
		const { conversationId } = record;
		if (params.continues !== 'new' && conversationId !== null)
			begun.set(conversationKeyOf(params), String(conversationId));

		if (item.isTool) return [forAgent(record)];
		const byUser = params.continues === 'user';
		return [{ ...record, ...beginningOf(conversationId, target, byUser) }];
	},
});

/** Identifies the conversation that an item continues, before it is looked up. */
function conversationKeyOf(params: Params): string {
	const { chatbotId, continues } = params;
	const id = continues === 'id' ? params.conversationId : params.userId;
	return JSON.stringify([chatbotId, continues, id]);
}

/** A message and its answer. */
interface Exchange {
	target: Target;
	answer: MessageStream;
	response: ApiResponse;
	/** Whether the conversation takes no more messages. */
	hasEnded: boolean;
}

/** @param begun the ID of the conversation in which an earlier item of the run was answered */
async function converse(ready: ReadyItem<Params>, begun?: string): Promise<Exchange> {
	const { params } = ready;
	const target = await firstTarget(ready, begun);
	const exchange = await ask(ready, target);

	const isReplaceable = params.continues !== 'id' || params.startsNew;
	if (!exchange.hasEnded || !isReplaceable) return exchange;

	// The conversation has ended since it was looked up, or since an earlier item was answered.
	return await ask(ready, await newTarget(ready, target.id));
}

async function firstTarget(ready: ReadyItem<Params>, begun?: string): Promise<Target> {
	const { params } = ready;
	if (begun !== undefined) return { id: begun, previous: begun };
	if (params.continues !== 'id') return await newTarget(ready);

	const { conversationId } = params;
	return { id: conversationId, previous: conversationId };
}

/** The latest conversation of the user, or a new one. */
async function newTarget(ready: ReadyItem<Params>, ended?: string): Promise<Target> {
	const { item, params, api } = ready;
	if (params.continues === 'user') return await lookUpLatest(item, api, params);
	return { previous: ended };
}

async function ask(ready: ReadyItem<Params>, target: Target): Promise<Exchange> {
	const { item, params, api } = ready;
	const { chatbotId, message, stream } = params;
	const { id } = target;

	const answer = new MessageStream(item.sendChunk);
	const response = await api.send({
		...item.request,
		resource: subjectOf(params, target),
		params: { chatbotId },
		body: {
			message,
			stream,
			...addressOf(params, target),
		},
		timeout: chatTimeout,
		readStream: stream ? answer.read : undefined,
	});

	// Documents disagree about the status for a message in a conversation that has ended.
	const isRefused =
		answer.text === '' && codeOf(response) === 'CHAT_CONVERSATION_NOT_ONGOING';
	return { target, answer, response, hasEnded: id !== undefined && isRefused };
}

/** How the body names the conversation, or for a new one, its user. */
function addressOf(params: Params, { id }: Target): IDataObject {
	if (id !== undefined) return { conversationId: id };
	return { userId: params.continues === 'id' ? undefined : params.userId };
}

/** Decides what errors may advise: only By ID has a field for the conversation. */
function subjectOf({ continues }: Params, { id }: Target): ApiResource {
	if (id === undefined) return 'agentNewChat';
	return continues === 'user' ? 'agentUserChat' : 'agentChat';
}

/** @param byUser whether the conversation was looked up by user, so that without a previous one it is new */
function beginningOf(
	conversationId: unknown,
	{ previous }: Target,
	byUser: boolean,
): IDataObject {
	if (previous === undefined) return byUser ? { startedNew: true } : {};
	if (isSameConversation(conversationId, previous)) return {};
	return { startedNew: true, previousConversationId: previous };
}
