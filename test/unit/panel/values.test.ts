import fc from 'fast-check';

import { isBlank } from '../../../nodes/Chatbase/values/json';
import {
	boolean,
	color,
	commaSeparated,
	describeValue,
	filledText,
	fraction,
	isJson,
	oneOf,
	stringList,
	text,
	wholeNumber,
} from '../../../nodes/Chatbase/panel/types';

describe('each value type', () => {
	const count = wholeNumber(0);
	const kinds = { boolean, color, commaSeparated, count, filledText, fraction, text, stringList };

	it.each(Object.entries(kinds))('%s accepts or refuses any value without throwing', (_, kind) => {
		fc.assert(fc.property(fc.anything(), (value) => void kind.read(value)));
	});

	it.each(Object.entries(kinds))('%s reads its result unchanged', (_, kind) => {
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
	[stringList, [], []],
	[stringList, ['a', 1], ['a', '1']],
	[stringList, ['a', ' '], undefined],
	[stringList, 'a\r\n\n b', ['a', ' b']],
	[stringList, { 0: 'a' }, undefined],
	[commaSeparated, ' a , ,b', ['a', 'b']],
	[commaSeparated, ['a,b', 'c'], ['a', 'b', 'c']],
	[commaSeparated, [{}], undefined],
	[boolean, ' True', true],
	[boolean, false, false],
	[boolean, 1, true],
	[boolean, 0, false],
	[boolean, ' YES', true],
	[boolean, '1', true],
	[boolean, 'ON', true],
	[boolean, 'False', false],
	[boolean, '0', false],
	[boolean, 'no', false],
	[boolean, 'off', false],
	[boolean, '', false],
	[boolean, 'maybe', undefined],
	[boolean, 2, undefined],
	[boolean, {}, undefined],
	[boolean, [], undefined],
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
	[fraction, '0.25', 0.25],
	[fraction, 1, 1],
	[fraction, 1.0000001, undefined],
	[fraction, NaN, undefined],
	[fraction, null, undefined],
	[color, '#fff', '#fff'],
	[color, '#FFFFFF', '#FFFFFF'],
	[color, 'fff', undefined],
	[color, '#ffff', undefined],
	[color, '#ffffffff', undefined],
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

it.each([1, 'text', null, {}])('reads no text, and can be JSON, when toJSON is %j', (toJSON) => {
	expect(text.read({ toJSON })).toBeUndefined();
	expect(isJson({ toJSON })).toBe(true);
});

it('quotes 100 characters when a value has 1 MB', () => {
	const value = 'x'.repeat(1_000_000);
	expect(describeValue(value)).toBe(`the text "${value.slice(0, 100)} …"`);
});
