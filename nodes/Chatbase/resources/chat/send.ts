import { optionsField } from '../../panel/collections';
import { optionalField, optionField, valuesOf } from '../../panel/field';
import { modelLook } from '../../panel/models';
import { notice, shownInTool } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { entered, filledText, fraction, text } from '../../panel/types';
import { isBlank, isObject } from '../../values/json';
import { chatbotField } from '../chatbot/chatbotField';
import {
	earlierMessagesField,
	historyOption,
	readEarlierMessages,
} from './earlierMessages';
import { withoutAnswer, withText } from './failedAnswer';
import {
	chatTimeout,
	costNotice,
	messageFieldWith,
	streamOption,
	warnIfUnheard,
} from './messageFields';
import { TextStream } from './textStream';

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
		earlierMessagesField,
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
		const message = { role: 'user', content: messageField.read(item) };

		return {
			chatbotId: chatbotField.read(item),
			messages: [...readEarlierMessages(item), message],
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
		const answer = new TextStream(item.sendChunk);
		const response = await api.send({
			...item.request,
			body,
			timeout: chatTimeout,
			readStream: body.stream ? answer.read : undefined,
		});
		if (response.outcome)
			throw withText(api.failure(response), api.redact(answer.arrived));

		const { text: answered, ...rest } = isObject(response.body) ? response.body : {};
		if (typeof answered !== 'string') throw withoutAnswer(api, response);

		// A workflow that streams would otherwise respond with nothing.
		if (!body.stream) await answer.passWhole(answered);
		else warnIfUnheard(item);

		const { conversationId } = body;
		return [
			{
				text: answered,
				...(conversationId !== undefined && { conversationId }),
				...rest,
			},
		];
	},
});
