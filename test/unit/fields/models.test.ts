import {
	chatModels,
	earlierChatModels,
	searchModels,
	settingsModels,
} from '../../../nodes/Chatbase/fields/models';
import { contract } from '../../service';

describe('the models', () => {
	it.each([
		['chat', chatModels, contract.chatModels],
		['the earlier listing', earlierChatModels, contract.earlierChatModels],
		['settings', settingsModels, contract.settingsModels],
	])('of %s are those of the contract, in its order', (_, offered, agreed) => {
		expect(offered).toEqual([...agreed]);
	});

	it.each([...chatModels, ...earlierChatModels])('let a chat ask for %s', (model) => {
		const messages = [{ role: 'user', content: 'Hi' }];
		const request = { chatbotId: 'bot', messages, model };
		expect(contract.chatRequest.safeParse(request).error).toBeUndefined();
	});

	it.each(settingsModels)('let a chatbot be set to %s', (model) => {
		const request = { chatbotId: 'bot', model };
		expect(contract.settingsUpdateRequest.safeParse(request).error).toBeUndefined();
	});

	it('are found by any part of what the list shows', () => {
		const models = ['GPT-5', 'gpt-5-mini', 'o3'].map((value) => ({ name: `${value} (x)`, value }));
		const found = (filter?: string) =>
			searchModels(models, filter).results.map(({ value }) => value);
		expect(found()).toEqual(['GPT-5', 'gpt-5-mini', 'o3']);
		expect(found(' gpt-5 ')).toEqual(['GPT-5', 'gpt-5-mini']);
		expect(found('O3')).toEqual(['o3']);
		expect(found('nothing')).toEqual([]);
	});
});
