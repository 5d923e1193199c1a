import type { ApiClient } from '../../api/client';
import { cursorPages, readList } from '../../api/paginate';
import { codeOf } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { outputLimit } from '../../execution/lists';
import type { ReadyItem } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { choiceField, optionalField, requiredField, serviceIdField } from '../../panel/field';
import { shownInTool } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { text, type ValueType } from '../../panel/types';
import { isObject } from '../../values/json';
import { readTimestamp } from '../../values/time';
import { chatbotField } from '../chatbot/chatbotField';
import { isSameConversation } from '../conversation/conversations';
import {
	chatTimeout,
	costNotice,
	messageField,
	streamOption,
	warnIfUnheard,
	withoutAnswer,
	withText,
} from './chat';
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
const inWorkflow = conversationField('user', false);
const inTool = conversationField('new', true);
const shownFor = (path: string, choice: string) => ({
	required: false,
	displayOptions: { show: { [path]: [choice] } },
});

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
const userIdField = requiredField('userId', 'User ID', userIdType, {
	description: `ID of the person who chats, from your own system or a Chat Trigger. ${notByModel}`,
	placeholder: 'e.g. {{ $json.sessionId }}',
	...shownFor('conversation', 'user'),
});
const newUserIdField = optionalField('options.userId', 'User ID', userIdType, {
	description: `ID of the person who chats, from your own system. Chatbase stores it with the new conversation. ${notByModel}`,
	placeholder: 'e.g. {{ $json.sessionId }}',
	...shownFor('/conversation', 'new'),
});
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
const onEndedField = choiceField('options.onEnded', 'If the Conversation Has Ended', {
	description: 'What to do if the conversation has ended or a person has taken it over',
	choices: {
		error: ['Fail', 'Fails the item'],
		startNew: ['Start New', 'Sends the message in a new conversation. The output has its ID.'],
	},
	...shownFor('/conversation', 'id'),
});

type Params = ReturnType<typeof read>;

function read(item: InputItem) {
	const continues = (item.isTool ? inTool : inWorkflow).read(item);
	const userId = { user: userIdField, new: newUserIdField, id: undefined }[continues];
	return {
		chatbotId: chatbotField.read(item),
		message: messageField.read(item),
		continues,
		conversationId: continues === 'id' ? conversationIdField.read(item) : undefined,
		userId: userId?.read(item),
		startsNew: continues === 'id' && onEndedField.read(item) === 'startNew',
		// An agent reads the whole answer at once.
		stream: streamOption.read(item) === true && !item.isTool,
	};
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
		messageField,
		inWorkflow,
		inTool,
		userIdField,
		conversationIdField,
		optionsField([streamOption, onEndedField, maxConcurrencyOption, newUserIdField]),
	],

	read,

	sequenceKeys: (params) => (params.continues === 'new' ? [] : [sequenceKey(params)]),

	async send(ready) {
		const { item, params, api } = ready;
		const ofUser = params.continues === 'user';
		const key = sequenceKey(params);
		// An earlier item of the run may have begun the conversation of this one.
		const known = await api.state.memoize(key, async () => params.conversationId);
		let target = ofUser && known === undefined ? await latestOf(ready) : continuing(known);
		let exchange = await ask(ready, target.id);
		if (target.id !== undefined && exchange.hasEnded && (ofUser || params.startsNew)) {
			target = ofUser ? await latestOf(ready) : { previous: target.id };
			exchange = await ask(ready, target.id);
		}
		const record = recordOf(messageOf(api, exchange), target, ofUser);
		const { text: answer, conversationId, startedNew } = record;
		if (params.stream) warnIfUnheard(item);
		if (conversationId === null) {
			item.context.warn(
				'The service did not name the conversation of at least one answer, so that it cannot be continued.',
			);
		} else if (startedNew || ofUser) {
			api.state.cache(key, conversationId);
		}
		return [item.isTool ? { text: answer, conversationId } : record];
	},
});

function recordOf(message: Message, { id, previous }: Target, ofUser: boolean) {
	const { text: answer, parts, metadata } = message;
	const conversationId = metadata.conversationId ?? id ?? null;
	const isNew = previous === undefined ? ofUser : !isSameConversation(conversationId, previous);
	return {
		text: answer,
		conversationId,
		messageId: (message.id ?? metadata.messageId ?? null) as string | null,
		userId: metadata.userId ?? null,
		finishReason: metadata.finishReason ?? null,
		credits: isObject(metadata.usage) ? (metadata.usage.credits ?? null) : null,
		parts,
		...(isNew && { startedNew: true }),
		...(isNew && previous !== undefined && { previousConversationId: previous }),
	};
}

/** The conversation to continue, if any, and the one that an answer in another one replaces. */
interface Target {
	id?: string;
	previous?: string;
}

const continuing = (id?: string): Target => ({ id, previous: id });

/** Looks up the latest conversation of a user. Throws if a person has it, since no chatbot talks beside a person. */
async function latestOf({ item, params, api }: ReadyItem<Params>): Promise<Target> {
	const { chatbotId, userId } = params;
	const list = cursorPages(api, {
		path: '/agents/{chatbotId}/users/{userId}/conversations',
		resource: 'agentConversations',
		params: { chatbotId, userId: userId! },
		query: { limit: 100 },
		canBeMissing: true,
	});
	const found = await readList(list, Infinity, outputLimit);
	const timeOf = (updatedAt: unknown) => readTimestamp(updatedAt) ?? 0;
	const [latest] = found
		.filter((one) => one.userId === userId)
		.sort((one, other) => timeOf(other.updatedAt) - timeOf(one.updatedAt));
	if (!latest) return {};
	const { id, status } = latest;
	if (status === 'paused' || status === 'taken_over') {
		const nextStep = `A person has the latest conversation of user ${userId} (ID ${String(id)}), so nothing was sent. Resume it with Conversation: Resume, or choose New under Conversation.`;
		throw item.error('The conversation is paused or was taken over', nextStep);
	}
	return status === 'ended' ? { previous: String(id) } : continuing(String(id));
}

type Exchange = Awaited<ReturnType<typeof ask>>;

async function ask({ item, params, api }: ReadyItem<Params>, conversationId?: string) {
	const { chatbotId, message, userId, stream } = params;
	const answer = new MessageStream(item.sendChunk);
	const response = await api.send({
		...item.request,
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

function sequenceKey({ chatbotId, conversationId, continues, userId }: Params): string {
	return JSON.stringify([chatbotId, conversationId ?? { [continues]: userId }]);
}
