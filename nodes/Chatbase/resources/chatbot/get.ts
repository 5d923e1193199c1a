import { operation } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { readOutput } from '../../fields/output';
import { readId } from '../../fields/values';
import { chatbotOutputFields, chatbotsPath, readChatbot, simplifiedFields } from './chatbots';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get chatbot',
	description: 'Read one chatbot by its ID',
	request: { method: 'GET', path: chatbotsPath },
	fields: [chatbotField, ...chatbotOutputFields],

	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		output: readOutput(item, simplifiedFields),
	}),

	send: async ({ item, params: { chatbotId, output }, api }) => [
		output(await readChatbot(item, api, chatbotId)),
	],
});
