import { operation, type PanelOperation, writeNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { describeValue } from '../../fields/values';
import { conversationIdField, isSameConversation } from './conversations';

const path = '/agents/{chatbotId}/conversations/{conversationId}';
const fields = [chatbotField, writeNotice, conversationIdField];

function setPaused(paused: boolean, texts: Pick<PanelOperation, 'value' | 'name' | 'description'>) {
	return operation({
		...texts,
		request: { method: 'PATCH', path, resource: 'agentConversation' },
		fields,

		read: (item) => ({
			chatbotId: chatbotField.read(item),
			conversationId: conversationIdField.read(item).trim(),
		}),

		async send({ item, params, api }) {
			const response = await api.send({ ...item.request, params, body: { paused } });
			const { id, status } = api.expectBody(response);
			if (!isSameConversation(id, params.conversationId)) throw api.unexpected(response);
			if (status === (paused ? 'paused' : 'ongoing')) return [{ id, status }];
			const nextStep = `The service answered with ${describeValue(status)} as its status.`;
			throw item.error(`The conversation was not ${paused ? 'paused' : 'resumed'}`, nextStep);
		},
	});
}

export const pause = setPaused(true, {
	value: 'pause',
	name: 'Pause',
	description: 'Stop the chatbot from answering in a conversation. Needs a plan with API access.',
});

export const resume = setPaused(false, {
	value: 'resume',
	name: 'Resume',
	description:
		'Let the chatbot answer again in a conversation that was paused. Needs a plan with API access.',
});
