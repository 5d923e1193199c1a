import fc from 'fast-check';

import { allowedMissing, limitWords, violatedRule } from '../../../nodes/Chatbase/sync/limit';

const nouns = { one: 'contact', many: 'contacts', title: 'Contacts', ids: 'External IDs' };

/** All are always too many, which leaves one. */
it.each([
	[0, 1, {}],
	[1, 2, {}],
	[1, 3, {}],
	[5, 11, {}],
	[9, 19, {}],
	[10, 20, {}],
	[10, 100, {}],
	[10, 109, {}],
	[11, 110, {}],
	[500, 5000, {}],
	[500, 100_000, {}],
	[20, 25, { max: 20 }],
	[900, 1000, { max: 900 }],
	[999, 1000, { max: 1000 }],
	[0, 100, { max: 0 }],
	[0, 1000, { maxPercent: 0 }],
	[10, 20, { maxPercent: 5 }],
	[500, 1000, { maxPercent: 60 }],
	[10, 100, { maxPercent: 10, max: 80 }],
	[40, 100, { maxPercent: 60, max: 40 }],
	[600, 1000, { maxPercent: 60, max: 800 }],
	[3, 20, { maxPercent: 10, max: 3 }],
])('%d of %d records may be missing when the user has entered %j', (allowed, managed, limit) => {
	expect(allowedMissing(managed, limit)).toBe(allowed);
});

it('leaves at least one record, whatever is entered', () => {
	const percent = fc.option(fc.nat({ max: 100 }), { nil: undefined });
	const count = fc.option(fc.nat({ max: 800 }), { nil: undefined });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 5000 }), percent, count, (managed, maxPercent, max) => {
			const allowed = allowedMissing(managed, { maxPercent, max });
			expect(allowed).toBeLessThan(managed);
			expect(allowed).toBeLessThanOrEqual(max ?? 500);
			if (max === undefined && allowed > 10) {
				expect(allowed * 100).toBeLessThanOrEqual(managed * (maxPercent ?? 10));
			}
		}),
	);
});

it('says what the limit is', () => {
	expect(limitWords(nouns)).toBe(
		'Stops if more than 10% of the managed contacts are missing, or more than 500. Up to 10 may be missing if at least half stay.',
	);
});

it.each([
	['all', 5, 5, {}],
	['all', 600, 600, {}],
	['half', 2, 3, {}],
	['half', 10, 11, {}],
	['10%', 11, 20, {}],
	['10%', 11, 100, {}],
	['500', 501, 5000, {}],
	['500', 501, 900, {}],
	['20', 21, 25, { max: 20 }],
	['1,200', 1201, 5000, { max: 1200 }],
	['5%', 11, 200, { maxPercent: 5 }],
	['0%', 1, 100, { maxPercent: 0 }],
	['60%', 9, 11, { maxPercent: 60 }],
	['500', 501, 1000, { maxPercent: 60 }],
	['3', 4, 20, { maxPercent: 10, max: 3 }],
])(
	'names the rule "%s" when %d of %d are missing and the user has entered %j',
	(rule, missing, managed, limit) => {
		expect(missing).toBeGreaterThan(allowedMissing(managed, limit));
		expect(violatedRule(missing, managed, limit)).toBe(rule);
	},
);
