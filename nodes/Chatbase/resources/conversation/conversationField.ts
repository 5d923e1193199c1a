import { cursorPages } from '../../api/paginate';
import { serviceIdField } from '../../panel/field';
import { choicesOn, type ListSearch } from '../../panel/listSearch';
import { locator } from '../../panel/locators';
import { panelClient, requireChatbot } from '../../panel/panelClient';
import { readTimestamp } from '../../values/time';
import { exportPath, searchPath } from './conversations';
import { momentText } from './transcript';

/** The newest ones, of all channels. The service searches titles and messages, of the last twelve months. */
export const searchConversations: ListSearch = async function (filter, paginationToken) {
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
