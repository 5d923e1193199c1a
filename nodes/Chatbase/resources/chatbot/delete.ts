import type { INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import { confirmsDeletion } from '../../api/response';

/** Deletes what the path of the operation stands for: a chatbot, its icon or its profile picture. */
export const deleteByPath: SingleOperation<string> = {
	read: (item) => readId(item, 'chatbotId', 'Chatbot'),

	async send({ item, params: chatbotId, api }) {
		const subject = 'chatbot';
		const response = await api.send({ ...item.request, qs: { chatbotId }, subject });
		// An attempt before may have deleted it without its response reaching us.
		if (response.mayHaveRun && response.outcome === '404') return [{ deleted: true }];
		if (response.outcome) throw api.failure(response, subject);
		if (!confirmsDeletion(response)) throw api.unexpected(response, subject);
		return [{ deleted: true }];
	},
};

export const chatbotDeleteFields: INodeProperties[] = [
	{
		displayName:
			'The chatbot is deleted permanently, with everything that belongs to it. The API cannot bring it back.',
		name: 'deleteNotice',
		type: 'notice',
		default: '',
		// A tool has a notice of its own.
		displayOptions: {
			show: { resource: ['chatbot'], operation: ['delete'], '@tool': [false] },
		},
	},
	optionsField(
		{ resource: ['chatbot'], operation: ['delete', 'deleteIcon', 'deleteProfilePicture'] },
		[maxConcurrencyOption],
	),
];
