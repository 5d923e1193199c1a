import * as fc from 'fast-check';

import { isSameIn, isSameValue } from '../../../nodes/Chatbase/resources/contact/contactValues';
import type { AttributeType } from '../../../nodes/Chatbase/resources/customAttribute/attributes';

const json = fc.jsonValue();
const types: AttributeType[] = ['text', 'number', 'boolean', 'date'];

describe('the same value', () => {
	it.each<[what: string, current: unknown, wanted: unknown]>([
		['missing and null', undefined, null],
		['empty text and null', null, ''],
	])('is %s, for every type', (_, current, wanted) => {
		for (const type of [undefined, ...types]) {
			expect(isSameValue(current, wanted, type)).toBe(true);
			expect(isSameValue(wanted, current, type)).toBe(true);
		}
	});

	it.each<[type: AttributeType, what: string, current: unknown, wanted: unknown]>([
		['text', 'a text and its number', '42', 42],
		['text', 'a text and its boolean', 'true', true],
		['number', 'a number and its text', 42, '42'],
		['number', 'a number and its text in another notation', 42, ' 42.0 '],
		['number', 'two notations', '42', '42.0'],
		['number', 'a sum of decimals and its text', 0.1 + 0.2, '0.30000000000000004'],
		['boolean', 'a boolean and 1', true, 1],
		['boolean', 'a boolean and its text', true, 'TRUE'],
		['boolean', 'two words', 'no', 'off'],
		['date', 'a day and its midnight in UTC', '2026-09-01T00:00:00.000Z', '2026-09-01'],
		['date', 'one instant with two offsets', '2026-09-01T10:00:00Z', '2026-09-01T12:00:00+02:00'],
		['date', 'a time without an offset and in UTC', '2026-09-01T10:00:00.000Z', '2026-09-01T10:00'],
		['date', 'two days with and without a time', '2026-09-01', '2026-09-01T00:00:00'],
	])('of a %s attribute is %s', (type, _, current, wanted) => {
		expect(isSameValue(current, wanted, type)).toBe(true);
		expect(isSameValue(wanted, current, type)).toBe(true);
		expect(isSameValue(current, wanted, type === 'date' ? 'text' : 'date')).toBe(false);
	});

	it.each<[what: string, current: unknown]>([
		['seconds', 1788256800],
		['milliseconds', 1788256800250],
	])('of a date attribute is one that the service returns in %s', (_, current) => {
		expect(isSameValue(current, '2026-09-01T10:00:00.250Z', 'date')).toBe(true);
		expect(isSameValue(current, '2026-09-01T10:00:01.250Z', 'date')).toBe(false);
	});

	it.each<[what: string, current: unknown, wanted: unknown]>([
		['a boolean and 1', true, 1],
		['a boolean and its text', true, 'TRUE'],
		['a number and its text', 42, '42'],
		['a stored date and its day', '2026-09-01T00:00:00.000Z', '2026-09-01'],
		['a stored date with another offset', '2026-09-01T10:00:00Z', '2026-09-01T12:00:00+02:00'],
		['Unix time and its date', 1788256800, '2026-09-01T10:00:00Z'],
		['objects with another order of keys', { a: 1, b: [2] }, { b: [2], a: 1 }],
		['objects of which one says null', { a: 1 }, { a: 1, b: null }],
	])('of an unknown type is %s', (_, current, wanted) => {
		expect(isSameValue(current, wanted)).toBe(true);
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
	it.each<[what: string, current: unknown, wanted: unknown]>([
		['zero for null', null, 0],
		['zero for empty text', '', 0],
		['false for missing', undefined, false],
		['other text', 'pro', 'Pro'],
		['another day', '2026-09-01', '2026-09-02'],
		['another order of a list', [1, 2], [2, 1]],
		['a longer list', [1], [1, null]],
		['a list for an object', {}, []],
		['a key of every object', {}, { constructor: 1 }],
	])('is %s, for every type', (_, current, wanted) => {
		for (const type of [undefined, ...types]) {
			expect(isSameValue(current, wanted, type)).toBe(false);
			expect(isSameValue(wanted, current, type)).toBe(false);
		}
	});

	it.each<[type: AttributeType | undefined, what: string, current: unknown, wanted: unknown]>([
		['text', 'a text that looks like the same date', '2026-09-01', '2026-09-01T00:00:00Z'],
		['text', 'a text that looks like the same number', '42', '42.0'],
		['text', 'a number in another notation', 42, '042'],
		['text', 'a text that means the same boolean', 'yes', true],
		['text', 'a boolean in capitals', 'TRUE', true],
		['number', 'a boolean', 1, true],
		['number', 'one that differs after 15 digits', 24031234567890124, '24031234567890123'],
		['boolean', 'another number', true, 2],
		['boolean', 'text that is no boolean', 'maybe', 'perhaps'],
		['date', 'text that is no date', 'soon', 'later'],
		[undefined, 'a day with the time added', '2026-09-01', '2026-09-01T00:00:00'],
		[undefined, 'a text with zeros in front', '007', '7'],
		[undefined, 'another number for a boolean', true, 2],
	])('of type %s is %s', (type, _, current, wanted) => {
		expect(isSameValue(current, wanted, type)).toBe(false);
		expect(isSameValue(wanted, current, type)).toBe(false);
	});
});

it('is symmetrical for any values and types', () => {
	const type = fc.constantFrom(undefined, ...types);
	fc.assert(
		fc.property(
			json,
			json,
			type,
			(one, other, of) => isSameValue(one, other, of) === isSameValue(other, one, of),
		),
	);
});

describe('a field of the contact', () => {
	it.each<[name: string, current: unknown, wanted: unknown, same: boolean]>([
		['external_id', 7, '7', true],
		['external_id', 7, '07', false],
		['phonenumber', 4989, '+4989', false],
		['name', '2026-09-01', '2026-09-01T00:00:00Z', false],
		['email', 'A@x.example', ' a@x.example', true],
		['email', null, 42, false],
		['stage', '1', 1, true],
	])('%s is compared as text: %p and %p', (name, current, wanted, same) => {
		expect(isSameIn({}, name, current, wanted)).toBe(same);
	});
});

describe('payment accounts', () => {
	const account = { label: 'Main', payment_id: 'cus_1', payment_email: null };

	it.each<[what: string, current: unknown, wanted: unknown, same: boolean]>([
		['none and missing', undefined, [], true],
		['in another order', [account, { label: 'B' }], [{ label: 'B' }, account], true],
		['under the other name', [{ label: 'Main', stripe_id: 'cus_1' }], [account], true],
		['one more', [account], [account, { label: 'B' }], false],
		['another ID', [account], [{ ...account, payment_id: 'cus_2' }], false],
	])('%s', (_, current, wanted, same) => {
		expect(isSameValue(current, wanted, 'accounts')).toBe(same);
	});
});
