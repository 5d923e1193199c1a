import fc from 'fast-check';

import {
	isIsoDate,
	readDay,
	readInstant,
	readTimestamp,
	sortedByTime,
} from '../../../nodes/Chatbase/values/time';

describe('an instant', () => {
	const iso = (value: unknown, zone = 'UTC') => {
		const instant = readInstant(value, zone);
		return instant === undefined ? undefined : new Date(instant).toISOString();
	};

	it.each([
		['a day', '2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
		[
			'a time of the date picker',
			'2026-07-01T08:30:00',
			'America/New_York',
			'2026-07-01T12:30:00.000Z',
		],
		[
			'the hour after the clock goes forward',
			'2026-03-29T03:30:00',
			'Europe/Berlin',
			'2026-03-29T01:30:00.000Z',
		],
		[
			'the hour before the clock goes back',
			'2026-10-25T01:30:00',
			'Europe/Berlin',
			'2026-10-24T23:30:00.000Z',
		],
		['an offset', '2026-07-01T08:30:00+02:00', 'America/New_York', '2026-07-01T06:30:00.000Z'],
		['UTC', '2026-07-01T08:30:00.123Z', 'Asia/Tokyo', '2026-07-01T08:30:00.123Z'],
	])('reads %s', (_, text, zone, expected) => {
		expect(iso(text, zone)).toBe(expected);
	});

	it.each([
		['a date', new Date('2026-07-01T00:00:00Z')],
		['a Luxon date', { valueOf: () => Date.parse('2026-07-01T00:00:00Z') }],
		['seconds', 1_782_864_000],
		['milliseconds', 1_782_864_000_000],
		['digits', ' 1782864000 '],
		['more digits', '1782864000000'],
	])('reads %s from an expression', (_, value) => {
		expect(iso(value, 'Asia/Tokyo')).toBe('2026-07-01T00:00:00.000Z');
	});

	it.each<unknown>([
		'',
		'soon',
		'2026-02-30',
		'2026-13-01',
		'2026-07-01T24:30',
		'T08:00',
		{},
		[],
		true,
		NaN,
		1e300,
		Infinity,
		{ valueOf: () => 1e300 },
		// A year and a day, and no seconds.
		'2026',
		'20260701',
		'9'.repeat(40),
		'contact 5',
	])('refuses %p as a date', (value) => expect(readInstant(value, 'UTC')).toBeUndefined());

	it('keeps every instant in every zone', () => {
		const zones = fc.constantFrom(
			'UTC',
			'Europe/Berlin',
			'America/St_Johns',
			'Asia/Kathmandu',
			'Pacific/Apia',
		);
		const instants = fc.date({
			min: new Date('1990-01-01'),
			max: new Date('2090-01-01'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(instants, zones, (date, zone) => {
				expect(iso(date.toISOString(), zone)).toBe(date.toISOString());
				expect(isIsoDate(date.toISOString().slice(0, 10))).toBe(true);
			}),
		);
	});
});

describe('a day', () => {
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

	it('keeps any day of any zone', () => {
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
});

describe('a timestamp of the service', () => {
	const writings: Array<(instant: number) => unknown> = [
		(instant) => instant / 1000,
		(instant) => instant,
		(instant) => String(instant / 1000),
		(instant) => String(instant),
		(instant) => new Date(instant).toISOString(),
		(instant) => new Date(instant).toISOString().replace('T', ' ').replace('Z', '+00:00'),
		// Without an offset the service means UTC, wherever n8n runs.
		(instant) => new Date(instant).toISOString().replace('Z', ''),
	];

	it('is the same in every format', () => {
		const instants = fc.integer({ min: Date.UTC(1990), max: Date.UTC(2090) });
		fc.assert(
			fc.property(instants, fc.constantFrom(...writings), (instant, write) => {
				expect(readTimestamp(write(instant))).toBeCloseTo(instant, 1);
			}),
		);
	});

	it('is a valid date when it can be read', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.double(), fc.string()), (value) => {
				const instant = readTimestamp(value);
				if (instant !== undefined) new Date(instant).toISOString();
			}),
		);
	});

	it.each([undefined, null, '', 'soon', 'contact 5', {}, [], true, new Date()])(
		'is not %p',
		(value) => expect(readTimestamp(value)).toBeUndefined(),
	);
});

describe('records by time', () => {
	const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 0, minute)).toISOString();

	it.each([
		['desc', [3, 2, 1, 'soon']],
		['asc', ['soon', 1, 2, 3]],
	] as const)(
		'come in the order %s, those without a readable time as if from 1970',
		(order, expected) => {
			const records = [2, 'soon', 3, 1].map((name) => ({
				name,
				time: typeof name === 'number' ? at(name) : name,
			}));
			const sorted = sortedByTime(records, ({ time }) => time, order);
			expect(sorted.map(({ name }) => name)).toEqual(expected);
		},
	);

	it('keep their order if their times are equal', () => {
		const records = [1, 2, 3].map((name) => ({ name, time: at(1) }));
		for (const order of ['asc', 'desc'] as const)
			expect(sortedByTime(records, ({ time }) => time, order)).toEqual(records);
	});

	it('are read once each, however many comparisons there are', () => {
		const times = Array.from({ length: 1000 }, (_, index) => ({ time: at((index * 7919) % 1000) }));
		let reads = 0;
		sortedByTime(
			times,
			({ time }) => {
				reads++;
				return time;
			},
			'asc',
		);
		expect(reads).toBe(times.length);
	});
});
