import fc from 'fast-check';

import { fillPath, isPathSegment } from '../../../nodes/Chatbase/api/address';

const template = '/chatbots/{chatbotId}/contacts/{contactId}';

it('keeps every value within its segment', () => {
	const value = fc
		.string({ unit: 'binary' })
		.filter((text) => Buffer.from(text).toString() === text && !/^\.{0,2}$/.test(text));
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

it('takes a value that looks like a placeholder for what it is', () => {
	expect(fillPath(template, { chatbotId: '{contactId}', contactId: '$&' })).toBe(
		'/chatbots/%7BcontactId%7D/contacts/%24%26',
	);
});

it.each(['', ' ', '.', '..', '\ud83d'])('has no place for %j', (text) => {
	expect(isPathSegment(text)).toBe(false);
});

it('has a place for whatever else a path can be made of', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			fc.pre(isPathSegment(text));
			expect(() => fillPath(template, { chatbotId: text, contactId: text })).not.toThrow();
		}),
	);
	for (const text of ['...', ' .', '.. ']) expect(isPathSegment(text)).toBe(true);
});
