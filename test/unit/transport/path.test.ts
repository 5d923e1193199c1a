import fc from 'fast-check';

import { fillPath } from '../../../nodes/Chatbase/transport/path';
import { node } from './node';

const template = '/chatbots/{chatbotId}/contacts/{contactId}';

it('keeps every value within its segment', () => {
	const value = fc
		.string({ unit: 'binary' })
		.filter((text) => Buffer.from(text).toString() === text && !/^\.{0,2}$/.test(text));
	fc.assert(
		fc.property(value, value, (chatbotId, contactId) => {
			const path = fillPath(node, template, { chatbotId, contactId });
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
	expect(fillPath(node, template, { chatbotId: '{contactId}', contactId: '$&' })).toBe(
		'/chatbots/%7BcontactId%7D/contacts/%24%26',
	);
});

it('refuses half a character', () => {
	const half = { chatbotId: '\ud83d', contactId: 'a' };
	expect(() => fillPath(node, template, half)).toThrow('An ID holds text that cannot be sent');
});
