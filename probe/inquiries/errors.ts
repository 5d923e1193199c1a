/** How the service refuses reads. */
import { randomUUID } from 'crypto';

import type { ServiceResponse } from '../client';
import type { Inquiry } from '../session';
import { isMissing, messageOf, unexpected } from '../shapes';

export const errorInquiry: Inquiry = {
	title: 'Responses about missing records',
	requests: 4,

	async run({ client, findings, paths }) {
		const key = await client.ask('GET', paths.contacts, { apiKey: randomUUID() });
		const message = messageOf(key);
		if (key.status === 401 && message !== undefined) {
			const isKnown = message === 'Unauthorized access' || message === 'No API key provided.';
			findings.set('unauthorizedMessage', isKnown ? message : 'otherMessage');
		} else if (key.status === 403) {
			findings.set('unauthorizedMessage', 'forbidden');
		} else findings.setOther(unexpected(key), 'unauthorizedMessage');

		const contact = await client.ask('GET', `${paths.contacts}/${randomUUID()}`);
		const chatbot = await client.ask('GET', `/chatbots/${randomUUID()}/contacts`);
		if (!isMissing(contact)) findings.setOther(unexpected(contact), 'notFoundMessage');
		else if (!isMissing(chatbot)) findings.setOther(unexpected(chatbot), 'notFoundMessage');
		else findings.set('notFoundMessage', wordsOf(contact, chatbot));

		const path = await client.ask('GET', `/${randomUUID()}`);
		if (path.status !== 404) findings.setOther(unexpected(path), 'unknownPath');
		else findings.set('unknownPath', path.json === undefined ? 'text' : 'json');
	},
};

function wordsOf(contact: ServiceResponse, chatbot: ServiceResponse) {
	const messages = [messageOf(contact) ?? '', messageOf(chatbot) ?? ''];
	if (messages.every((message) => message === 'Resource not found')) return 'Resource not found';
	const isNamed = /contact/i.test(messages[0]) && /chatbot/i.test(messages[1]);
	return isNamed ? 'named' : 'otherMessage';
}
