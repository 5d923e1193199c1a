import { NodeApiError } from 'n8n-workflow';

import type { ErrorText, Outcome, ApiResource } from '../../../nodes/Chatbase/api/errorTexts';
import { errorTexts, textFor } from '../../../nodes/Chatbase/api/errorTexts';
import { node } from './node';

const texts = Object.entries(errorTexts).flatMap(([outcome, bySubject]) =>
	Object.entries(bySubject).map(
		([subject, { title, nextStep, setting }]: [string, ErrorText]) =>
			[`${outcome}, ${subject}`, title, `${nextStep} ${setting?.hint ?? ''}`.trim()] as const,
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

/** Each pair of outcome and subject that has words of its own, and the title that follows. */
const paths = {
	list: '/chatbots/bot/contacts',
	contact: '/chatbots/bot/contacts/id',
	attribute: '/chatbots/bot/custom-attributes/plan',
	chatbots: '/get-chatbots',
};

it.each<[Outcome, ApiResource, keyof typeof paths, string, string]>([
	['400', 'contact', 'list', '', 'The service did not accept the contact data'],
	['400', 'chat', 'list', '', 'The service did not accept the message'],
	['400', 'customAttribute', 'list', '', 'The service did not accept the custom attribute'],
	['400', 'lead', 'list', '', 'The service did not accept the request'],
	['401', 'contact', 'contact', '', 'The API key is not accepted'],
	['403', 'chat', 'list', '', 'Access denied or message credits used up'],
	['403', 'contact', 'contact', '', 'Access denied or quota used up'],
	['404', 'contact', 'contact', '', 'Contact or chatbot not found'],
	['404', 'contact', 'contact', 'Contact not found', 'Contact not found'],
	['404', 'contact', 'contact', 'No such CONTACT in chatbot', 'Contact not found'],
	['404', 'contact', 'contact', 'Chatbot not found', 'Chatbot not found'],
	// A list names no contact that could be missing.
	['404', 'contact', 'list', 'No contact of this chatbot found', 'Chatbot not found'],
	['404', 'customAttribute', 'attribute', '', 'Custom attribute or chatbot not found'],
	['404', 'customAttribute', 'attribute', 'Attribute missing', 'Custom attribute not found'],
	['404', 'chat', 'list', '', 'Chatbot not found'],
	['404', 'chatbot', 'chatbots', 'Not found', 'Nothing is found at this address'],
	['409', 'contact', 'list', '', 'The email is taken by another contact'],
	['409', 'contact', 'list', 'external_id is taken', 'The External ID is taken by another contact'],
	['409', 'customAttribute', 'list', '', 'It exists already'],
	['429', 'chat', 'list', '', 'The service is still receiving too many requests'],
	['5xx', 'lead', 'list', '', 'The service cannot answer at the moment'],
])('%s for %s, path of %s, “%s”: %s', (outcome, subject, path, message, title) => {
	expect(textFor(outcome, subject, { method: 'POST', path: paths[path] }, message).title).toBe(
		title,
	);
});

it.each<ApiResource>(['contact', 'customAttribute'])(
	'a refused read is about no data: %s',
	(subject) => {
		const { title } = textFor('400', subject, { method: 'GET', path: paths.list }, '');
		expect(title).toBe('The service did not accept the request');
	},
);

describe('a model that is refused', () => {
	const textOf = (outcome: Outcome, subject: ApiResource, words: string) =>
		textFor(outcome, subject, { method: 'POST', path: '/chat' }, words).title;

	it.each([
		'model: Invalid option',
		'Invalid input parameters body.model: Required',
		'No such Model',
	])('is told by the words of the service: %s', (words) => {
		for (const subject of ['chat', 'chatbotSettings'] as const) {
			expect(textOf('400', subject, words)).toBe('The service does not accept this model');
		}
	});

	it('is not meant by other words, statuses and subjects', () => {
		const other = [
			textOf('400', 'chat', 'remodelled: Too long'),
			textOf('403', 'chat', 'model'),
			textOf('400', 'contact', 'model'),
		];
		expect(other).not.toContain('The service does not accept this model');
	});
});
