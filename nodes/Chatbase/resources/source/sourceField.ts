import type { InputItem } from '../../execution/item';
import { serviceIdField } from '../../panel/field';
import { choicesOn, type ListSearch } from '../../panel/listSearch';
import { locator, readMarksMissing } from '../../panel/locators';
import { panelClient, requireChatbot } from '../../panel/panelClient';
import { chatbotField } from '../chatbot/chatbots';
import type { SourceAddress } from './requests';
import { sourcePages } from './sources';

const searchSources: ListSearch = async function (filter, paginationToken) {
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

interface ChosenSource extends SourceAddress {
	/** Whether a source that does not exist is a result, not an error. */
	marksMissing: boolean;
}

/** The source that an item names. */
export function readChosenSource(item: InputItem): ChosenSource {
	return {
		chatbotId: chatbotField.read(item),
		sourceId: sourceField.read(item),
		marksMissing: readMarksMissing(item),
	};
}
