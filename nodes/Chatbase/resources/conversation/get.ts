import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { optionsField } from '../../panel/collections';
import { notFoundOption, readMarksMissing } from '../../panel/locators';
import { operation } from '../../panel/operation';
import { readToolOutput } from '../../panel/output';
import { maxConcurrencyOption } from '../../panel/paging';
import { chatbotField } from '../chatbot/chatbotField';
import { conversationIdField } from './conversationField';
import { exportPath, isSameConversation } from './conversations';
import { readExport } from './export';
import { transcriptOf } from './transcript';

export const get = operation({
	value: 'get',
	description:
		'Read one conversation of any channel with its transcript. Needs a plan with API access.',
	request: { method: 'GET', path: exportPath, resource: 'agentConversations' },
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

	async send({ item, params: { chatbotId, conversationId, marksMissing, output }, api }) {
		const conversation = await readConversation(item, api, chatbotId, conversationId);
		if (conversation) {
			const transcript = transcriptOf(conversation.messages, item.timeZone);
			return [output({ ...conversation, transcript })];
		}
		if (marksMissing) return [{ found: false, id: conversationId }];
		const nextStep = `The chatbot has no conversation with the ID "${conversationId}". Check Conversation ID and Chatbot.`;
		throw item.error('Conversation not found', nextStep);
	},
});

/** Reads one conversation of any source. Undefined if the chatbot has none with this ID. */
export async function readConversation(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	conversationId: string,
): Promise<IDataObject | undefined> {
	const [found] = await readExport(item, api, chatbotId, { conversationId }, 1);
	if (!found || isSameConversation(found.id, conversationId)) return found;
	const nextStep = `The node asked for ${conversationId} and got ${String(found.id)}. Nothing was passed on.`;
	throw item.error('The service returned another conversation', nextStep);
}
