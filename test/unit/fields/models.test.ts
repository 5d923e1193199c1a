import {
	chatModels,
	earlierChatModels,
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
});
