import { isPathSegment } from '../../api/request';
import { idField } from '../../panel/field';
import { byName, hasWords, type ListSearch } from '../../panel/listSearch';
import { locator } from '../../panel/locators';
import { panelClient } from '../../panel/panelClient';
import { text } from '../../panel/types';
import { readChatbots } from './chatbots';

export const searchChatbots: ListSearch = async function (filter) {
	const chatbots = await readChatbots(await panelClient(this));
	const choices = chatbots
		// Some services use numbers as IDs of chatbots.
		.map(({ id, name }) => ({ name: String(name || id), value: text.read(id) ?? '' }))
		.filter(({ value }) => isPathSegment(value))
		.sort(byName);
	return {
		results: choices.filter(({ name, value }) => hasWords(`${name}\n${value}`, filter)),
	};
};

export const chatbotField = idField('chatbotId', 'Chatbot', {
	description: 'The chatbot to work with',
	...locator({ searchChatbots }, 'a chatbot', {
		placeholder: 'e.g. 4f0jCqZ8T7pXkL2mNbVwR',
		hint: 'Shown in the dashboard under Settings, General',
	}),
});
