import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { readLimit } from '../../fields/paging';
import { outputFields, readOutput } from './output';
import { readChatbots } from './requests';

interface Task {
	limit: number;
	output: (record: IDataObject) => IDataObject;
}

/** Reads the chatbots of the workspace, with one request however many there are. */
export const getAllChatbots: SingleOperation<Task> = {
	read: (item) => ({ limit: readLimit(item), output: readOutput(item) }),

	async send({ task: { limit, output }, service }) {
		const chatbots = await readChatbots(service);
		return chatbots.slice(0, limit).map(output);
	},
};

export const chatbotGetAllFields: INodeProperties[] = outputFields(['getAll']);
