import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notice, shownInTool } from '../../panel/notices';
import { modelLook } from '../../panel/models';
import {
	choice,
	optionalField,
	readJson,
	readFilledFields,
	writtenByModel,
} from '../../panel/field';
import { operation } from '../../panel/operation';
import { describeValue, entered, filledText, fraction, text } from '../../panel/types';
import { isBlank, isObject, objectIn } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';
import { TextStream } from './textStream';
import {
	chatTimeout,
	creditsNotice,
	endAnswer,
	messageFieldWith,
	streamOption,
	warnIfSilent,
	withArrived,
	withoutAnswer,
} from './exchange';

const messageField = messageFieldWith();

const forgetsNotice = notice(
	'forgetsNotice',
	'The chatbot does not remember earlier messages. For a chat that remembers, use Send Message With Memory.',
	shownInTool(false).displayOptions,
);

const freeConversationIdField = optionalField('conversationId', 'Conversation ID', text, {
	description:
		"The same text for all messages of a conversation. Chatbase then saves and shows them, but the chatbot doesn't remember them.",
	placeholder: 'e.g. order-1001',
});

const contactOption = optionalField('options.contactId', 'External ID', filledText, {
	description:
		'Contact who chats: the ID from your own system, not the internal ID of Chatbase',
	placeholder: 'e.g. customer-1001',
});

const modelOption = optionalField(
	'options.model',
	'Model',
	filledText,
	modelLook(
		'chat',
		'Model for this answer, instead of the one in the settings of the chatbot. Plans differ in models and credits per answer.',
	),
);

const temperatureOption = optionalField(
	'options.temperature',
	'Temperature',
	entered(fraction),
	{
		description: 'Randomness of the answer, from 0 (consistent) to 1 (varied)',
		placeholder: 'e.g. 0.2',
	},
);

/** Replaces the messages that were added in the panel. */
const historyOption = optionalField(
	'options.historyJson',
	'Previous Messages JSON',
	text,
	{
		type: 'json',
		placeholder: 'e.g. [{"role": "user", "content": "Hello"}]',
		description:
			'Earlier messages as a JSON list of objects with role (user or assistant) and content, oldest first. Replaces Previous Messages.',
	},
);

/** The second role is from the public pages. */
const roleType = choice({
	assistant: ['Assistant', 'The chatbot'],
	user: ['User', 'The user of the chatbot'],
});

const roleField = optionalField('role', 'Role', roleType, {
	description: 'Who wrote the message',
	default: 'user',
});

const contentField = optionalField('content', 'Content', text, {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Do you ship to Norway?',
	description: 'Text of the message',
});

const earlierMessagesField: INodeProperties = {
	displayName: 'Previous Messages',
	name: 'history',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	placeholder: 'Add Message',
	description:
		'Earlier messages of the conversation, oldest first. Chatbase remembers none. Map the messages of a chat memory in Previous Messages JSON.',
	options: [
		{
			displayName: 'Message',
			name: 'turns',
			values: [roleField.property, contentField.property],
		},
	],
};

export const send = operation({
	value: 'send',
	name: 'Send Message',
	action: 'Send message',
	description: 'Ask a chatbot and get its answer',
	builderHint:
		'The chatbot does not remember earlier messages, even with a Conversation ID: send them under Previous Messages. For a chat that remembers, use Send Message With Memory, which may need a higher plan.',
	request: { method: 'POST', path: '/chat', resource: 'chat' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		creditsNotice,
		forgetsNotice,
		...writtenByModel(messageField),
		earlierMessagesField,
		freeConversationIdField,
		optionsField([
			contactOption,
			historyOption,
			maxConcurrencyOption,
			modelOption,
			streamOption,
			temperatureOption,
		]),
	],

	read(item) {
		const conversationId = freeConversationIdField.read(item);
		const message = { role: 'user', content: messageField.read(item) };

		return {
			chatbotId: chatbotField.read(item),
			messages: [...readEarlierMessages(item), message],
			// Blank text begins a new conversation.
			conversationId: isBlank(conversationId) ? undefined : conversationId,
			...readFilledFields(item, [contactOption, modelOption, temperatureOption]),
			// An agent reads the answer as a whole.
			stream: item.isTool ? undefined : streamOption.read(item),
		};
	},

	// The service saves messages of a conversation in the order of their arrival.
	sequenceKeys: ({ chatbotId, conversationId }) =>
		conversationId === undefined ? [] : [JSON.stringify([chatbotId, conversationId])],

	async send({ item, params: body, api }) {
		const answer = new TextStream(item.sendChunk);
		const response = await api.send({
			...item.request,
			body,
			timeout: chatTimeout,
			readStream: body.stream ? answer.read : undefined,
		});
		if (response.outcome) {
			throw withArrived(api, api.failure(response), answer.arrived);
		}

		const { text: answered, ...rest } = objectIn(response.body);
		if (typeof answered !== 'string') throw withoutAnswer(api, response);

		const { conversationId, stream } = body;
		await endAnswer(item, answer, { text: answered, stream });
		warnIfSilent(item.context, answered);
		return [
			{
				text: answered,
				...(conversationId !== undefined && { conversationId }),
				...rest,
			},
		];
	},
});

/** The earlier messages, from JSON or from the panel. Throws if a message is invalid. */
function readEarlierMessages(item: InputItem): IDataObject[] {
	const historyJson = item.option('historyJson');
	if (Array.isArray(historyJson) || !isBlank(historyJson)) {
		return readMessages(item, historyJson, 'Previous Messages JSON');
	}

	const { turns = [] } = item.collection('history') as { turns?: IDataObject[] };
	// A model leaves messages empty that it doesn't need.
	const used = turns.filter(({ content }) => !item.isTool || !isBlank(content));
	return readMessages(item, used, 'Previous Messages');
}

/** Messages of a conversation (API document of version 1, Message), without other fields. */
function readMessages(item: InputItem, messages: unknown, label: string): IDataObject[] {
	const list = readJson(item, messages, label);
	if (!Array.isArray(list)) {
		const nextStep = `It is ${describeValue(list)}. Start with [ and end with ], with one object for each message.`;
		throw item.error(`${label} is not a list`, nextStep);
	}

	return list.map((entry: unknown, index) => {
		const { role, content } = objectIn(entry);
		const message = { role: roleType.read(role), content: text.read(content) };
		if (message.role !== undefined && message.content !== undefined) return message;

		const fact = messageFact(entry);
		const nextStep = `Message ${index}: ${fact}. It needs the role "user" or, for the chatbot, "assistant", and a text as content.`;
		throw item.error(`${label} has an invalid message`, nextStep);
	});
}

function messageFact(entry: unknown): string {
	if (!isObject(entry)) return `it is ${describeValue(entry)}`;

	const { role, content } = entry;
	return `its role is ${describeValue(role)}, and its content is ${describeValue(content)}`;
}
