import fc from 'fast-check';

import { fillPath } from '../../../nodes/Chatbase/api/request';
import { isPathSegment } from '../../../nodes/Chatbase/values/text';
import { unicodeText } from '../unicode';

const template = '/chatbots/{chatbotId}/contacts/{contactId}';

it('keeps every value within its segment', () => {
	const value = unicodeText.filter(
		(text) => Buffer.from(text).toString() === text && isPathSegment(text),
	);
	fc.assert(
		fc.property(value, value, (chatbotId, contactId) => {
			const path = fillPath(template, { chatbotId, contactId });
			const { pathname, search, hash, host } = new URL(`http://host${path}`);
			expect({ search, hash, host }).toEqual({ search: '', hash: '', host: 'host' });
			expect(pathname.split('/').map(decodeURIComponent)).toEqual([
				'',
				'chatbots',
				chatbotId,
				'contacts',
				contactId,
			]);
		}),
	);
});

it('encodes a value that looks like a placeholder', () => {
	expect(fillPath(template, { chatbotId: '{contactId}', contactId: '$&' })).toBe(
		'/chatbots/%7BcontactId%7D/contacts/%24%26',
	);
});

const readAsOther = [
	'',
	' ',
	'.',
	'..',
	' ..',
	'..\n',
	'\u00a0.',
	'\ufeff..',
	'\u0085..',
	'\u200b',
	'%2e',
	'%2E.',
	'%20',
	'%0a..',
];

it.each([...readAsOther, '\ud83d'])('refuses %j, whoever asks', (text) => {
	expect(isPathSegment(text)).toBe(false);
	expect(() => fillPath(template, { chatbotId: 'bot', contactId: text })).toThrow(
		'An ID of the request cannot be part of its path',
	);
});

it('refuses a path without one of its values', () => {
	expect(() => fillPath(template, { chatbotId: 'bot' })).toThrow(
		'An ID of the request cannot be part of its path',
	);
});

it('accepts any other value', () => {
	fc.assert(
		fc.property(unicodeText, (text) => {
			fc.pre(isPathSegment(text));
			expect(() => fillPath(template, { chatbotId: text, contactId: text })).not.toThrow();
		}),
	);
	for (const text of ['...', ' a', '..a ', '%2', '%zz', '%2e%2e%2e']) {
		expect(isPathSegment(text)).toBe(true);
	}
});
