import { chatModels, settingsModels } from '../../../nodes/Chatbase/panel/models';
import { contract } from '../../../service';

describe('the models', () => {
	it.each([
		['chat', chatModels, contract.chatModels],
		['settings', settingsModels, contract.settingsModels],
	])('of %s are those of the contract', (_, offered, agreed) => {
		expect(offered).toEqual([...agreed]);
	});

	it.each(chatModels)('allow %s for a chat', (model) => {
		const messages = [{ role: 'user', content: 'Hi' }];
		const request = { chatbotId: 'bot', messages, model };
		expect(contract.chatRequest.safeParse(request).error).toBeUndefined();
	});

	it.each(settingsModels)('allow %s for a chatbot', (model) => {
		const request = { chatbotId: 'bot', model };
		expect(contract.settingsUpdateRequest.safeParse(request).error).toBeUndefined();
	});
});
