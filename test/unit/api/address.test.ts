import fc from 'fast-check';

import { fillPath, isPathSegment } from '../../../nodes/Chatbase/api/request';
import { unicodeText } from '../unicode';

const template = '/chatbots/{chatbotId}/contacts/{contactId}';

it('keeps every value within its segment', () => {
	const value = unicodeText.filter(
		(text) => Buffer.from(text).toString() === text && !/^\.{0,2}$/.test(text),
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

it.each(['', ' ', '.', '..', '\ud83d'])('refuses %j', (text) => {
	expect(isPathSegment(text)).toBe(false);
});

it('accepts any other value', () => {
	fc.assert(
		fc.property(unicodeText, (text) => {
			fc.pre(isPathSegment(text));
			expect(() => fillPath(template, { chatbotId: text, contactId: text })).not.toThrow();
		}),
	);
	for (const text of ['...', ' .', '.. ']) expect(isPathSegment(text)).toBe(true);
});
