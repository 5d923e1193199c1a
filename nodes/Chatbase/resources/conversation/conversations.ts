import { idField, toggleField } from '../../fields/field';
import { locator } from '../../fields/locators';

/** The only lists of conversations from every source; the plain ones have those of the API alone. */
export const exportPath = '/agents/{chatbotId}/conversations/export';
export const searchPath = '/agents/{chatbotId}/conversations/search';

export const conversationIdField = idField('conversationId', 'Conversation ID', {
	description: 'The conversation to work with',
	...locator('searchConversations', 'a conversation', {
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
		hint: 'Export, Search and Send Message With Memory return it',
	}),
});

export function transcriptOption(more = '') {
	return toggleField('options.transcript', 'Add Transcript', {
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
