import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { updateFieldsField } from '../../fields/collections';
import { isGiven } from '../../fields/kinds';
import { readId, refuse } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { nameField, readName, readTrainingText, trainingTextField } from './fields';
import { readChatbot } from './requests';

interface Task {
	path: string;
	chatbotId: string;
	/** What the user has given; the rest stays as it is. */
	changes: { chatbotName?: string; sourceText?: string };
}

/** Changes the name or the training text of a chatbot. */
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
	updateFieldsField({ resource: ['chatbot'], operation: ['update'] }, [
		nameField,
		trainingTextField(
			'What the chatbot should know, as plain text. It may replace the text that the chatbot was trained with before: enter all that it should know, and keep a copy of what is there. Training goes on after this step: the field status of the operation Get tells when the chatbot is ready.',
		),
	]),
];
