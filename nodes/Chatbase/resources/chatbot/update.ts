import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isGiven } from '../../fields/kinds';
import { readId, refuse } from '../../fields/read';
import { sendAs } from '../../fields/routing';
import type { SingleOperation } from '../../transport/operation';
import { readName, readTrainingText } from './fields';
import { readChatbot } from './requests';

interface Task {
	path: string;
	chatbotId: string;
	/** What the user has given; the rest stays as it is. */
	changes: { chatbotName?: string; sourceText?: string };
}

export const updateChatbot: SingleOperation<Task> = {
	read(context, { path, body }) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const changes: Task['changes'] = {};
		if (isGiven(context, body.chatbotName)) changes.chatbotName = readName(context, body);
		if (isGiven(context, body.sourceText)) changes.sourceText = readTrainingText(context, body);
		if (Object.keys(changes).length === 0) {
			throw refuse(
				context,
				'There is nothing to update',
				'Add Name or Training Text under Update Fields. Where a field is an expression, this item has no value for it.',
			);
		}
		return { path, chatbotId, changes };
	},

	async send({ context, task: { path, chatbotId, changes }, service }) {
		const body: IDataObject = { chatbotId, ...changes };
		// The service demands a name with every text.
		body.chatbotName ??= (await readChatbot(context, service, chatbotId)).name;
		return [await service.sendForObject({ method: 'POST', path, body, subject: 'chatbot' })];
	},
};

export const chatbotUpdateFields: INodeProperties[] = [
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only the fields you add change; all others stay as they are',
		displayOptions: { show: { resource: ['chatbot'], operation: ['update'] } },
		options: [
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Support Bot',
				description: 'New name of the chatbot in the dashboard, at least 3 characters',
				routing: sendAs('chatbotName'),
			},
			{
				displayName: 'Training Text',
				name: 'sourceText',
				type: 'string',
				typeOptions: { rows: 6 },
				default: '',
				placeholder: 'e.g. We deliver within two days. Returns are free for 30 days…',
				description:
					'What the chatbot should know, as plain text. It may replace the text that the chatbot was trained with before: enter all that it should know, and keep a copy of what is there. Training goes on after this step.',
				routing: sendAs('sourceText'),
			},
		],
	},
];
