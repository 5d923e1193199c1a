import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { paging } from '../../panel/paging';
import { upToLimit } from '../../execution/lists';
import { chatbotsPath, readChatbots } from '../../chatbots/chatbots';
import { outputFields, simplifiedChatbot } from './chatbotFields';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List the chatbots of the workspace that the API key belongs to',
	request: { method: 'GET', path: chatbotsPath, resource: 'chatbots' },
	fields: [...paging.fields, ...outputFields],

	read: (item) => ({
		limit: paging.read(item),
		output: readOutput(item, simplifiedChatbot),
	}),

	async send({ item, params, api }) {
		const { limit, output } = params;
		const chatbots = await readChatbots(api);
		return upToLimit(item, chatbots.map(output), limit, chatbots.length);
	},
});
