import fc from 'fast-check';
import type { GenericValue } from 'n8n-workflow';

import type { InputItem } from '../../../nodes/Chatbase/execution/item';
import {
	allowedMissing,
	limitAdvice,
	limitOptions,
	limitWords,
	type MaxMissing,
	violatedRule,
	warningOf,
} from '../../../nodes/Chatbase/sync/limit';

const nouns = {
	one: 'contact',
	many: 'contacts',
	title: 'Contacts',
	ids: 'External IDs',
	idField: 'external_id',
	handling: 'mark or delete',
};

const usual = undefined;

/** All are always too many, which leaves one. */
it.each<[number, number, MaxMissing?]>([
	[0, 1, usual],
	[1, 2, usual],
	[1, 3, usual],
	[5, 11, usual],
	[9, 19, usual],
	[10, 20, usual],
	[10, 100, usual],
	[10, 109, usual],
	[11, 110, usual],
	[500, 5000, usual],
	[500, 100_000, usual],
	[20, 25, { count: 20 }],
	[900, 1000, { count: 900 }],
	[999, 1000, { count: 1000 }],
	[0, 100, { count: 0 }],
	[0, 1000, { percent: 0 }],
	[69, 375, { percent: 18.4 }],
	[69, 1500, { percent: 4.6 }],
	[3, 1000, { percent: 0.3 }],
	[1, 20, { percent: 5 }],
	[2, 29, { percent: 9.9 }],
	[600, 1000, { percent: 60 }],
	[99, 100, { percent: 100 }],
])('%d of %d records may be missing when the user has entered %j', (allowed, managed, entered) => {
	expect(allowedMissing(managed, entered)).toBe(allowed);
});

it('leaves at least one record, and keeps what is entered', () => {
	const entered = fc.option(
		fc.oneof(
			fc.record({ count: fc.nat({ max: 800 }) }),
			fc.record({ percent: fc.nat({ max: 100 }) }),
		),
		{ nil: undefined },
	);
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 5000 }), entered, (managed, max) => {
			const allowed = allowedMissing(managed, max);
			expect(allowed).toBeLessThan(managed);
			if (!max) expect(allowed).toBeLessThanOrEqual(500);
			else if ('count' in max) expect(allowed).toBeLessThanOrEqual(max.count);
			else expect(allowed * 100).toBeLessThanOrEqual(managed * max.percent);
		}),
	);
});

it('says what the limit is', () => {
	expect(limitWords(nouns)).toBe(
		'The run stops if more than 10% of the managed contacts are missing, or more than 500. Up to 10 may be missing if at least half stay.',
	);
});

it.each<[string, number, number, MaxMissing?]>([
	['all', 5, 5, usual],
	['all', 600, 600, usual],
	['all', 5, 5, { count: 9 }],
	['half', 2, 3, usual],
	['half', 10, 11, usual],
	['10%', 11, 20, usual],
	['10%', 11, 100, usual],
	['500', 501, 5000, usual],
	['500', 501, 900, usual],
	['20', 21, 25, { count: 20 }],
	['1,200', 1201, 5000, { count: 1200 }],
	['5%', 11, 200, { percent: 5 }],
	['0%', 1, 100, { percent: 0 }],
	['60%', 9, 11, { percent: 60 }],
])(
	'names the rule "%s" when %d of %d are missing and the user has entered %j',
	(rule, missing, managed, entered) => {
		expect(missing).toBeGreaterThan(allowedMissing(managed, entered));
		expect(violatedRule(missing, managed, entered)).toBe(rule);
	},
);

it.each<[string, MaxMissing | undefined, string | undefined]>([
	['says that the 10% limit is off', { count: 20 }, 'The 10% limit is off.'],
	['says nothing', { percent: 15 }, undefined],
	['says nothing', usual, undefined],
])('%s when the user has entered %j', (_, entered, warning) => {
	expect(warningOf(entered)).toBe(warning);
});

it.each([
	[40, 100, 'If that is right, set Max Missing Contacts to 40 for one run.'],
	// The input is probably not complete.
	[50, 100, ''],
])('advises about %d of %d missing records: "%s"', (missing, managed, advice) => {
	expect(limitAdvice(nouns, missing, managed)).toBe(advice);
});

describe('Max Missing Contacts', () => {
	const read = (value: GenericValue) => {
		const item = { option: () => value, error: (title: string) => new Error(title) };
		return limitOptions(nouns).maxMissing.read(item as unknown as InputItem);
	};

	it.each<[GenericValue, MaxMissing | undefined]>([
		['15%', { percent: 15 }],
		[' 15.9 % ', { percent: 15.9 }],
		['100%', { percent: 100 }],
		[0, { count: 0 }],
		['7', { count: 7 }],
		[undefined, usual],
	])('reads %j as %j', (value, max) => expect(read(value)).toEqual(max));

	it.each(['many', 0.15, '0.15', '-1', '150%', '15 percent', true])('refuses %j', (value) => {
		expect(() => read(value)).toThrow('Max Missing Contacts is not a whole number or percentage');
	});
});
