/** Refusals for a chatbot that doesn't exist: they change nothing. */
import { randomUUID } from 'crypto';

import type { Inquiry } from '../session';
import { firstOf } from '../shapes';

/** In the contract's list for chatbots, and not in Chatbase's for chats. */
const newerModel = 'gpt-5.5';

export const nobodyInquiry: Inquiry = {
	title: 'Settings of a chatbot that does not exist',
	requests: 2,

	async run({ client, findings }) {
		const chatbotId = randomUUID();
		const set = async (model: string) =>
			await client.ask('POST', '/update-chatbot-settings', { body: { chatbotId, model } });

		// Only a service that looks at the model before it looks for the chatbot gives an answer.
		const wrong = await set('no-such-model');
		const newer = await set(newerModel);
		const answer = firstOf([
			['asForChat', newer.status === 400],
			['contract', newer.status === 404 || newer.isSuccess],
		]);
		const unseen = wrong.pick({
			404: 'the model is not checked',
			success: 'any model is accepted, for any chatbot',
		});
		if (wrong.status === 400) findings.set('settingsModels', answer, newer);
		else findings.leave(unseen ?? wrong, 'settingsModels');
	},
};
