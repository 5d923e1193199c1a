/** How the service refuses reads. */
import { randomUUID } from 'crypto';

import type { ServiceResponse } from '../response';
import type { Inquiry } from '../session';

export const errorInquiry: Inquiry = {
	title: 'Responses about missing records',
	requests: 3,

	async run({ client, findings, paths }) {
		const key = await client.ask('GET', paths.contacts, { apiKey: randomUUID() });
		const message = key.message;
		if (key.status === 401 && message !== undefined) {
			const isKnown = message === 'Unauthorized access' || message === 'No API key provided.';
			findings.set('unauthorizedMessage', isKnown ? message : 'otherMessage');
		} else findings.set('unauthorizedMessage', key.status === 403 ? 'forbidden' : undefined, key);

		const contact = await client.ask('GET', `${paths.contacts}/${randomUUID()}`);
		const chatbot = await client.ask('GET', `/chatbots/${randomUUID()}/contacts`);
		const other = [contact, chatbot].find((response) => !response.isMissing);
		findings.set('notFoundMessage', other ? undefined : wordsOf(contact, chatbot), other);
	},
};

function wordsOf(contact: ServiceResponse, chatbot: ServiceResponse) {
	const messages = [contact.message ?? '', chatbot.message ?? ''];
	if (messages.every((message) => message === 'Resource not found')) return 'Resource not found';
	const isNamed = /contact/i.test(messages[0]) && /chatbot/i.test(messages[1]);
	return isNamed ? 'named' : 'otherMessage';
}
