import type { INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { truncationNotice } from '../../fields/listEnd';
import type { Output } from '../../fields/output';
import { readOutput } from '../../fields/output';
import { readLimit } from '../../fields/paging';
import { readChatbots } from './requests';
import { chatbotOutputFields, simplifiedFields } from './simplified';

interface Task {
	limit: number;
	output: Output;
}

/** Reads the chatbots of the workspace, with one request however many there are. */
export const getAllChatbots: SingleOperation<Task> = {
	read: (item) => ({ limit: readLimit(item), output: readOutput(item, simplifiedFields) }),

	async send({ item, params: { limit, output }, api }) {
		const chatbots = await readChatbots(api);
		const returned = chatbots.slice(0, limit).map(output);
		return [...returned, ...truncationNotice(item, returned.length, limit, chatbots.length)];
	},
};

export const chatbotGetAllFields: INodeProperties[] = chatbotOutputFields(['getAll']);
