import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { describeValue } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import { conversationIdField, isSameConversation } from './conversations';

const conversationPath = '/agents/{chatbotId}/conversations/{conversationId}';
const fields = [chatbotField, writeNotice, conversationIdField];

function switchTo(value: 'pause' | 'resume', description: string) {
	return operation({
		value,
		description,
		request: { method: 'PATCH', path: conversationPath, resource: 'agentConversation' },
		fields,

		read: (item) => ({
			chatbotId: chatbotField.read(item),
			conversationId: conversationIdField.read(item),
		}),

		async send({ item, params, api }) {
			const body = { paused: value === 'pause' };
			const response = await api.send({ ...item.request, params, body });
			const { id, status } = api.expectBody(response);
			if (!isSameConversation(id, params.conversationId)) throw api.unexpected(response);
			if (status === (body.paused ? 'paused' : 'ongoing')) return [{ id, status }];
			const nextStep = `The service answered with ${describeValue(status)} as its status.`;
			throw item.error(`The conversation was not ${value}d`, nextStep);
		},
	});
}

export const pause = switchTo(
	'pause',
	'Stop the chatbot from answering in a conversation. May need a higher plan.',
);

export const resume = switchTo(
	'resume',
	'Let the chatbot answer again in a conversation that was paused. May need a higher plan.',
);
