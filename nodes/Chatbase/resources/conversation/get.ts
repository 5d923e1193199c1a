import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { readToolOutput } from '../../panel/output';
import { notFoundOption, readMarksMissing } from '../../panel/notFound';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { conversationIdField, transcriptOf } from './conversations';
import { readConversation } from './exportList';
import { exportRequest } from './exportPages';

export const get = operation({
	value: 'get',
	description:
		'Read one conversation of any channel with its transcript. May need a higher plan.',
	request: exportRequest,
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		conversationIdField,
		optionsField([
			notFoundOption('Returns found: false for the ID', 'conversation with this ID'),
			maxConcurrencyOption,
		]),
	],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		conversationId: conversationIdField.read(item),
		marksMissing: readMarksMissing(item),
		output: readToolOutput(item, ['id', 'title', 'createdAt', 'status', 'transcript']),
	}),

	async send({ item, params, api }) {
		const { conversationId, marksMissing, output } = params;
		const conversation = await readConversation(item, api, params);

		if (conversation) {
			const transcript = transcriptOf(conversation.messages, item.timeZone);
			return [output({ ...conversation, transcript })];
		}

		if (marksMissing) return [{ found: false, id: conversationId }];

		const nextStep = `The chatbot has no conversation with the ID "${conversationId}". Check Conversation ID and Chatbot.`;
		throw item.error('Conversation not found', nextStep);
	},
});
