import fc from 'fast-check';

import { escapeHtml, unescapeHtml } from '../../../nodes/Chatbase/values/text';
import { unicodeText } from '../unicode';

it('leaves quotes readable', () => {
	expect(escapeHtml(`"C-1" isn't < & >`)).toBe(`"C-1" isn't &lt; &amp; &gt;`);
});

it('escapes and unescapes text without a loss', () => {
	const text = fc.oneof(
		unicodeText,
		fc.string({ unit: fc.constantFrom('&', '<', '>', 'amp;', 'quot;', 'lt;') }),
	);
	fc.assert(
		fc.property(text, (given) => {
			const escaped = escapeHtml(given);
			expect(escaped).not.toMatch(/[<>]/);
			expect(unescapeHtml(escaped)).toBe(given);
		}),
	);
});
