import type { INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { readId } from '../../fields/read';
import type { Output } from '../../fields/output';
import { readOutput } from '../../fields/output';
import { readChatbot } from './requests';
import { chatbotOutputFields, simplifiedFields } from './simplified';

interface Task {
	chatbotId: string;
	output: Output;
}

/** Reads one chatbot. */
export const getChatbot: SingleOperation<Task> = {
	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		output: readOutput(item, simplifiedFields),
	}),

	send: async ({ item, params: { chatbotId, output }, api }) => [
		output(await readChatbot(item, api, chatbotId)),
	],
};

export const chatbotGetFields: INodeProperties[] = chatbotOutputFields(['get']);
