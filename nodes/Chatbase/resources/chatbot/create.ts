import { createdRecord } from '../../api/unknownOutcome';
import { additionalFieldsField } from '../../panel/collections';
import { toolNotice } from '../../panel/notices';
import { requiredField } from '../../panel/field';
import { operation } from '../../panel/operation';
import { nameOfChatbot, trainingTextField } from './chatbotFields';
import { hasChatbotId } from './confirmedChange';

const name = requiredField('name', 'Name', ...nameOfChatbot);
const trainingText = trainingTextField(
	'additionalFields',
	'What the chatbot should know, as plain text of at least 100 characters. Training continues after this step. Chatbot: Get returns the status.',
);

export const create = operation({
	value: 'create',
	description: 'Set up a new chatbot, with or without training text',
	request: { method: 'POST', path: '/create-chatbot', resource: 'chatbots' },
	fields: [
		toolNotice(
			'The agent can create as many chatbots as your plan allows. Describe under Tool Description when to use it, or add a human review step.',
		),
		name,
		additionalFieldsField([trainingText]),
	],

	neverTwice: 'create the chatbots of all items again',

	read: (item) => ({ chatbotName: name.read(item), sourceText: trainingText.read(item) }),

	async send({ item, params: body, api }) {
		const response = await api.send({ ...item.request, body });
		// Without its ID, a workflow can't use the new chatbot.
		const created = createdRecord(api, response, {
			find: (record) => (hasChatbotId(record) ? record : undefined),
			mayExist:
				'The chatbot may exist. Look at the list of chatbots before you run again.',
		});
		return [created];
	},
});
