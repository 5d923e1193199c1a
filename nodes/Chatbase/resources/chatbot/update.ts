import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { operation, optionsField, toolNotice, updateFieldsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId, readOptional, text } from '../../fields/values';
import {
	chatbotName,
	confirmedChange,
	nameField,
	readChatbot,
	trainingTextField,
} from './chatbots';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update chatbot',
	description:
		'Rename a chatbot, or train it with new text, which may replace the text it has. Everything else is under Chatbot Settings.',
	request: { method: 'POST', path: '/update-chatbot-data' },
	fields: [
		chatbotField,
		toolNotice(
			'With Training Text under Update Fields, an agent can replace all that the chatbot was trained with, permanently.',
		),
		updateFieldsField([
			nameField,
			trainingTextField(
				'What the chatbot should know, as plain text. It may replace the text that the chatbot was trained with before: enter all that it should know, and keep a copy of what is there. Training goes on after this step: the field status of the operation Get tells when the chatbot is ready.',
			),
		]),
		optionsField([maxConcurrencyOption]),
	],

	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const name = readOptional(item, 'updateFields.name', chatbotName, 'Name');
		const sourceText = readOptional(item, 'updateFields.sourceText', text, 'Training Text');
		if (name !== undefined || sourceText !== undefined) return { chatbotId, name, sourceText };
		throw item.error(
			'There is nothing to update',
			'Add Name or Training Text under Update Fields. Where a field is an expression, this item has no value for it.',
		);
	},

	// An item without a name sends the present one, which an item before it may have changed.
	sequenceKeys: ({ chatbotId }) => [chatbotId],

	async send({ item, params: { chatbotId, name, sourceText }, api }) {
		const { state } = api;
		const lookUp = `name of ${chatbotId}`;
		const nameSetBefore = await state.memoize<string | undefined>(lookUp, async () => undefined);
		const newName = name ?? nameSetBefore ?? (await readPresentName(item, api, chatbotId));
		const body = { chatbotId, chatbotName: newName, sourceText };
		const response = await api.send({ ...item.request, body, resource: 'chatbot' });
		const updated = api.expectBody(response, confirmedChange);
		state.cache(lookUp, newName);
		return [updated];
	},
});

/** The service demands a name with every text. */
async function readPresentName(item: InputItem, api: ApiClient, chatbotId: string) {
	const { name } = await readChatbot(item, api, chatbotId);
	if (typeof name === 'string' && name.trim() !== '') return name;
	throw item.error(
		'The chatbot has no name',
		'The service demands one with every new text. Add Name under Update Fields.',
	);
}
