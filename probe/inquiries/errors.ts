/** How the service refuses reads. */
import { randomUUID } from 'crypto';

import type { ServiceResponse } from '../response';
import type { Inquiry } from '../session';

export const errorInquiry: Inquiry = {
	title: 'Responses about missing records',
	requests: 3,

	async run({ client, findings, paths }) {
		const key = await client.ask('GET', paths.contacts, { apiKey: randomUUID() });
		findings.judge('wrongKey', key, { 401: '401', 403: '403' });

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
