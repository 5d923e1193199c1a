import { NodeApiError } from 'n8n-workflow';

import type { FailureKind } from '../../../nodes/Chatbase/api/failureKinds';
import type { ApiResource } from '../../../nodes/Chatbase/api/subjects';
import { textFor } from '../../../nodes/Chatbase/api/errorTexts';
import { type Topic, version1 } from '../../../nodes/Chatbase/api/versions';
import { allErrorTexts } from '../../errorTexts';
import { node } from './node';

const texts = allErrorTexts.map(([key, text]) => {
	const { title, nextStep, requestOptions, maxConcurrency, advice } = text;
	const steps = [nextStep, requestOptions, maxConcurrency, advice].filter(Boolean).join(' ');
	return [key, title, steps] as const;
});

describe.each(texts)('%s', (_, title, nextStep) => {
	it('has a title that n8n does not replace', () => {
		expect(new NodeApiError(node, {}, { message: title }).message).toBe(title);
	});

	it('has a short title and a next step in sentences', () => {
		expect(title).toMatch(/^[A-Z][^.!?]{5,59}$/);
		expect(nextStep).toMatch(/^[A-Z].*\.$/);
	});

	it("has no word that n8n's guidelines advise against", () => {
		expect(`${title} ${nextStep}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
	});

	it('is valid in a table and in HTML', () => {
		expect(`${title} ${nextStep}`).not.toMatch(/[|<>\n]/);
	});
});

/** The meaning of a response by the message of the service. */
const titleOf = (
	outcome: FailureKind,
	resource: ApiResource,
	message = '',
	method: 'GET' | 'POST' = 'POST',
) => {
	const isAbout = (topic: Topic) => version1.isAbout({ message }, topic);
	return textFor(outcome, { method, resource, isAbout }).title;
};

it.each<[FailureKind, ApiResource, string, string]>([
	['400', 'contacts', '', 'The service rejected the contact data'],
	['400', 'chat', '', 'The service rejected the message'],
	['400', 'customAttributes', '', 'The service rejected the custom attribute'],
	['400', 'lead', '', 'The service rejected the request'],
	['401', 'contact', '', 'The service rejected the API key'],
	['403', 'chat', '', 'Access denied or message credits used up'],
	['403', 'contact', '', 'Access denied or quota used up'],
	['404', 'contact', '', 'Contact or chatbot not found'],
	['404', 'contact', 'Contact not found', 'Contact not found'],
	['404', 'contact', 'No such CONTACT in chatbot', 'Contact not found'],
	['404', 'contact', 'Chatbot not found', 'Chatbot not found'],
	// A list names no contact that could be missing.
	['404', 'contacts', 'No contact of this chatbot found', 'Chatbot not found'],
	['404', 'customAttribute', '', 'Custom attribute or chatbot not found'],
	['404', 'customAttribute', 'No such attribute in this chatbot', 'Custom attribute not found'],
	['404', 'customAttributes', '', 'Chatbot not found'],
	['404', 'agentFile', '', 'Source not found'],
	['404', 'agentFiles', '', 'Chatbot not found'],
	['404', 'chat', '', 'Chatbot not found'],
	['404', 'chatbots', 'Not found', "The Base URL doesn't lead to the API"],
	['409', 'contacts', '', 'A contact with one of these values exists'],
	['409', 'contacts', 'Email or phone exists', 'A contact with one of these values exists'],
	['409', 'contacts', 'email exists', 'The email is taken by another contact'],
	['409', 'contact', 'Phone number already exists', 'The phone number is taken by another contact'],
	['409', 'contacts', 'external_id is taken', 'The External ID is taken by another contact'],
	['409', 'customAttributes', '', 'It already exists'],
	['409', 'customAttributes', '"email" already exists', 'It already exists'],
	['429', 'chat', '', 'The service is receiving too many requests'],
	['5xx', 'lead', '', "The service can't respond at the moment"],
	['400', 'chat', 'model: Invalid option', 'The service rejected the model'],
	['400', 'chatbotSettings', 'No such Model', 'The service rejected the model'],
	['400', 'chat', 'remodelled: Too long', 'The service rejected the message'],
	['404', 'agent', '', 'Chatbot not found'],
	['404', 'agentConversation', '', 'Conversation or chatbot not found'],
	['404', 'agentConversations', '', 'Chatbot not found'],
	['409', 'agentConversation', '', 'The conversation has ended or a person has taken it over'],
	['wrongAddress', 'agentConversations', '', 'Version 2 of the API is not at this address'],
	['wrongAddress', 'contacts', '', "The Base URL doesn't lead to the API"],
	['403', 'chat', 'model', 'Access denied or message credits used up'],
	['400', 'contacts', 'model', 'The service rejected the contact data'],
	['400', 'contacts', 'Maximum contacts limit reached', 'The plan has no room for more contacts'],
	['400', 'contacts', 'Contact limit exceeded', 'The plan has no room for more contacts'],
	['400', 'contacts', 'Contact: name has a limit', 'The service rejected the contact data'],
])('%s for %s, “%s”: %s', (outcome, resource, message, title) => {
	expect(titleOf(outcome, resource, message)).toBe(title);
});

it.each<ApiResource>(['contacts', 'customAttributes'])(
	'a refused read mentions no data: %s',
	(resource) => {
		expect(titleOf('400', resource, '', 'GET')).toBe('The service rejected the request');
	},
);
