import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { SingleOperation } from '../../execution/operation';
import { optionsField, updateFieldsField } from '../../fields/collections';
import { hasValue } from '../../fields/values';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { ApiClient } from '../../api/client';
import { nameField, readName, readTrainingText, trainingTextField } from './fields';
import { readChatbot } from './requests';

interface Task {
	chatbotId: string;
	/** What the user has given; the rest stays as it is. */
	changes: { chatbotName?: string; sourceText?: string };
}

/** Changes the name or the training text of a chatbot. */
export const updateChatbot: SingleOperation<Task> = {
	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const { name, sourceText } = item.collection('updateFields');
		const changes: Task['changes'] = {};
		if (hasValue(item, name)) changes.chatbotName = readName(item, name);
		if (hasValue(item, sourceText)) changes.sourceText = readTrainingText(item, sourceText);
		if (Object.keys(changes).length > 0) return { chatbotId, changes };
		throw item.refusal(
			'There is nothing to update',
			'Add Name or Training Text under Update Fields. Where a field is an expression, this item has no value for it.',
		);
	},

	async send({ item, params: { chatbotId, changes }, api }) {
		const body: IDataObject = { chatbotId, ...changes };
		// The service demands a name with every text.
		body.chatbotName ??= await readPresentName(item, api, chatbotId);
		return [await api.sendForBody({ ...item.request, body, subject: 'chatbot' })];
	},
};

async function readPresentName(item: InputItem, api: ApiClient, chatbotId: string) {
	const { name } = await readChatbot(item, api, chatbotId);
	if (typeof name === 'string' && name.trim() !== '') return name;
	throw item.failure(
		'The chatbot has no name',
		'The service demands one with every new text. Add Name under Update Fields.',
	);
}

const show = { resource: ['chatbot'], operation: ['update'] };

export const chatbotUpdateFields: INodeProperties[] = [
	updateFieldsField(show, [
		nameField,
		trainingTextField(
			'What the chatbot should know, as plain text. It may replace the text that the chatbot was trained with before: enter all that it should know, and keep a copy of what is there. Training goes on after this step: the field status of the operation Get tells when the chatbot is ready.',
		),
	]),
	optionsField(show, [maxConcurrencyOption]),
];
