import * as fc from 'fast-check';

import type { AttributeType } from '../../../nodes/Chatbase/resources/customAttribute/attributeTypes';
import type { TextFormat } from '../../../nodes/Chatbase/values/textFormat';
import { convert } from '../../../nodes/Chatbase/resources/customAttribute/attributeTypes';

it.each<[AttributeType, unknown, unknown]>([
	['number', 5, 5],
	['number', ' 5.50 ', 5.5],
	['number', '0', 0],
	['number', Number.MAX_SAFE_INTEGER, 9007199254740991],
	['number', '9007199254740992', 9007199254740992],
	['boolean', false, false],
	['boolean', 'False', false],
	['boolean', 1, true],
	['boolean', 'Yes', true],
	['boolean', ' off ', false],
	['date', '2026-09-01', '2026-09-01'],
	['date', '2026-09-01T08:30:00', '2026-09-01T08:30:00'],
	['date', '2024-03-12 13:14:05+00', '2024-03-12 13:14:05+00:00'],
	['date', 2200, '1906-01-08'],
	['date', 80_000, '2119-01-11'],
	['date', new Date('2026-09-01T08:30:00Z'), '2026-09-01T08:30:00.000Z'],
	['date', { valueOf: () => Date.UTC(2026, 8, 1) }, '2026-09-01T00:00:00.000Z'],
	['text', 42, '42'],
	['text', false, 'false'],
	['text', ' kept as it is ', ' kept as it is '],
])('reads %s from %p', (type, value, expected) => {
	expect(convert(value, type)).toMatchObject({ value: expected });
});

it.each<[AttributeType, unknown]>([
	['number', 'five'],
	['number', ' '],
	['number', NaN],
	['number', Infinity],
	['number', true],
	['number', [5]],
	// 17 digits: JavaScript changes the last one.
	['number', JSON.parse('12345678901234567')],
	['number', '12345678901234567'],
	['number', Number.MIN_SAFE_INTEGER - 1],
	['boolean', 'maybe'],
	['boolean', 2],
	['date', 'tomorrow'],
	['date', '2026-02-30'],
	['date', '2026-09-01T25:00:00Z'],
	['date', 1_700_000_000],
	['date', 2026],
	['date', 80_001],
	['date', '2024-03-12 13:14:05+0'],
	['boolean', 'ja'],
	['date', new Date(NaN)],
	['text', { a: 1 }],
	['text', ['a']],
	['text', NaN],
])('says what %s needs when the value is %p', (type, value) => {
	expect(convert(value, type)).toEqual({
		expected: { form: expect.any(String), one: expect.any(String), many: expect.any(String) },
	});
});

it('reads a number unchanged', () => {
	const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(finite, (number) => {
			const isKept = !Number.isInteger(number) || Number.isSafeInteger(number);
			expect(convert(number, 'number')).toMatchObject(
				isKept ? { value: number } : { expected: { form: 'a number of at most 15 digits' } },
			);
			expect(convert(String(number), 'number')).toMatchObject({ value: Number(String(number)) });
		}),
	);
});

it.each<[AttributeType, unknown, TextFormat, object]>([
	['number', '1.234,50', 'dayComma', { value: 1234.5, isReread: true }],
	['number', '1.234', 'dayComma', { value: 1234, isReread: true }],
	['number', '1.234', 'iso', { value: 1.234, isReread: false }],
	['number', '1.234', 'dayPoint', { value: 1.234 }],
	['number', 1.234, 'dayComma', { value: 1.234 }],
	['number', '12', 'dayComma', { value: 12 }],
	['date', '31/12/2026', 'dayPoint', { value: '2026-12-31', isReread: true }],
	['date', '2026-12-31', 'monthPoint', { value: '2026-12-31' }],
	['date', 46205, 'iso', { value: '2026-07-02', isReread: true }],
	['date', 46205.25, 'dayPoint', { value: '2026-07-02T06:00:00', isReread: true }],
	['text', '31/12/2026', 'dayPoint', { value: '31/12/2026' }],
	['text', '1.234,50', 'dayComma', { value: '1.234,50' }],
	['boolean', 'yes', 'dayComma', { value: true }],
])('reads %s from %p, written as %s', (type, value, format, converted) => {
	expect(convert(value, type, format)).toMatchObject(converted);
});

it.each<[AttributeType, string, TextFormat]>([
	['number', '1,234.50', 'dayComma'],
	['number', '123.456.789.012.345.678', 'dayComma'],
	['date', '31/12/2026', 'monthPoint'],
	['date', '46205', 'dayPoint'],
])('refuses %s from %p, written as %s', (type, value, format) => {
	expect(convert(value, type, format)).toHaveProperty('expected');
});

it('throws for no value', () => {
	const types = fc.constantFrom<AttributeType[]>('text', 'number', 'boolean', 'date');
	fc.assert(
		fc.property(fc.anything({ withDate: true, withNullPrototype: true }), types, (value, type) => {
			fc.pre(value !== null && value !== undefined && value !== '');
			const converted = convert(value, type);
			expect('value' in converted || 'expected' in converted).toBe(true);
		}),
	);
});
