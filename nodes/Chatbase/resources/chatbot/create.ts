import { additionalFieldsField, operation, optionsField, toolNotice } from '../../fields/define';
import { maxConcurrencyOption } from '../../fields/paging';
import { readOptional, readRequired, text } from '../../fields/values';
import { chatbotName, hasChatbotId, nameField, trainingTextField } from './chatbots';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create chatbot',
	description: 'Set up a new chatbot, with or without training text',
	request: { method: 'POST', path: '/create-chatbot' },
	fields: [
		toolNotice(
			'The agent can create as many chatbots as your plan allows. Describe under Tool Description when it should.',
		),
		{ ...nameField, required: true },
		additionalFieldsField([
			trainingTextField(
				'What the chatbot should know, as plain text of at least 100 characters. Training continues after this step. Get returns its status.',
			),
		]),
		optionsField([maxConcurrencyOption]),
	],

	read: (item) => ({
		chatbotName: readRequired(item, 'name', chatbotName, 'Name'),
		sourceText: readOptional(item, 'additionalFields.sourceText', text, 'Training Text'),
	}),

	async send({ item, params: body, api }) {
		const response = await api.send({ ...item.request, body, resource: 'chatbots' });
		// Without its ID, a workflow can't use the new chatbot.
		return [api.expectBody(response, (created) => (hasChatbotId(created) ? created : undefined))];
	},
});
