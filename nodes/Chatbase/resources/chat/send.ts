import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { optionsField } from '../../panel/collections';
import {
	choiceField,
	hasValue,
	optionalField,
	optionField,
	readJson,
	valuesOf,
} from '../../panel/field';
import { modelLook } from '../../panel/models';
import { notice, shownInTool } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { describeValue, entered, filledText, fraction, oneOf, text } from '../../panel/types';
import { isBlank, isObject } from '../../values/json';
import { chatbotField } from '../chatbot/chatbotField';
import { AnswerStream } from './answerStream';
import {
	chatTimeout,
	costNotice,
	messageFieldWith,
	streamOption,
	warnIfUnheard,
	withoutAnswer,
	withText,
} from './chat';

const messageField = messageFieldWith();

const forgetsNotice = notice(
	'forgetsNotice',
	'Each run stands alone. For a chat that remembers, use Send Message With Memory.',
	shownInTool(false).displayOptions,
);

const conversationIdField = optionalField('conversationId', 'Conversation ID', text, {
	description:
		"The same text for all messages that Chatbase shows as one conversation. The chatbot doesn't remember them. Without it, Chatbase saves none.",
	placeholder: 'e.g. order-1001',
});

const contactOption = optionField('contactId', 'External ID', filledText, {
	description: 'ID of the contact in your own system, not the internal ID of Chatbase',
	placeholder: 'e.g. customer-1001',
});

const historyOption = optionField('historyJson', 'Previous Messages JSON', text, {
	type: 'json',
	default: '[]',
	description:
		'Earlier messages as a JSON list of objects with role (user or assistant) and content, oldest first. Replaces Previous Messages.',
});

const roleField = choiceField('role', 'Role', {
	description: 'Who wrote the message',
	choices: {
		assistant: ['Assistant', 'The chatbot'],
		user: ['User', 'The user of the chatbot'],
	},
	default: 'user',
});

const contentField = optionalField('content', 'Content', text, {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Do you ship to Norway?',
	description: 'Text of the message',
});

const modelOption = optionField(
	'model',
	'Model',
	filledText,
	modelLook(
		'chat',
		'Model for this answer, instead of the one in the settings of the chatbot. Plans differ in models and credits per answer.',
	),
);

const temperatureOption = optionField('temperature', 'Temperature', entered(fraction), {
	description: 'Randomness of the answer, from 0 (consistent) to 1 (varied)',
	placeholder: 'e.g. 0.2',
});

export const send = operation({
	value: 'send',
	name: 'Send Message',
	action: 'Send message',
	description: 'Ask a chatbot and get its answer',
	request: { method: 'POST', path: '/chat', resource: 'chat' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		costNotice,
		forgetsNotice,
		messageField,
		{
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
		},
		conversationIdField,
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
		const conversationId = conversationIdField.read(item);

		return {
			chatbotId: chatbotField.read(item),
			messages: [...readEarlierMessages(item), { role: 'user', content: messageField.read(item) }],
			// Blank text begins a new conversation.
			conversationId: isBlank(conversationId) ? undefined : conversationId,
			...valuesOf(item, [contactOption, modelOption, temperatureOption]),
			// An agent reads the answer as a whole.
			stream: item.isTool ? undefined : streamOption.read(item),
		};
	},

	// The service saves messages of a conversation in the order of their arrival.
	sequenceKeys: ({ chatbotId, conversationId }) =>
		conversationId === undefined ? [] : [JSON.stringify([chatbotId, conversationId])],

	async send({ item, params: body, api }) {
		const answer = new AnswerStream(item.sendChunk);
		const response = await api.send({
			...item.request,
			body,
			timeout: chatTimeout,
			readStream: body.stream ? answer.read : undefined,
		});
		if (response.outcome) throw withText(api.failure(response), api.redact(answer.arrived));

		const { text: answered, ...rest } = isObject(response.body) ? response.body : {};
		if (typeof answered !== 'string') throw withoutAnswer(api, response);

		// A workflow that streams would otherwise respond with nothing.
		if (!body.stream) await answer.passWhole(answered);
		else warnIfUnheard(item);

		const { conversationId } = body;
		return [{ text: answered, ...(conversationId !== undefined && { conversationId }), ...rest }];
	},
});

function readEarlierMessages(item: InputItem): IDataObject[] {
	const historyJson = item.option('historyJson');
	const isBlankText = typeof historyJson === 'string' && isBlank(historyJson);
	if (hasValue(item, historyJson) && !isBlankText) {
		return readMessages(item, historyJson, 'Previous Messages JSON');
	}

	const { turns = [] } = item.collection('history') as { turns?: IDataObject[] };
	// A model leaves messages empty that it doesn't need.
	const used = turns.filter(({ content }) => !item.isTool || hasValue(item, content));
	return readMessages(item, used, 'Previous Messages');
}

const roleType = oneOf('user', 'assistant');

/** Messages of a conversation (contract, Message; the second role is from the public pages), without other fields. */
function readMessages(item: InputItem, messages: unknown, label: string): IDataObject[] {
	const list = readJson(item, messages, label);
	if (!Array.isArray(list)) {
		const nextStep = `It is ${describeValue(list)}. Start with [ and end with ], with one object for each message.`;
		throw item.error(`${label} is not a list`, nextStep);
	}

	return list.map((entry: unknown, index) => {
		const { role, content }: IDataObject = isObject(entry) ? entry : {};
		const message = { role: roleType.read(role), content: text.read(content) };
		if (message.role !== undefined && message.content !== undefined) return message;

		const given = isObject(entry)
			? `its role is ${describeValue(role)}, and its content is ${describeValue(content)}`
			: `it is ${describeValue(entry)}`;
		const nextStep = `Message ${index}: ${given}. It needs the role "user" or, for the chatbot, "assistant", and a text as content.`;
		throw item.error(`${label} has an invalid message`, nextStep);
	});
}
