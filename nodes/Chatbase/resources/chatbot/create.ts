import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isGiven } from '../../fields/kinds';
import { sendAs } from '../../fields/routing';
import type { SingleOperation } from '../../transport/operation';
import { isObject } from '../../transport/service';
import { readName, readTrainingText } from './fields';

interface Task {
	path: string;
	body: IDataObject;
}

export const createChatbot: SingleOperation<Task> = {
	read(context, { path, body }) {
		const chatbotName = readName(context, body);
		if (!isGiven(context, body.sourceText)) return { path, body: { chatbotName } };
		return { path, body: { chatbotName, sourceText: readTrainingText(context, body) } };
	},

	async send({ task: { path, body }, service }) {
		const subject = 'chatbot';
		const reply = await service.send({ method: 'POST', path, body, subject });
		if (reply.situation) throw service.failure(reply, subject);
		// Without its ID nobody could do anything with the new chatbot.
		if (isObject(reply.body) && typeof reply.body.chatbotId === 'string') return [reply.body];
		throw service.unexpected(reply, subject);
	},
};

const show = { resource: ['chatbot'], operation: ['create'] };

export const chatbotCreateFields: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Support Bot',
		description: 'Name of the chatbot in the dashboard, at least 3 characters',
		displayOptions: { show },
		routing: sendAs('chatbotName'),
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show },
		options: [
			{
				displayName: 'Training Text',
				name: 'sourceText',
				type: 'string',
				typeOptions: { rows: 6 },
				default: '',
				placeholder: 'e.g. We deliver within two days. Returns are free for 30 days…',
				description:
					'What the chatbot should know, as plain text. Training goes on after this step: the field Status of Get tells when the chatbot is ready. Your plan limits the number of characters; texts under about 100 characters may be refused.',
				routing: sendAs('sourceText'),
			},
		],
	},
];
