import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { notFoundOption, readMarksMissing } from '../../fields/notFound';
import { readToolOutput } from '../../fields/output';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';
import {
	conversationIdField,
	exportPath,
	readConversation,
	readConversationId,
} from './conversations';
import { transcriptOf } from './transcript';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get conversation',
	description:
		'Read one conversation of any channel with its transcript. Needs a plan with API access.',
	request: { method: 'GET', path: exportPath, resource: 'agentConversations' },
	fields: [
		chatbotField,
		conversationIdField,
		optionsField([
			notFoundOption('Returns found: false for the ID', 'conversation with this ID'),
			maxConcurrencyOption,
		]),
	],

	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		conversationId: readConversationId(item),
		marksMissing: readMarksMissing(item),
		output: readToolOutput(item, ['id', 'title', 'createdAt', 'status', 'transcript']),
	}),

	async send({ item, params: { chatbotId, conversationId, marksMissing, output }, api }) {
		const conversation = await readConversation(item, api, chatbotId, conversationId);
		if (conversation) {
			const transcript = transcriptOf(conversation.messages, item.timeZone);
			return [output({ ...conversation, transcript })];
		}
		if (marksMissing) return [{ found: false, id: conversationId }];
		throw item.error(
			'Conversation not found',
			`The chatbot has no conversation with the ID "${conversationId}". Check Conversation ID and Chatbot.`,
		);
	},
});
