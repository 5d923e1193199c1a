import { additionalFieldsField, operation, optionsField, toolNotice } from '../../fields/define';
import { maxConcurrencyOption } from '../../fields/paging';
import { readOptional, readRequired, text } from '../../fields/values';
import { chatbotName, hasChatbotId, nameField, trainingTextField } from './chatbots';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create chatbot',
	description:
		'Set up a new chatbot, with text to train it if you like. It counts towards what your plan includes.',
	request: { method: 'POST', path: '/create-chatbot' },
	fields: [
		toolNotice(
			'An agent can create chatbots with this tool, as many as your plan allows. Say under Tool Description when it may.',
		),
		{ ...nameField, required: true },
		additionalFieldsField([
			trainingTextField(
				'What the chatbot should know, as plain text. Training goes on after this step: the field status of the operation Get tells when the chatbot is ready. Your plan limits the number of characters; texts under about 100 characters may be refused.',
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
		// Without its ID, a workflow could do nothing with the new chatbot.
		return [api.expectBody(response, (created) => (hasChatbotId(created) ? created : undefined))];
	},
});
