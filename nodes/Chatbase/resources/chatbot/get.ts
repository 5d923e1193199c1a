import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { optionsField } from '../../panel/collections';
import { readOutput } from '../../panel/output';
import { toggleOption } from '../../panel/field';
import { operation } from '../../panel/operation';
import {
	assertChatbotKnown,
	chatbotField,
	chatbotsPath,
	readChatbot,
} from '../../chatbots/chatbots';
import { outputFields, simplifiedChatbot } from './chatbotFields';

const usageOption = toggleOption('includeUsage', 'Include Usage', {
	description:
		'Whether to add the message credits used this month (UTC), their limit and the time of the last message. May need a higher plan.',
});

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

/** What a chatbot has used (reference of version 2). */
async function readUsage(api: ApiClient, chatbotId: string): Promise<IDataObject> {
	const hasUsage = ({ creditsUsed }: IDataObject) => typeof creditsUsed === 'number';
	const agent = await assertChatbotKnown(api, chatbotId, 'agent', hasUsage);
	const { creditsUsed, creditLimit = null, lastMessageAt = null } = agent;
	return { creditsUsed, creditLimit, lastMessageAt };
}
