import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { bodyIf } from '../../api/response';
import { optionsField } from '../../panel/collections';
import { readOutput } from '../../panel/output';
import { operation } from '../../panel/operation';
import {
	assertChatbotKnown,
	chatbotField,
	chatbotsPath,
	readChatbot,
} from '../../chatbots/chatbots';
import { outputFields, simplifiedChatbot } from './chatbotFields';
import { hasUsage, usageOf, usageOption } from './usage';

export const get = operation({
	value: 'get',
	description: 'Read one chatbot by its ID',
	request: { method: 'GET', path: chatbotsPath, resource: 'chatbots' },
	fields: [chatbotField, ...outputFields, optionsField([usageOption])],

	read(item, api) {
		const includeUsage = usageOption.read(item);
		if (includeUsage) api.rootOf('agent');
		return {
			chatbotId: chatbotField.read(item),
			output: readOutput(item, simplifiedChatbot),
			includeUsage,
		};
	},

	async send({ item, params, api }) {
		const { chatbotId, output, includeUsage } = params;
		const chatbot = output(await readChatbot(item, api, chatbotId));
		if (!includeUsage) return [chatbot];

		return [{ ...chatbot, usage: await readUsage(api, chatbotId) }];
	},
});

async function readUsage(api: ApiClient, chatbotId: string): Promise<IDataObject> {
	const wanted = { resource: 'agent', find: bodyIf(hasUsage) } as const;
	return usageOf(await assertChatbotKnown(api, chatbotId, wanted));
}
