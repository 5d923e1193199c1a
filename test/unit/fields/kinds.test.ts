import fc from 'fast-check';

import {
	colour,
	commaSeparated,
	filledText,
	isBlank,
	oneOf,
	share,
	text,
	texts,
	truth,
	wholeNumber,
} from '../../../nodes/Chatbase/fields/kinds';

describe('each kind', () => {
	const count = wholeNumber(0);
	const kinds = { colour, commaSeparated, count, filledText, share, text, texts, truth };

	it.each(Object.entries(kinds))('%s takes or leaves any value without throwing', (_, kind) => {
		fc.assert(fc.property(fc.anything(), (value) => void kind.read(value)));
	});

	it.each(Object.entries(kinds))('%s takes what it has read as it is', (_, kind) => {
		fc.assert(
			fc.property(fc.oneof(fc.jsonValue(), fc.double()), (value) => {
				const read = kind.read(value);
				if (read !== undefined) expect(kind.read(read)).toEqual(read);
			}),
		);
	});
});

it.each([
	[text, 'a', 'a'],
	[text, '', ''],
	[text, 4.5, '4.5'],
	[text, NaN, undefined],
	[text, true, undefined],
	[filledText, ' ', undefined],
	[filledText, ' a ', ' a '],
	[texts, [], []],
	[texts, ['a', 1], ['a', '1']],
	[texts, ['a', ' '], undefined],
	[texts, 'a\r\n\n b', ['a', ' b']],
	[texts, { 0: 'a' }, undefined],
	[commaSeparated, ' a , ,b', ['a', 'b']],
	[commaSeparated, ['a,b', 'c'], ['a', 'b', 'c']],
	[commaSeparated, [{}], undefined],
	[truth, ' True', true],
	[truth, false, false],
	[truth, 0, undefined],
	[truth, '', undefined],
	[wholeNumber(0), 0, 0],
	[wholeNumber(0), ' 12 ', 12],
	[wholeNumber(0), '', undefined],
	[wholeNumber(0), -1, undefined],
	[wholeNumber(0), 1.5, undefined],
	[wholeNumber(0), 2 ** 53, undefined],
	[wholeNumber(10, 1000), 10, 10],
	[wholeNumber(10, 1000), '1000', 1000],
	[wholeNumber(10, 1000), 9, undefined],
	[wholeNumber(10, 1000), 1001, undefined],
	[wholeNumber(1), Infinity, undefined],
	[share, '0.25', 0.25],
	[share, 1, 1],
	[share, 1.0000001, undefined],
	[share, NaN, undefined],
	[share, null, undefined],
	[colour, '#fff', '#fff'],
	[colour, '#FFFFFF', '#FFFFFF'],
	[colour, 'fff', undefined],
	[colour, '#ffff', undefined],
	[colour, '#ffffffff', undefined],
	[oneOf('left', 'right'), 'left', 'left'],
	[oneOf('left', 'right'), 'Left', undefined],
] as const)('%#: %p reads %p as %p', (kind, value, expected) => {
	expect(kind.read(value)).toEqual(expected);
});

it('names the range as a sentence would', () => {
	expect(wholeNumber(1).expected).toBe('a whole number, 1 or more');
	expect(wholeNumber(1, 100).expected).toBe('a whole number from 1 to 100');
});

it('names the choices as a sentence would', () => {
	expect(oneOf('a', 'b', 'c').expected).toBe('a, b or c');
});

it.each([
	[undefined, true],
	[null, true],
	[' \n', true],
	[[], true],
	[['', null], true],
	[0, false],
	[false, false],
	[['a', ''], false],
	[{}, false],
])('finds %p blank: %p', (value, expected) => expect(isBlank(value)).toBe(expected));
