import { NodeApiError } from 'n8n-workflow';

import type { Outcome, Subject } from '../../../nodes/Chatbase/transport/errorTexts';
import { errorTexts, outcomeOf, textFor } from '../../../nodes/Chatbase/transport/errorTexts';
import { node } from './node';

const texts = Object.entries(errorTexts).flatMap(([outcome, bySubject]) =>
	Object.entries(bySubject).map(
		([subject, text]) => [`${outcome}, ${subject}`, text.title, text.nextStep] as const,
	),
);

describe.each(texts)('%s', (_, title, nextStep) => {
	it('has a title that n8n leaves alone', () => {
		expect(new NodeApiError(node, {}, { message: title }).message).toBe(title);
	});

	it('says what happened in short, and what to do next in sentences', () => {
		expect(title).toMatch(/^[A-Z][^.!?]{5,80}$/);
		expect(nextStep).toMatch(/^[A-Z].*\.$/);
	});

	it('uses no word that the guidelines of n8n advise against', () => {
		expect(`${title} ${nextStep}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
	});

	it('can stand in a table and in HTML', () => {
		expect(`${title} ${nextStep}`).not.toMatch(/[|<>\n]/);
	});
});

it.each<[number, Outcome]>([
	[300, 'redirect'],
	[304, 'redirect'],
	[308, 'redirect'],
	[400, '400'],
	[401, '401'],
	[402, '4xx'],
	[403, '403'],
	[404, '404'],
	[405, '4xx'],
	[409, '409'],
	[413, '413'],
	[422, '4xx'],
	[429, '429'],
	[431, '4xx'],
	[499, '4xx'],
	[500, '5xx'],
	[503, '5xx'],
	[599, '5xx'],
])('status %d is %s', (status, outcome) => {
	expect(outcomeOf(status)).toBe(outcome);
});

/** Each pair of outcome and subject that has words of its own, and the title that follows. */
it.each<[Outcome, Subject, string, string]>([
	['400', 'contact', '', 'The service did not accept the contact data'],
	['400', 'chat', '', 'The service did not accept the message'],
	['400', 'customAttribute', '', 'The service did not accept the custom attribute'],
	['400', 'lead', '', 'The service did not accept the request'],
	['401', 'contact', '', 'The API key is not accepted'],
	['403', 'chat', '', 'Access denied or message credits used up'],
	['403', 'contact', '', 'Access denied or quota used up'],
	['404', 'contact', '', 'Contact or chatbot not found'],
	['404', 'contact', 'Contact not found', 'Contact not found'],
	['404', 'contact', 'No such CONTACT in chatbot', 'Contact not found'],
	['404', 'contact', 'Chatbot not found', 'Chatbot not found'],
	['404', 'customAttribute', '', 'Custom attribute or chatbot not found'],
	['404', 'customAttribute', 'Attribute missing', 'Custom attribute not found'],
	['404', 'chat', '', 'Chatbot not found'],
	['409', 'contact', '', 'The e-mail address is taken by another contact'],
	['409', 'customAttribute', '', 'It exists already'],
	['429', 'chat', '', 'The service is still receiving too many requests'],
	['5xx', 'lead', '', 'The service cannot answer at the moment'],
])('%s for %s, “%s”: %s', (outcome, subject, message, title) => {
	expect(textFor(outcome, subject, message).title).toBe(title);
});
