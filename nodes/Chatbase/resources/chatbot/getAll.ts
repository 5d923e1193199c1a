import { operation } from '../../fields/define';
import { readOutput } from '../../fields/output';
import { pagingFields, readLimit, truncationNotice } from '../../fields/paging';
import { chatbotOutputFields, chatbotsPath, readChatbots, simplifiedFields } from './chatbots';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many chatbots',
	description: 'List the chatbots of the workspace that the API key belongs to',
	request: { method: 'GET', path: chatbotsPath, resource: 'chatbots' },
	fields: [...pagingFields, ...chatbotOutputFields],

	read: (item) => ({ limit: readLimit(item), output: readOutput(item, simplifiedFields) }),

	async send({ item, params: { limit, output }, api }) {
		const chatbots = await readChatbots(api);
		const returned = chatbots.slice(0, limit).map(output);
		return [...returned, ...truncationNotice(item, returned.length, limit, chatbots.length)];
	},
});
