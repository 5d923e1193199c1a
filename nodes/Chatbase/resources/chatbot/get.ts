import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { readId } from '../../fields/read';
import { outputFields, readOutput } from './output';
import { readChatbot } from './requests';

interface Task {
	chatbotId: string;
	output: (record: IDataObject) => IDataObject;
}

/** Reads one chatbot. */
export const getChatbot: SingleOperation<Task> = {
	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		output: readOutput(item),
	}),

	send: async ({ item, task: { chatbotId, output }, service }) => [
		output(await readChatbot(item, service, chatbotId)),
	],
};

export const chatbotGetFields: INodeProperties[] = outputFields(['get']);
