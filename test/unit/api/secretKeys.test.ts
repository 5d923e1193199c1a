/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';

import { redact, SecretKeys } from '../../../nodes/Chatbase/api/secretKeys';

const ring = (keys: string[]) => {
	const all = new SecretKeys();
	keys.forEach((key) => all.add(key));
	return all;
};

const codeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The ways in which a character of a key can stand in JSON, or in JSON within JSON. */
const ways: Array<(character: string) => string> = [
	(character) => character,
	(character) => `\\${character}`,
	codeOf,
	(character) => codeOf(character).toUpperCase().replace('\\U', '\\u'),
];

it('hides each key of a run, however JSON writes its characters', () => {
	const key = fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom(...'ab-/.$k0') });
	const around = fc.string({ unit: fc.constantFrom(...'xyz "\\{}u0041') });
	const way = fc.array(fc.nat(ways.length - 1), { minLength: 12, maxLength: 12 });
	fc.assert(
		fc.property(
			fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
			around,
			way,
			(keys, text, chosen) => {
				const [first] = keys;
				const written = [...first].map((character, index) => ways[chosen[index]](character));
				const quoted = `${text}${written.join('')}${text}`;
				const hidden = ring(keys).hideIn(quoted);
				expect(redact(hidden, first)).toBe(hidden);
				expect(hidden).not.toBe(quoted);
			},
		),
	);
});

it('leaves text without a key as it is', () => {
	const text = 'Contact c-1: "name" is \\u0041da \\"x\\"';
	expect(ring(['key-1', 'another-key']).hideIn(text)).toBe(text);
	expect(ring([]).hideIn(text)).toBe(text);
	expect(ring(['']).hideIn(text)).toBe(text);
});

it('hides one of 2,000 keys in 2,000 texts within seconds of work', () => {
	const keys = Array.from({ length: 2000 }, (_, number) =>
		`key-${number}-${'x'.repeat(30)}`.slice(0, 30),
	);
	const all = ring(keys);
	const start = process.cpuUsage();
	for (const key of keys) {
		const text = `${'The service says: no. '.repeat(15)}${key}`;
		expect(all.hideIn(text)).toContain('[API key]');
	}
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000);
});
