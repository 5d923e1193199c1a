import type { INodePropertyOptions } from 'n8n-workflow';

import { cursorPages } from '../../api/paginate';
import { type Field, serviceIdField, toggleOption } from '../../panel/field';
import { anyOfFilter } from '../../panel/filters';
import {
	choicesOn,
	type ListSearch,
	locator,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import { readTimestamp } from '../../values/time';
import { momentText } from './transcript';

/** The only lists of conversations from every source; the plain ones have those of the API alone. */
export const exportPath = '/agents/{chatbotId}/conversations/export';

export const searchPath = '/agents/{chatbotId}/conversations/search';

export function transcriptOption(more = ''): Field<boolean> {
	return toggleOption('transcript', 'Add Transcript', {
		description: `Whether to add the field transcript to each conversation: its messages as one text, line by line, with who said what and when (in the time zone of the workflow)${more}`,
	});
}

/** The fields of a conversation that an agent needs, of those that an operation returns. */
export const simplifiedFields = [
	'id',
	'title',
	'createdAt',
	'updatedAt',
	'userId',
	'source',
	'status',
	'snippet',
	'transcript',
];

export function isSameConversation(id: unknown, conversationId: string): boolean {
	return String(id).toLowerCase() === conversationId.toLowerCase();
}

/** Where conversations come from, in both versions (public reference, 4.7). */
const commonSources =
	'Action preview, API, Chatbase site, Instagram, Messenger, Playground, Slack, Unspecified, WhatsApp, Widget or Iframe';

/** The further sources of version 2 (reference of version 2, 3.1). */
const laterSources =
	'Agent page, Android SDK, Center stage, Email, Iframe, iOS SDK, Phone, Qna preview, Salesforce, Search, Zendesk, Zendesk Messaging';

/** Named as in "Taken Over" for `taken_over`. */
export function choicesOf(values: string[]): INodePropertyOptions[] {
	const capitalize = (word: string) =>
		word === 'or' ? word : word[0].toUpperCase() + word.slice(1);
	return values.map((value) => ({
		name: value.split(/[ _]/).map(capitalize).join(' '),
		value,
	}));
}

const sources = `${commonSources}, ${laterSources}`.split(', ');

export const sourceFilter = anyOfFilter(
	'Sources',
	'source',
	'Only conversations with one of these sources',
	choicesOf(sources.sort((one, other) => one.localeCompare(other))),
);

/** Filters of a list of version 1. */
export const sourceFields = [
	anyOfFilter(
		'Sources',
		'sources',
		'Only conversations from these places',
		choicesOf(commonSources.split(', ')),
	),
	anyOfFilter(
		'Other Sources',
		'otherSources',
		'Sources that are not in the Sources list',
		'e.g. Telegram, Email',
	),
];

/** The newest ones, of all channels. The service searches titles and messages, of the last twelve months. */
const searchConversations: ListSearch = async function (filter, paginationToken) {
	const query = filter?.trim();
	const list = cursorPages(await panelClient(this), {
		path: query ? searchPath : exportPath,
		resource: 'agentConversations',
		params: { chatbotId: requireChatbot(this) },
		query: query ? { query, limit: 20 } : { include: 'summary', limit: 20 },
	});
	return await choicesOn(list, paginationToken, ({ id, title, createdAt }) => {
		const time = readTimestamp(createdAt);
		const moment = time === undefined ? '' : ` (${momentText(time, this.getTimezone())})`;
		return { name: `${String(title || 'No title')}${moment}`, value: String(id) };
	});
};

export const conversationIdField = serviceIdField('conversationId', 'Conversation ID', {
	description: 'The conversation to work with',
	...locator({ searchConversations }, 'a conversation', {
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
		hint: 'Export, Search and Send Message With Memory return it',
	}),
});
