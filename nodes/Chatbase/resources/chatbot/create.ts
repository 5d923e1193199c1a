import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { additionalFieldsField, optionsField } from '../../fields/collections';
import { isGiven } from '../../fields/kinds';
import { maxConcurrencyOption } from '../../fields/paging';
import { isObject } from '../../values/object';
import { nameField, readName, readTrainingText, trainingTextField } from './fields';

/** Creates a chatbot. */
export const createChatbot: SingleOperation<IDataObject> = {
	read(item) {
		const chatbotName = readName(item, item.parameter('name'));
		const { sourceText } = item.collection('additionalFields');
		if (!isGiven(item, sourceText)) return { chatbotName };
		return { chatbotName, sourceText: readTrainingText(item, sourceText) };
	},

	async send({ item, task: body, service }) {
		const subject = 'chatbot';
		const response = await service.send({ ...item.request, body, subject });
		if (response.outcome) throw service.failure(response, subject);
		const chatbotId = isObject(response.body) ? response.body.chatbotId : undefined;
		// Without its ID nobody could do anything with the new chatbot.
		if (typeof chatbotId !== 'string' && typeof chatbotId !== 'number') {
			throw service.unexpected(response, subject);
		}
		return [response.body as IDataObject];
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
	optionsField(show, [maxConcurrencyOption]),
];
