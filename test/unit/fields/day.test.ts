import fc from 'fast-check';

import { readDay } from '../../../nodes/Chatbase/fields/time';

const instant = '2026-07-04T18:00:00Z';

it.each([
	['2026-07-04', 'Asia/Tokyo', '2026-07-04'],
	['2026-07-04T23:59:59', 'America/New_York', '2026-07-04'],
	[' 2026-07-04 00:00 ', 'Asia/Tokyo', '2026-07-04'],
	[instant, 'UTC', '2026-07-04'],
	[instant, 'Asia/Tokyo', '2026-07-05'],
	['2026-07-04T01:00:00+02:00', 'America/New_York', '2026-07-03'],
	[new Date(instant), 'Asia/Tokyo', '2026-07-05'],
	[Date.parse(instant), 'Asia/Tokyo', '2026-07-05'],
	[Date.parse(instant) / 1000, 'Asia/Tokyo', '2026-07-05'],
	['2026-7-4', 'UTC', undefined],
	['2026-02-30', 'UTC', undefined],
	['', 'UTC', undefined],
	['tomorrow', 'UTC', undefined],
	[new Date(NaN), 'UTC', undefined],
	[null, 'UTC', undefined],
	[[], 'UTC', undefined],
])('reads %p in %s as %p', (value, timeZone, expected) => {
	expect(readDay(value, timeZone)).toBe(expected);
});

it('reads any day of any zone as itself', () => {
	const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Apia', 'America/Sao_Paulo');
	const min = new Date('1900-01-01');
	const max = new Date('2200-01-01');
	fc.assert(
		fc.property(fc.date({ min, max, noInvalidDate: true }), zones, (date, timeZone) => {
			const day = date.toISOString().slice(0, 10);
			expect(readDay(day, timeZone)).toBe(day);
			expect(readDay(`${day}T00:00:00`, timeZone)).toBe(day);
		}),
	);
});
