import { NodeApiError } from 'n8n-workflow';

import type { ErrorText, Outcome, ApiResource } from '../../../nodes/Chatbase/api/errorTexts';
import { errorTexts, textFor } from '../../../nodes/Chatbase/api/errorTexts';
import type { Topic } from '../../../nodes/Chatbase/api/versions';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import { node } from './node';

const texts = Object.entries(errorTexts as Record<string, ErrorText>).map(
	([meaning, { title, nextStep, setting }]) =>
		[meaning, title, `${nextStep} ${setting?.hint ?? ''}`.trim()] as const,
);

describe.each(texts)('%s', (_, title, nextStep) => {
	it('has a title that n8n leaves alone', () => {
		expect(new NodeApiError(node, {}, { message: title }).message).toBe(title);
	});

	it('says what happened in short, and what to do next in sentences', () => {
		expect(title).toMatch(/^[A-Z][^.!?]{5,59}$/);
		expect(nextStep).toMatch(/^[A-Z].*\.$/);
	});

	it('uses no word that the guidelines of n8n advise against', () => {
		expect(`${title} ${nextStep}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
	});

	it('can stand in a table and in HTML', () => {
		expect(`${title} ${nextStep}`).not.toMatch(/[|<>\n]/);
	});
});

/** Tells what a response means by the words of the service. */
const titleOf = (
	outcome: Outcome,
	resource: ApiResource,
	message = '',
	method: 'GET' | 'POST' = 'POST',
) => {
	const isAbout = (topic: Topic) => version1.isAbout({ message }, topic);
	return textFor(outcome, { method, resource }, isAbout).title;
};

it.each<[Outcome, ApiResource, string, string]>([
	['400', 'contacts', '', 'The service did not accept the contact data'],
	['400', 'chat', '', 'The service did not accept the message'],
	['400', 'customAttributes', '', 'The service did not accept the custom attribute'],
	['400', 'lead', '', 'The service did not accept the request'],
	['401', 'contact', '', 'The API key is not accepted'],
	['403', 'chat', '', 'Access denied or message credits used up'],
	['403', 'contact', '', 'Access denied or quota used up'],
	['404', 'contact', '', 'Contact or chatbot not found'],
	['404', 'contact', 'Contact not found', 'Contact not found'],
	['404', 'contact', 'No such CONTACT in chatbot', 'Contact not found'],
	['404', 'contact', 'Chatbot not found', 'Chatbot not found'],
	// A list names no contact that could be missing.
	['404', 'contacts', 'No contact of this chatbot found', 'Chatbot not found'],
	['404', 'customAttribute', '', 'Custom attribute or chatbot not found'],
	['404', 'customAttribute', 'Attribute missing', 'Custom attribute not found'],
	['404', 'chat', '', 'Chatbot not found'],
	['404', 'chatbots', 'Not found', "The Base URL doesn't lead to the API"],
	['409', 'contacts', '', 'The email is taken by another contact'],
	['409', 'contacts', 'external_id is taken', 'The External ID is taken by another contact'],
	['409', 'customAttributes', '', 'It exists already'],
	['429', 'chat', '', 'The service is still receiving too many requests'],
	['5xx', 'lead', '', 'The service cannot answer at the moment'],
	['400', 'chat', 'model: Invalid option', 'The service does not accept this model'],
	['400', 'chatbotSettings', 'No such Model', 'The service does not accept this model'],
	['400', 'chat', 'remodelled: Too long', 'The service did not accept the message'],
	['404', 'agent', '', 'Chatbot not found'],
	['404', 'agentConversation', '', 'Conversation or chatbot not found'],
	['404', 'agentConversations', '', 'Chatbot not found'],
	['409', 'agentConversation', '', 'The conversation has ended or a person has taken it over'],
	['wrongAddress', 'agentConversations', '', 'Version 2 of the API is not at this address'],
	['wrongAddress', 'contacts', '', "The Base URL doesn't lead to the API"],
	['403', 'chat', 'model', 'Access denied or message credits used up'],
	['400', 'contacts', 'model', 'The service did not accept the contact data'],
])('%s for %s, “%s”: %s', (outcome, resource, message, title) => {
	expect(titleOf(outcome, resource, message)).toBe(title);
});

it.each<ApiResource>(['contacts', 'customAttributes'])(
	'a refused read is about no data: %s',
	(resource) => {
		expect(titleOf('400', resource, '', 'GET')).toBe('The service did not accept the request');
	},
);
