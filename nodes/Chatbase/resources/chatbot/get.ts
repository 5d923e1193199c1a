import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readId } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { outputFields, readOutput } from './output';
import { readChatbot } from './requests';

interface Task {
	chatbotId: string;
	output: (record: IDataObject) => IDataObject;
}

/** Reads one chatbot. */
export const getChatbot: SingleOperation<Task> = {
	read: (context) => ({
		chatbotId: readId(context, 'chatbotId', 'Chatbot'),
		output: readOutput(context),
	}),

	send: async ({ context, task, service }) => [
		task.output(await readChatbot(context, service, task.chatbotId)),
	],
};

export const chatbotGetFields: INodeProperties[] = outputFields(['get']);
