import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { nothingToUpdate, updateFieldsField } from '../../panel/collections';
import { toolNotice } from '../../panel/notices';
import { optionalField } from '../../panel/field';
import { operation } from '../../panel/operation';
import { filledText } from '../../panel/types';
import { chatbotField, chatbotIn, readChatbotsAnew } from '../../chatbots/chatbots';
import { nameOfChatbot, trainingTextField } from './chatbotFields';
import { confirmedChange } from './confirmedChange';

const nameField = optionalField('updateFields.name', 'Name', ...nameOfChatbot);
const trainingText = trainingTextField(
	'updateFields',
	filledText,
	'Everything the chatbot should know, as plain text. It may replace earlier training text, so keep a copy. Training continues after this step. Chatbot: Get returns the status.',
);

export const update = operation({
	value: 'update',
	description: 'Rename or retrain a chatbot. Chatbot Settings changes everything else.',
	request: { method: 'POST', path: '/update-chatbot-data', resource: 'chatbot' },
	fields: [
		chatbotField,
		toolNotice(
			'The agent can permanently replace the text that the chatbot was trained with. To approve each change, add a human review step.',
			{
				'/updateFields.sourceText': [{ _cnd: { exists: true } }],
			},
		),
		updateFieldsField([nameField, trainingText]),
	],

	read(item) {
		const chatbotId = chatbotField.read(item);
		const name = nameField.read(item);
		const sourceText = trainingText.read(item);
		if (name !== undefined || sourceText !== undefined) {
			return { chatbotId, name, sourceText };
		}
		throw nothingToUpdate(item, 'Add Name or Training Text under Update Fields.');
	},

	// An item without a name sends the current name, which an earlier item may have changed.
	sequenceKeys: ({ chatbotId }) => [chatbotId],

	async send({ item, params, api }) {
		const { chatbotId, name, sourceText } = params;
		const chatbotName = name ?? (await readName(item, api, chatbotId));

		const body = { chatbotId, chatbotName, sourceText };
		const response = await api.send({ ...item.request, body });
		return [api.expectBody(response, confirmedChange)];
	},
});

/** The service requires a name with every text. */
async function readName(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
): Promise<string> {
	const { name } = chatbotIn(await readChatbotsAnew(api), item, chatbotId);
	if (typeof name === 'string' && name.trim() !== '') return name;
	throw item.error(
		'The chatbot has no name',
		'The service requires one with every new text. Add Name under Update Fields.',
	);
}
