import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { additionalFieldsField } from '../../fields/collections';
import { isGiven } from '../../fields/kinds';
import type { SingleOperation } from '../../transport/operation';
import { isObject } from '../../values/object';
import { nameField, readName, readTrainingText, trainingTextField } from './fields';

interface Task {
	path: string;
	body: IDataObject;
}

/** Creates a chatbot. */
export const createChatbot: SingleOperation<Task> = {
	read(context, { path, body }) {
		const chatbotName = readName(context, body);
		if (!isGiven(context, body.sourceText)) return { path, body: { chatbotName } };
		return { path, body: { chatbotName, sourceText: readTrainingText(context, body) } };
	},

	async send({ task: { path, body }, service }) {
		const subject = 'chatbot';
		const response = await service.send({ method: 'POST', path, body, subject });
		if (response.outcome) throw service.failure(response, subject);
		// Without its ID nobody could do anything with the new chatbot.
		if (isObject(response.body) && typeof response.body.chatbotId === 'string') return [response.body];
		throw service.unexpected(response, subject);
	},
};

const show = { resource: ['chatbot'], operation: ['create'] };

export const chatbotCreateFields: INodeProperties[] = [
	{ ...nameField, required: true, displayOptions: { show } },
	additionalFieldsField(show, [
		trainingTextField(
			'What the chatbot should know, as plain text. Training goes on after this step: the field status of the operation Get tells when the chatbot is ready. Your plan limits the number of characters; texts under about 100 characters may be refused.',
		),
	]),
];
