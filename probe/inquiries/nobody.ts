/** Refusals for a chatbot that doesn't exist: they change nothing. */
import { randomUUID } from 'crypto';

import { notFoundOut } from '../answer';
import type { Inquiry } from '../session';
import { isSuccess, messageOf, unexpected } from '../shapes';

/** In the contract's list for chatbots, and not in Chatbase's for chats. */
const newerModel = 'gpt-5.5';

export const nobodyInquiry: Inquiry = {
	title: 'Settings of a chatbot that does not exist',
	requests: 3,

	async run({ client, findings }) {
		const chatbotId = randomUUID();
		const set = async (model: string) =>
			await client.ask('POST', '/update-chatbot-settings', { body: { chatbotId, model } });

		// Only a service that looks at the model before it looks for the chatbot gives an answer.
		const wrong = await set('no-such-model');
		const newer = await set(newerModel);
		if (wrong.status === 404) {
			findings.setOther(notFoundOut('the model is not checked'), 'settingsModels');
		} else if (isSuccess(wrong)) {
			findings.setOther(notFoundOut('any model is accepted, for any chatbot'), 'settingsModels');
		} else if (wrong.status !== 400) findings.setOther(unexpected(wrong), 'settingsModels');
		else if (newer.status === 400) findings.set('settingsModels', 'asForChat');
		else if (newer.status === 404 || isSuccess(newer)) findings.set('settingsModels', 'contract');
		findings.setOther(unexpected(newer), 'settingsModels');

		const body = { chatbotId, sourceText: 'n8n probe' };
		const response = await client.ask('POST', '/update-chatbot-data', { body });
		const message = messageOf(response);
		if (response.status === 404) {
			findings.setOther(notFoundOut('the name is not checked'), 'missingNameMessage');
		} else if (isSuccess(response)) {
			findings.setOther(notFoundOut('any text is accepted, for any chatbot'), 'missingNameMessage');
		} else if (response.status === 400 && message !== undefined) {
			const isVendors = message === 'Chatbot name is required';
			findings.set('missingNameMessage', isVendors ? message : 'Invalid input parameters');
		}
		findings.setOther(unexpected(response), 'missingNameMessage');
	},
};
