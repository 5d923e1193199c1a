import fc from 'fast-check';

import { redact, SecretKeys } from '../../../nodes/Chatbase/api/secretKeys';

const ring = (keys: string[]) => {
	const all = new SecretKeys();
	keys.forEach((key) => all.add(key));
	return all;
};

it('hides each key of a run, as it is and as JSON has it', () => {
	const key = fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom(...'ab-/.$"\\k0') });
	const around = fc.string({ unit: fc.constantFrom(...'xyz {}u41') });
	fc.assert(
		fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), around, (keys, text) => {
			const [first] = keys;
			for (const written of [first, JSON.stringify({ text: first })]) {
				const hidden = ring(keys).hideIn(`${text}${written}${text}`);
				expect(hidden).not.toContain(first);
				expect(hidden).not.toContain(JSON.stringify(first).slice(1, -1));
			}
		}),
	);
});

it('leaves text without a key as it is', () => {
	const text = 'Contact c-1: "name" is \\u0041da \\"x\\"';
	expect(ring(['key-1', 'another-key']).hideIn(text)).toBe(text);
	expect(ring(['']).hideIn(text)).toBe(text);
	expect(redact(text, '')).toBe(text);
});
