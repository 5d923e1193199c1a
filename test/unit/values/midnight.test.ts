import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { isSameValue } from '../../../nodes/Chatbase/resources/contact/plan/values';
import {
	readDay,
	readInstant,
	readLastInstant,
	readTimestamp,
} from '../../../nodes/Chatbase/values/time';

/** Zones whose clocks change at midnight, on the day before it, or by half an hour, and some that change at night. */
const zones = [
	'America/Havana',
	'America/Santiago',
	'America/Asuncion',
	'Africa/Cairo',
	'Asia/Beirut',
	'Asia/Gaza',
	'Europe/Berlin',
	'America/New_York',
	'Australia/Lord_Howe',
	'Asia/Kathmandu',
	'UTC',
];
const day = fc
	.integer({ min: Date.UTC(2015, 0, 1) / 86_400_000, max: Date.UTC(2035, 0, 1) / 86_400_000 })
	.map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10));

it.each([
	['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
	['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
	['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00Z'],
	['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
	['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
])('in %s, %s begins at %s', (zone, text, instant) => {
	expect(new Date(readInstant(text, zone)!).toISOString()).toBe(new Date(instant).toISOString());
});

it('lets every day end where the next one begins, and leaves a time as it is', () => {
	fc.assert(
		fc.property(day, fc.constantFrom(...zones), (text, zone) => {
			const next = DateTime.fromISO(text, { zone }).plus({ days: 1 }).startOf('day');
			expect(readLastInstant(` ${text}`, zone)).toBe(next.toMillis() - 1);
			const time = `${text}T00:00:00`;
			expect(readLastInstant(time, zone)).toBe(readInstant(time, zone));
		}),
	);
});

it('starts every day when n8n does', () => {
	fc.assert(
		fc.property(day, fc.constantFrom(...zones), (text, zone) => {
			const start = DateTime.fromISO(text, { zone });
			expect(readInstant(text, zone)).toBe(start.toMillis());
			expect(readDay(new Date(start.toMillis()), zone)).toBe(start.toISODate());
		}),
		{ numRuns: 600 },
	);
});

it('reads the day of any instant', () => {
	const instant = fc.oneof(fc.double({ min: -9e15, max: 9e15, noNaN: true }), fc.date());
	fc.assert(
		fc.property(instant, fc.constantFrom(...zones), (value, zone) => {
			const read = readDay(value, zone);
			if (readInstant(value, zone) !== undefined) expect(read).toMatch(/^[+-]?\d{4,6}-\d\d-\d\d$/);
			else expect(read).toBeUndefined();
		}),
	);
});

it('reads a time as local time', () => {
	const time = fc.integer({ min: 0, max: 24 * 60 - 1 });
	fc.assert(
		fc.property(day, time, fc.constantFrom(...zones), (text, minutes, zone) => {
			const clock = DateTime.fromISO(text, { zone: 'UTC' }).plus({ minutes }).toFormat('HH:mm');
			const read = DateTime.fromMillis(readInstant(`${text}T${clock}`, zone)!, { zone });
			const isShown = DateTime.fromISO(`${text}T${clock}`, { zone }).toFormat('HH:mm') === clock;
			if (isShown) expect(read.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(`${text}T${clock}`);
			else expect(read.toFormat('HH:mm') > clock).toBe(true);
		}),
		{ numRuns: 600 },
	);
});

it('reads text without an offset as the compared instant', () => {
	for (const text of ['2026-09-01', '2026-09-01 08:30', '2026-09-01T08:30:00.000']) {
		expect(isSameValue(text, new Date(readTimestamp(text)!).toISOString(), 'date')).toBe(true);
	}
});
