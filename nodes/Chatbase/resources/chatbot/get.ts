import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { operation, optionsField } from '../../fields/define';
import { toggleField } from '../../fields/field';
import { chatbotField } from '../../fields/locators';
import { readOutput } from '../../fields/output';
import { chatbotOutputFields, chatbotsPath, readChatbot, simplifiedFields } from './chatbots';

const usageOption = toggleField('options.includeUsage', 'Include Usage', {
	description:
		'Whether to add the message credits used this month (UTC), their limit and the time of the last message. Needs a plan with API access.',
});

export const get = operation({
	value: 'get',
	description: 'Read one chatbot by its ID',
	request: { method: 'GET', path: chatbotsPath, resource: 'chatbots' },
	fields: [chatbotField, ...chatbotOutputFields, optionsField([usageOption])],

	read(item, api) {
		const includeUsage = usageOption.read(item);
		if (includeUsage) api.rootOf('agent');
		return {
			chatbotId: chatbotField.read(item),
			output: readOutput(item, simplifiedFields),
			includeUsage,
		};
	},

	async send({ item, params: { chatbotId, output, includeUsage }, api }) {
		const chatbot = output(await readChatbot(item, api, chatbotId));
		return [includeUsage ? { ...chatbot, usage: await readUsage(api, chatbotId) } : chatbot];
	},
});

/** Reads once a run what a chatbot has used (reference of version 2, 6). */
async function readUsage(api: ApiClient, chatbotId: string): Promise<IDataObject> {
	return await api.state.memoize(`usage of ${chatbotId}`, async () => {
		const endpoint = { method: 'GET', path: '/agents/{chatbotId}', resource: 'agent' } as const;
		const response = await api.send({ ...endpoint, params: { chatbotId } });
		return api.expectBody(response, ({ creditsUsed, creditLimit, lastMessageAt }) =>
			typeof creditsUsed === 'number'
				? { creditsUsed, creditLimit: creditLimit ?? null, lastMessageAt: lastMessageAt ?? null }
				: undefined,
		);
	});
}
