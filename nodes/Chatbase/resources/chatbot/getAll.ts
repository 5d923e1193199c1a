import { operation } from '../../fields/define';
import { readOutput } from '../../fields/output';
import { paging, upToLimit } from '../../fields/paging';
import { chatbotOutputFields, chatbotsPath, readChatbots, simplifiedFields } from './chatbots';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List the chatbots of the workspace that the API key belongs to',
	request: { method: 'GET', path: chatbotsPath, resource: 'chatbots' },
	fields: [...paging.fields, ...chatbotOutputFields],

	read: (item) => ({ limit: paging.read(item), output: readOutput(item, simplifiedFields) }),

	async send({ item, params: { limit, output }, api }) {
		const chatbots = await readChatbots(api);
		return upToLimit(item, chatbots.map(output), limit, chatbots.length);
	},
});
