import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { readComplete, upToLimit } from '../../execution/lists';
import { optionsField } from '../../panel/collections';
import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { paging } from '../../panel/paging';
import { chatbotsPath, readChatbots } from '../../chatbots/chatbots';
import { outputFields, simplifiedChatbot } from './chatbotFields';
import { hasUsage, usageOf, usageOption } from './usage';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List the chatbots of the workspace that the API key belongs to',
	request: { method: 'GET', path: chatbotsPath, resource: 'chatbots' },
	fields: [...paging.fields, ...outputFields, optionsField([usageOption])],

	read(item, api) {
		const includeUsage = usageOption.read(item);
		if (includeUsage) api.rootOf('agents');
		return {
			limit: paging.read(item),
			output: readOutput(item, simplifiedChatbot),
			includeUsage,
		};
	},

	async send({ item, params, api }) {
		const { limit, output, includeUsage } = params;
		const chatbots = await readChatbots(api);
		const usageFor = includeUsage ? await readUsages(item, api) : undefined;

		const records = chatbots.map((chatbot) => {
			if (!usageFor) return output(chatbot);
			return { ...output(chatbot), usage: usageFor.get(String(chatbot.id)) ?? null };
		});
		return upToLimit(item, records, limit, chatbots.length);
	},
});

/** What each chatbot has used, by its ID. One list costs less than a request for each. */
async function readUsages(
	item: InputItem,
	api: ApiClient,
): Promise<ReadonlyMap<string, IDataObject>> {
	const list = cursorPages(api, {
		path: '/agents',
		resource: 'agents',
		query: { limit: 100 },
	});
	const agents = await readComplete(item, 'chatbots', list);
	return new Map(
		agents.filter(hasUsage).map((agent) => [String(agent.id), usageOf(agent)]),
	);
}
