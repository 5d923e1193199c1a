import { choice, requiredField, serviceIdField } from '../../panel/field';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { isObject } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';
import { conversationIdField } from './conversations';

const messageId = serviceIdField(
	'messageId',
	'Message ID',
	{
		description:
			'ID of the answer to rate. Export and Get return it in messages, Send Message With Memory as messageId.',
		placeholder: 'e.g. msg_abc123',
	},
	'Enter the ID of an answer. Export, Get and Send Message With Memory return it.',
);

// Required: if an expression returns nothing, no rating may be meant.
const rating = requiredField(
	'rating',
	'Rating',
	choice({
		positive: ['Positive'],
		negative: ['Negative'],
		none: ['None', 'Clears the rating'],
	}),
	{ description: 'Rating to give to the answer. It replaces an earlier rating.' },
);

export const rate = operation({
	value: 'rate',
	name: 'Rate Answer',
	action: 'Rate answer in conversation',
	description:
		'Rate an answer of the chatbot, or clear its rating. May need a higher plan.',
	request: {
		method: 'PATCH',
		path: '/agents/{chatbotId}/conversations/{conversationId}/messages/{messageId}/feedback',
		resource: 'agentMessage',
	},
	fields: [chatbotField, writeNotice, conversationIdField, messageId, rating],

	read(item) {
		const chosen = rating.read(item);
		return {
			name: {
				chatbotId: chatbotField.read(item),
				conversationId: conversationIdField.read(item),
				messageId: messageId.read(item),
			},
			feedback: chosen === 'none' ? null : chosen,
		};
	},

	// Of several ratings of one answer, the last one stays.
	sequenceKeys: ({ name }) => [JSON.stringify(name)],

	async send({ item, params, api }) {
		const { name, feedback } = params;
		const body = { feedback };
		const response = await api.send({ ...item.request, params: name, body });
		const message = api.expectBody(response, ({ data }) =>
			isObject(data) && String(data.id) === name.messageId ? data : undefined,
		);

		// The field is optional in a message (reference of version 2).
		const { feedback: rated = feedback } = message;
		if (rated === feedback) return [message];

		const nextStep =
			'The service accepted the rating, and the answer still has another one. Check it with Conversation: Get.';
		throw item.error('The answer was not rated', nextStep);
	},
});
