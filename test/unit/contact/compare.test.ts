import * as fc from 'fast-check';

import { areSameAccounts, isSameValue } from '../../../nodes/Chatbase/resources/contact/difference';

const json = fc.jsonValue();

describe('the same value', () => {
	it.each<[what: string, existing: unknown, wanted: unknown]>([
		['missing and null', undefined, null],
		['empty text and null', null, ''],
		['a boolean and 1', true, 1],
		['a number and its text', 42, '42'],
		['a number and its text in another notation', 42, ' 42.0 '],
		['a boolean and its text', true, 'TRUE'],
		['a day and its midnight in UTC', '2026-09-01T00:00:00.000Z', '2026-09-01'],
		['one instant with two offsets', '2026-09-01T10:00:00Z', '2026-09-01T12:00:00+02:00'],
		[
			'a time without an offset and the same in UTC',
			'2026-09-01T10:00:00.000Z',
			'2026-09-01T10:00',
		],
		['objects with another order of keys', { a: 1, b: [2] }, { b: [2], a: 1 }],
		['objects of which one says null', { a: 1 }, { a: 1, b: null }],
	])('is %s', (_, existing, wanted) => {
		expect(isSameValue(existing, wanted)).toBe(true);
		expect(isSameValue(wanted, existing)).toBe(true);
	});

	it('is a value and its copy with other key order', () => {
		const turned = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(turned);
			if (typeof value !== 'object' || value === null) return value;
			return Object.fromEntries(
				Object.entries(value)
					.reverse()
					.map(([key, held]) => [key, turned(held)]),
			);
		};
		fc.assert(fc.property(json, (value) => isSameValue(value, turned(value))));
	});
});

describe('another value', () => {
	it.each<[what: string, existing: unknown, wanted: unknown]>([
		['zero for null', null, 0],
		['zero for empty text', '', 0],
		['a boolean for another number', true, 2],
		['false for missing', undefined, false],
		['other text', 'pro', 'Pro'],
		['another day', '2026-09-01', '2026-09-02'],
		['another order of a list', [1, 2], [2, 1]],
		['a longer list', [1], [1, null]],
		['a list for an object', {}, []],
		['a key of every object', {}, { constructor: 1 }],
		['text with zeros in front for other text', '007', '7'],
	])('is %s', (_, existing, wanted) => {
		expect(isSameValue(existing, wanted)).toBe(false);
		expect(isSameValue(wanted, existing)).toBe(false);
	});
});

it('is symmetrical for any values', () => {
	fc.assert(
		fc.property(json, json, (one, other) => isSameValue(one, other) === isSameValue(other, one)),
	);
});

describe('payment accounts', () => {
	const account = { label: 'Main', payment_id: 'cus_1', payment_email: null };

	it.each<[what: string, existing: unknown, wanted: unknown, same: boolean]>([
		['none and missing', undefined, [], true],
		['in another order', [account, { label: 'B' }], [{ label: 'B' }, account], true],
		['under the other name', [{ label: 'Main', stripe_id: 'cus_1' }], [account], true],
		['one more', [account], [account, { label: 'B' }], false],
		['another ID', [account], [{ ...account, payment_id: 'cus_2' }], false],
	])('%s', (_, existing, wanted, same) => {
		expect(areSameAccounts(existing, wanted)).toBe(same);
	});
});
