import fc from 'fast-check';

import {
	colour,
	commaSeparated,
	count,
	filledText,
	isBlank,
	oneOf,
	share,
	text,
	texts,
	truth,
} from '../../../nodes/Chatbase/fields/kinds';

describe('each kind', () => {
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
	[count, 0, 0],
	[count, ' 12 ', 12],
	[count, '', undefined],
	[count, -1, undefined],
	[count, 1.5, undefined],
	[count, 2 ** 53, undefined],
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
