import fc from 'fast-check';

import { clean, cleanAddress, normalizeEmail } from '../../../nodes/Chatbase/values/clean';
import { unicodeText } from '../unicode';

describe('clean', () => {
	it.each([
		['spaces around it', ' \u00A0\t7001\r\n', '7001'],
		['invisible characters', '\uFEFF\u202A70\u200B01\u00AD\u202C', '7001'],
		['control characters', '70\u000001\u0085\u007F', '7001'],
		['letters in parts', 'Jose\u0301', 'Jos\u00E9'],
		['letters whose parts an invisible character divides', 'Jose\u200D\u0301', 'Jos\u00E9'],
		['an apostrophe before digits', "'00123", '00123'],
		['an apostrophe before a number with +', "'+4520550188", '+4520550188'],
		['="…" around it', '="00123"', '00123'],
		['="…" around nothing', '=""', ''],
		['all of them, one in the other', ' ="\u200B\'00123 "\n', '00123'],
		['an apostrophe that shows only when the rest is gone', "'\u202A700 ", '700'],
		['only spaces', ' \u00A0', ''],
		['only invisible characters', '\u200B', ''],
	])('removes %s', (_, text, cleaned) => {
		expect(clean(text)).toBe(cleaned);
	});

	it.each([
		'',
		'C-1001',
		'Ada Lovelace',
		'ada@x.example',
		"'70a",
		"''7",
		"7'1",
		"'",
		"'7 0",
		"'7.5",
		'="7',
		'="a" & "b"',
		'=7',
		'70\u201101',
		'\uD83D\uDC68',
		'e\u0301'.normalize('NFC'),
	])('leaves %j as it is', (text) => {
		expect(clean(text)).toBe(text);
	});

	it('changes nothing the second time', () => {
		const piece = fc.constantFrom("'", '="', '"', '+', '7', ' ', '\u200B', '\n', '\u0301', 'e');
		const pieces = fc.array(piece).map((parts) => parts.join(''));
		fc.assert(
			fc.property(fc.oneof(unicodeText, pieces), (text) => {
				expect(clean(clean(text))).toBe(clean(text));
			}),
		);
	});
});

it('an email or a phone number also gets plain hyphens', () => {
	expect(cleanAddress('\u202A+44\u00A020 7946\u20110001\u202C')).toBe('+44\u00A020 7946-0001');
	expect(cleanAddress("'+4520\u201155")).toBe("'+4520-55");
	expect(cleanAddress("'+442079460001")).toBe('+442079460001');
});

it.each([
	[' Ada@X.example\u200B', 'ada@x.example'],
	['', undefined],
	['\u200B ', undefined],
	[undefined, undefined],
	[5, undefined],
])('emails are compared in lower case and cleaned: %j', (email, normalized) => {
	expect(normalizeEmail(email)).toBe(normalized);
});
