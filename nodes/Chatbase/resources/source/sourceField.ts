import { serviceIdField } from '../../panel/field';
import { choicesOn, type ListSearch } from '../../panel/listSearch';
import { locator } from '../../panel/locators';
import { panelClient, requireChatbot } from '../../panel/panelClient';
import { sourcePages } from './sources';

export const searchSources: ListSearch = async function (filter, paginationToken) {
	const query = filter?.trim() ? { name: filter.trim() } : {};
	const list = sourcePages(await panelClient(this), requireChatbot(this), query);
	return await choicesOn(list, paginationToken, ({ id, name, type }) => ({
		name: `${String(name ?? 'No name')} (${String(type)})`,
		value: String(id),
	}));
};

export const sourceField = serviceIdField('sourceId', 'Source', {
	description: 'The source to work with',
	...locator({ searchSources }, 'a source', {
		placeholder: 'e.g. 6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
		hint: 'Get Many and Create return it',
	}),
});
