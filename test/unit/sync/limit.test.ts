import fc from 'fast-check';

import { checkLimit } from '../../../nodes/Chatbase/sync/limit';

it.each([
	[0, 0, 'fine'],
	[0, 100, 'fine'],
	[1, 1, 'all'],
	[10, 11, 'fine'],
	[10, 10, 'all'],
	[11, 110, 'fine'],
	[11, 109, 'tooMany'],
	[500, 100_000, 'fine'],
	[501, 100_000, 'tooMany'],
])('of 10 percent and 500, %d of %d missing records are %s', (missing, managed, result) => {
	expect(checkLimit(missing, managed, { maxPercent: 10, max: 500 })).toBe(result);
});

it.each([
	[3, 100, 3, 'fine'],
	[4, 100, 3, 'tooMany'],
	[900, 1000, 900, 'fine'],
	[1, 100, 0, 'tooMany'],
	[1000, 1000, 1000, 'all'],
])(
	'%d of %d missing records, of which a person allowed %d, are %s',
	(missing, managed, max, result) => {
		expect(checkLimit(missing, managed, { max })).toBe(result);
	},
);

it('is never looser when more records are missing', () => {
	const order = ['fine', 'tooMany', 'all'];
	fc.assert(
		fc.property(
			fc.nat({ max: 2000 }),
			fc.nat({ max: 2000 }),
			fc.option(fc.nat({ max: 100 }), { nil: undefined }),
			fc.nat({ max: 800 }),
			(missing, managed, maxPercent, max) => {
				fc.pre(missing < managed);
				const limit = { maxPercent, max };
				const one = order.indexOf(checkLimit(missing, managed, limit));
				const more = order.indexOf(checkLimit(missing + 1, managed, limit));
				expect(more).toBeGreaterThanOrEqual(one);
			},
		),
	);
});

it('allows none when the percentage is 0', () => {
	expect(checkLimit(1, 1000, { maxPercent: 0, max: 500 })).toBe('tooMany');
});

it('applies the stricter limit when both are set', () => {
	expect(checkLimit(50, 100, { maxPercent: 10, max: 80 })).toBe('tooMany');
	expect(checkLimit(50, 100, { maxPercent: 60, max: 40 })).toBe('tooMany');
	expect(checkLimit(50, 100, { maxPercent: 60, max: 80 })).toBe('fine');
});
