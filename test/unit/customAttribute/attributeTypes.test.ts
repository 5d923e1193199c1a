import {
	type AttributeType,
	convert,
} from '../../../nodes/Chatbase/resources/customAttribute/attributeTypes';
import type { TextFormat } from '../../../nodes/Chatbase/values/textFormat';

describe('a value becomes the type of its attribute', () => {
	it.each<[AttributeType, unknown, unknown, TextFormat?]>([
		['boolean', 'Yes', true],
		['boolean', 'off', false],
		['boolean', 1, true],
		['boolean', '0', false],
		['number', ' 12.5 ', 12.5],
		['number', '1.234', 1.234],
		['number', '1.234', 1234, 'dayComma'],
		['date', '2026-09-01', '2026-09-01'],
		['date', ' 2026-09-01T08:30:00.5+02:00', '2026-09-01T08:30:00.5+02:00'],
		['date', '2024-03-12 13:14:05+00', '2024-03-12 13:14:05+00:00'],
		['date', '31.12.2026', '2026-12-31', 'dayComma'],
		['date', 46205, '2026-07-02'],
		['date', 46205.5, '2026-07-02T12:00:00'],
		['date', new Date(0), '1970-01-01T00:00:00.000Z'],
		['text', 5, '5'],
		['text', true, 'true'],
		['text', '0012345678901234', '0012345678901234'],
	])('%s: %j becomes %j', (type, value, converted, format = 'iso') => {
		expect(convert(value, type, format)).toMatchObject({ value: converted });
	});
});

describe('a value that would be guessed or cut is refused', () => {
	it.each<[AttributeType, unknown, TextFormat?]>([
		['boolean', 'ja'],
		['boolean', 2],
		['number', '1,5'],
		['number', '1.23', 'dayComma'],
		['number', '12345678901234567'],
		['number', Number.NaN],
		['date', '31.12.2026'],
		['date', '30.02.2026', 'dayComma'],
		['date', '2026-02-30'],
		['date', '2024-03-12 13:14:05+0'],
		['date', 2026],
		['date', 80_001],
		['date', new Date(Number.NaN)],
		['text', {}],
		['text', 12345678901234567],
	])('%s: %j', (type, value, format = 'iso') => {
		expect(convert(value, type, format)).toHaveProperty('expected');
	});
});
