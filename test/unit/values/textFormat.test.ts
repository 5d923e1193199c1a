import * as fc from 'fast-check';
import { assert, property } from 'fast-check';

import {
	excelDate,
	isoDateIn,
	plainNumberIn,
	type TextFormat,
	textFormats,
} from '../../../nodes/Chatbase/values/textFormat';
import { isIsoDate } from '../../../nodes/Chatbase/values/time';

type WrittenFormat = Exclude<TextFormat, 'iso'>;

const written = fc.constantFrom<WrittenFormat>('dayPoint', 'dayComma', 'monthPoint');
const locales = { dayPoint: 'en-GB', dayComma: 'de-DE', monthPoint: 'en-US' };

const day = fc.date({
	min: new Date('1000-01-01'),
	max: new Date('9999-12-31'),
	noInvalidDate: true,
});

it('reads every number as its locale writes it', () => {
	const number = fc
		.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 999 }))
		.map(([whole, part]) => Number(`${whole}.${part}`));
	assert(
		property(number, written, fc.boolean(), (value, format, useGrouping) => {
			const text = value.toLocaleString(locales[format], { useGrouping, maximumFractionDigits: 3 });
			expect(Number(plainNumberIn(text, format))).toBe(value);
		}),
	);
});

it('reads every day as its locale writes it', () => {
	assert(
		property(day, written, (date, format) => {
			const text = date.toLocaleDateString(locales[format], { timeZone: 'UTC' });
			expect(isoDateIn(text, format)).toBe(date.toISOString().slice(0, 10));
		}),
	);
});

it.each<[string, TextFormat, string]>([
	['31-12-2026', 'dayPoint', '2026-12-31'],
	['1.2.2026', 'dayPoint', '2026-02-01'],
	['31/12/2026', 'dayComma', '2026-12-31'],
	['31/12/2026 08:30', 'dayPoint', '2026-12-31T08:30:00'],
	['31/12/2026, 8:30:15', 'dayPoint', '2026-12-31T08:30:15'],
	[' 12/31/2026 8:05 PM ', 'monthPoint', '2026-12-31T20:05:00'],
	['12/31/2026 12:05 am', 'monthPoint', '2026-12-31T00:05:00'],
	['12/31/2026 12:05 PM', 'monthPoint', '2026-12-31T12:05:00'],
])('reads %j in %s as %s', (text, format, date) => {
	expect(isoDateIn(text, format)).toBe(date);
});

it.each<[string, TextFormat]>([
	['31/12/2026', 'monthPoint'],
	['12/31/2026', 'dayPoint'],
	['30/02/2026', 'dayPoint'],
	['31/12/26', 'dayPoint'],
	['31/12-2026', 'dayPoint'],
	['31 12 2026', 'dayPoint'],
	['31/12/2026 25:00', 'dayPoint'],
	['31/12/2026 08:60', 'dayPoint'],
	['31/12/2026 13:00 PM', 'dayPoint'],
	['31/12/2026 0:00 AM', 'dayPoint'],
	['31/12/2026Z', 'dayPoint'],
	['31/12/2026', 'iso'],
	['', 'dayPoint'],
])('finds no date in %j as %s', (text, format) => {
	const date = isoDateIn(text, format);
	expect(date !== undefined && isIsoDate(date)).toBe(false);
});

it.each<[string, TextFormat, string | undefined]>([
	['1,234.50', 'dayPoint', '1234.50'],
	['1234.50', 'monthPoint', '1234.50'],
	['1.234,50', 'dayComma', '1234.50'],
	['1 234,50', 'dayComma', '1234.50'],
	['1\u00a0234\u202f567,5', 'dayComma', '1234567.5'],
	['+1.000', 'dayComma', '+1000'],
	['1.23', 'dayComma', undefined],
	['1.2345', 'dayComma', undefined],
	['1,23', 'dayPoint', undefined],
	['12,34,567', 'dayPoint', undefined],
	['1,234,56', 'dayPoint', undefined],
	['1.234.50', 'dayPoint', undefined],
	[',234', 'dayPoint', undefined],
	['1e5', 'dayPoint', undefined],
	['€ 5', 'dayPoint', undefined],
	['', 'dayPoint', undefined],
	[' 1e5 ', 'iso', '1e5'],
])('makes of %j in %s %j', (text, format, number) => {
	expect(plainNumberIn(text, format)).toBe(number);
});

it('takes long texts apart in time that grows with their length', () => {
	const text = `${'1'.repeat(50_000)},`;
	const start = performance.now();
	for (const format of textFormats) {
		plainNumberIn(text, format);
		isoDateIn(text, format);
		plainNumberIn(`1${',111'.repeat(20_000)}x`, format);
	}
	expect(performance.now() - start).toBeLessThan(1000);
});

it('has a day for each number of Excel from 2,200 to 80,000, and a second for each fraction', () => {
	const start = Date.UTC(1899, 11, 30);
	assert(
		property(
			fc.integer({ min: 2200, max: 79_999 }),
			fc.integer({ min: 1, max: 86_399 }),
			(n, s) => {
				const instant = new Date(start + n * 86_400_000);
				expect(excelDate(n)).toBe(instant.toISOString().slice(0, 10));
				const time = new Date(instant.getTime() + s * 1000);
				expect(`${excelDate(n + s / 86_400)}.000Z`).toBe(time.toISOString());
			},
		),
	);
	for (const none of [NaN, Infinity, -1, 0, 2026, 2199.99, 80_000.01, 1e9]) {
		expect(excelDate(none)).toBeUndefined();
	}
});
