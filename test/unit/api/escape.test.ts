import fc from 'fast-check';

import { escapeHtml, unescapeHtml } from '../../../nodes/Chatbase/api/errors';

it('escapes and unescapes text without a loss', () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'amp;', '#39;', 'lt;') }),
	);
	fc.assert(
		fc.property(text, (given) => {
			const escaped = escapeHtml(given);
			expect(escaped).not.toMatch(/[<>"']/);
			expect(unescapeHtml(escaped)).toBe(given);
		}),
	);
});
