import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type ApiResponse, codeOf } from '../../api/response';
import type { ApiResource } from '../../api/subjects';
import { hasExpression } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import type { ReadyItem } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import {
	choiceField,
	choiceOption,
	type Field,
	hasValue,
	idField,
	optionField,
	readAs,
	requiredField,
	serviceIdField,
} from '../../panel/field';
import { shownInTool } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { text, type ValueType } from '../../panel/types';
import { isObject } from '../../values/json';
import { chatbotField } from '../chatbot/chatbotField';
import { isSameConversation } from '../conversation/conversations';
import {
	chatTimeout,
	costNotice,
	messageFieldWith,
	streamOption,
	warnIfUnheard,
	withoutAnswer,
	withText,
} from './chat';
import { continuing, lookUpLatest, type Target } from './latestConversation';
import { type Message, messageIn, MessageStream } from './messageStream';

const conversationField = (defaultChoice: 'new' | 'user', isTool: boolean) =>
	choiceField('conversation', 'Conversation', {
		description: 'The conversation that the message belongs to',
		choices: {
			user: ['Latest of a User', 'Continues the latest conversation of the user, or begins one'],
			id: ['By ID', 'Continues the conversation with this ID'],
			new: ['New', 'Begins a conversation'],
		},
		default: defaultChoice,
		...shownInTool(isTool),
	});

/** n8n's own agent has the same default, so that a Chat Trigger before the node is enough. */
const chatInput = '={{ $json.chatInput }}';

/** What a workflow shows, and what a tool shows, where a model fills in values and no trigger gives them. */
const inWorkflow = {
	message: messageFieldWith({ default: chatInput, ...shownInTool(false) }),
	conversation: conversationField('user', false),
};
const inTool = {
	message: messageFieldWith(shownInTool(true)),
	conversation: conversationField('new', true),
};

/** A field for one choice of Conversation, in a workflow and in a tool unless one of them is named. */
function shownFor(path: string, choice: string, isTool?: boolean) {
	const only = isTool === undefined ? {} : { '@tool': [isTool] };
	return { required: false, displayOptions: { show: { [path]: [choice], ...only } } };
}

/** Reference of version 2, 4. A path can't have a segment of dots. */
const userIdType: ValueType<string> = {
	expected: 'valid',
	rule: 'It can have up to 128 letters (a to z), digits, dots, underscores and hyphens. Replace other characters, such as @, by hyphens.',
	read(value) {
		const userId = text.read(value) ?? '';
		return /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,128}$/.test(userId) ? userId : undefined;
	},
};

const notByModel = 'In a tool, never let the model fill it in.';

const userIdLook = (description: string) => ({
	description: `${description} ${notByModel}`,
	placeholder: 'e.g. {{ $json.sessionId }}',
});

/** Reads an ID at a path. An empty one is told as such, before the rules for its characters. */
function readUserId(item: InputItem, path: string): string {
	const advice = 'Enter the ID of the person who chats, or choose another Conversation.';
	const field = idField(path, 'User ID', userIdLook(''), advice);
	return readAs(item, field.read(item), userIdType, 'User ID');
}

function userIdField(isTool: boolean): Field<string> {
	const look = userIdLook('ID of the person who chats, from your own system or a Chat Trigger.');
	const { property } = requiredField('userId', 'User ID', userIdType, {
		...look,
		default: isTool ? '' : '={{ $json.sessionId }}',
		...shownFor('conversation', 'user', isTool),
	});
	return { property, read: (item) => readUserId(item, 'userId') };
}

const newUserIdField: Field<string | undefined> = {
	property: optionField('userId', 'User ID', userIdType, {
		...userIdLook(
			'ID of the person who chats, from your own system. Chatbase stores it with the new conversation.',
		),
		...shownFor('/conversation', 'new'),
	}).property,
	read: (item) =>
		hasValue(item, item.option('userId')) ? readUserId(item, 'options.userId') : undefined,
};

const conversationIdField = serviceIdField(
	'conversationId',
	'Conversation ID',
	{
		description: `The conversationId of an earlier answer, not a session ID. ${notByModel}`,
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
		...shownFor('conversation', 'id'),
	},
	'Enter the conversationId of an earlier answer, or choose another Conversation.',
);

const onEndedField = choiceOption('onEnded', 'If the Conversation Has Ended', {
	description: 'What to do if the conversation has ended or a person has taken it over',
	choices: {
		error: ['Fail', 'Fails the item'],
		startNew: ['Start New', 'Sends the message in a new conversation. The output has its ID.'],
	},
	...shownFor('/conversation', 'id'),
});

interface Params {
	chatbotId: string;
	message: string;
	/** How the conversation is chosen. */
	continues: 'id' | 'new' | 'user';
	/** If it is chosen by ID. */
	conversationId?: string;
	/** Whose conversation it is; undefined if it is chosen by ID. */
	userId?: string;
	/** Whether a conversation that has ended is replaced, if it was chosen by ID. */
	startsNew: boolean;
	stream: boolean;
}

function read(item: InputItem): Params {
	const fields = item.isTool ? inTool : inWorkflow;
	const continues = fields.conversation.read(item);

	return {
		chatbotId: chatbotField.read(item),
		message: fields.message.read(item),
		continues,
		conversationId: continues === 'id' ? conversationIdField.read(item) : undefined,
		userId: userIdOf(item, continues),
		startsNew: continues === 'id' && onEndedField.read(item) === 'startNew',
		// An agent reads the whole answer at once.
		stream: streamOption.read(item) === true && !item.isTool,
	};
}

function userIdOf(item: InputItem, continues: Params['continues']): string | undefined {
	if (continues === 'user') return readUserId(item, 'userId');
	return continues === 'new' ? newUserIdField.read(item) : undefined;
}

export const sendWithMemory = operation({
	value: 'sendWithMemory',
	name: 'Send Message With Memory',
	action: 'Send message with memory',
	description:
		'Send a message in a conversation that Chatbase remembers. Needs a plan with API access.',
	request: { method: 'POST', path: '/agents/{chatbotId}/chat', resource: 'agentChat' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		costNotice,
		inWorkflow.message,
		inTool.message,
		inWorkflow.conversation,
		inTool.conversation,
		userIdField(false),
		userIdField(true),
		conversationIdField,
		optionsField([streamOption, onEndedField, maxConcurrencyOption, newUserIdField]),
	],

	read,

	sequenceKeys(params, item) {
		if (params.continues === 'new') return [];
		// Only a look-up shows whether an item by user and one by ID mean the same conversation.
		const isMixed = hasExpression(item.rawParameter('conversation'));
		return isMixed ? [JSON.stringify([params.chatbotId])] : [conversationKey(params)];
	},

	async send(ready) {
		const { item, params, api } = ready;
		const key = conversationKey(params);
		const begun = await begunConversations(api);

		const { target, exchange } = await converse(ready, begun.get(key) ?? params.conversationId);
		const record = answerOf(messageOf(api, exchange), target, params.continues === 'user');

		if (params.stream) warnIfUnheard(item);
		if (record.conversationId === null) {
			item.context.warn(
				'The service did not name the conversation of at least one answer, so that it cannot be continued.',
			);
		} else if (params.continues !== 'new') {
			begun.set(key, record.conversationId);
		}

		const { text: answered, conversationId } = record;
		return [item.isTool ? { text: answered, conversationId } : { ...record }];
	},
});

/** The conversations that items of this run were answered in, for later items of the same user or ID. */
async function begunConversations(api: ApiClient): Promise<Map<string, string>> {
	return await api.state.memoize('conversations of chats', async () => new Map());
}

function conversationKey({ chatbotId, conversationId, continues, userId }: Params): string {
	return JSON.stringify([chatbotId, conversationId ?? { [continues]: userId }]);
}

interface Exchange {
	answer: MessageStream;
	response: ApiResponse;
	/** Whether the conversation takes no more messages. */
	hasEnded: boolean;
}

/** @param known the conversation, if the item names it or an earlier item of the run was in it */
async function converse(
	ready: ReadyItem<Params>,
	known?: string,
): Promise<{ target: Target; exchange: Exchange }> {
	const { item, params, api } = ready;
	const user = params.continues === 'user' ? { ...params, userId: params.userId! } : undefined;
	const target =
		user && known === undefined ? await lookUpLatest(item, api, user) : continuing(known);
	const exchange = await ask(ready, target.id);

	const isReplaced = user !== undefined || params.startsNew;
	if (target.id === undefined || !exchange.hasEnded || !isReplaced) return { target, exchange };

	// It ended since it was looked up, or since an earlier item was answered.
	const next = user ? await lookUpLatest(item, api, user) : { previous: target.id };
	return { target: next, exchange: await ask(ready, next.id) };
}

async function ask(
	{ item, params, api }: ReadyItem<Params>,
	conversationId?: string,
): Promise<Exchange> {
	const { chatbotId, message, userId, stream } = params;
	const answer = new MessageStream(item.sendChunk);
	const response = await api.send({
		...item.request,
		resource: subjectOf(params, conversationId),
		params: { chatbotId },
		body: { message, stream, ...(conversationId === undefined ? { userId } : { conversationId }) },
		timeout: chatTimeout,
		// The service may stream without being asked to, and the other way around.
		readStream: answer.read,
	});

	// The status of a message that came too late differs between documents.
	const hasEnded = answer.text === '' && codeOf(response) === 'CHAT_CONVERSATION_NOT_ONGOING';
	return { answer, response, hasEnded };
}

/** What errors may advise: only By ID has a field for the conversation. */
function subjectOf({ continues }: Params, conversationId?: string): ApiResource {
	if (conversationId === undefined) return 'agentNewChat';
	return continues === 'user' ? 'agentUserChat' : 'agentChat';
}

function messageOf(api: ApiClient, { answer, response }: Exchange): Message {
	if (response.outcome) throw withText(api.failure(response), api.redact(answer.arrived));

	const message = messageIn(response.body);
	const hasFailed = codeOf(response) !== undefined || message?.metadata.finishReason === 'error';
	if (message && !hasFailed) return message;

	const error = hasFailed
		? api.failure({ ...response, outcome: 'streamedFailure', mayHaveRun: true })
		: withoutAnswer(api, response);
	throw withText(error, api.redact(answer.text));
}

interface Answer {
	text: string;
	/** Null if the service does not say it, and none was continued. */
	conversationId: string | null;
	messageId: string | null;
	userId: string | null;
	finishReason: string | null;
	credits: number | null;
	parts: IDataObject[];
	startedNew?: true;
	/** The conversation that the new one replaces. */
	previousConversationId?: string;
}

/** @param byUser whether a conversation without a previous one was begun because the user had none */
function answerOf(message: Message, { id, previous }: Target, byUser: boolean): Answer {
	const { text: answered, parts, metadata } = message;
	const { conversationId = id ?? null, messageId, userId, finishReason, usage } = metadata;
	const isNew = previous === undefined ? byUser : !isSameConversation(conversationId, previous);

	return {
		text: answered,
		conversationId,
		messageId: message.id ?? messageId ?? null,
		userId: userId ?? null,
		finishReason: finishReason ?? null,
		credits: isObject(usage) ? (usage.credits ?? null) : null,
		parts,
		...(isNew && { startedNew: true }),
		...(isNew && previous !== undefined && { previousConversationId: previous }),
	} as Answer;
}
