import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { additionalFieldsField, optionsField } from '../../fields/collections';
import { hasValue } from '../../fields/values';
import { maxConcurrencyOption } from '../../fields/paging';
import { nameField, readName, readTrainingText, trainingTextField } from './fields';

/** Creates a chatbot. */
export const createChatbot: SingleOperation<IDataObject> = {
	read(item) {
		const chatbotName = readName(item, item.parameter('name'));
		const { sourceText } = item.collection('additionalFields');
		if (!hasValue(item, sourceText)) return { chatbotName };
		return { chatbotName, sourceText: readTrainingText(item, sourceText) };
	},

	async send({ item, params: body, api }) {
		const subject = 'chatbot';
		const response = await api.send({ ...item.request, body, subject });
		// Without its ID nobody could do anything with the new chatbot.
		const hasId = ({ chatbotId: id }: IDataObject) =>
			typeof id === 'string' || typeof id === 'number';
		return [api.expectBody(response, subject, (made) => (hasId(made) ? made : undefined))];
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
