import * as fc from 'fast-check';

import { isSameValue, kindOfValue } from '../../../nodes/Chatbase/resources/contact/plan/values';
import type { AttributeType } from '../../../nodes/Chatbase/resources/customAttribute/attributeTypes';
import { longText, processorTime } from '../../propertyRuns';

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

	it('of a date attribute keeps its milliseconds, if the service returns a text', () => {
		expect(isSameValue('2026-09-01T10:00:00.000Z', '2026-09-01T10:00:00.250Z', 'date')).toBe(false);
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

	it('of an unknown type is no text that a person wrote like a date', () => {
		expect(isSameValue('2026-09-01 10:00Z', '2026-09-01T10:00:00Z')).toBe(false);
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

it.each<[name: string, current: unknown, wanted: unknown, same: boolean]>([
	['external_id', 7, '7', true],
	['external_id', 7, '07', false],
	['phonenumber', 4989, '+4989', true],
	['name', '2026-09-01', '2026-09-01T00:00:00Z', false],
	['email', 'A@x.example', ' a@x.example', true],
	['email', null, 42, false],
	['stage', '2026-09-01T00:00:00Z', '2026-09-01', false],
	['stage', '1', 1, true],
])(
	'a field of the contact: %s is compared by its kind: %p and %p',
	(name, current, wanted, same) => {
		expect(isSameValue(current, wanted, kindOfValue(name))).toBe(same);
	},
);

/** Separators that people write between digits, and characters that come along when a number is pasted. */
const separators = [' ', '\u00a0', '-', '\u2010', '\u2011', '.', '(', ')', '/', '\u200b', '\u202a'];

describe('a phone number', () => {
	const isSame = (current: unknown, wanted: unknown) =>
		isSameValue(current, wanted, kindOfValue('phonenumber'));

	it.each<[what: string, current: unknown, wanted: unknown]>([
		['in E.164 and with spaces', '+4520550188', '+45 20 55 01 88'],
		['with other spaces', '+4520550188', '+45\u00a020\u200955\u202f01 88'],
		['with brackets, dots and a hyphen', '+14155552671', '+1 (415) 555.26-71'],
		['with hyphens of other kinds', '+14155552671', '+1\u2010415\u2011555\u20112671'],
		['with a slash', '+4930901820', '+49 30/901820'],
		['with characters that nobody sees', '+4520550188', '\u202a+4520550188\u202c\ufeff'],
		['with 00 in place of the plus', '+4520550188', '0045 20550188'],
		['with a zero in brackets after the country code', '+4930901820', '+49 (0)30 901820'],
		['with a zero in brackets after 00', '+4930901820', '0049 (0)30 901820'],
		['as a number', '+4520550188', 4520550188],
		['without a country code', '+4520550188', '20 55 01 88'],
		['with the zero of its country', '+4930901820', '030 901820'],
		['with that zero in brackets', '030901820', '(0)30 901820'],
		['without a country code that is stored without its plus', '4520550188', '20 55 01 88'],
		['with a zero in place of such a country code', '4930901820', '030 901820'],
		['with a plus that is not stored', '4520550188', '+45 20 55 01 88'],
		['without a plus and with spaces', '+4520550188', '45 20 55 01 88'],
		['of seven digits', '+2976551234', '655-1234'],
		['with letters, exactly so', '+4520550188 ext. 3', '+4520550188 ext. 3'],
	])('is the same %s', (_, current, wanted) => expect(isSame(current, wanted)).toBe(true));

	it.each<[what: string, current: unknown, wanted: unknown]>([
		['of another digit', '+4520550188', '+4520550189'],
		['of another country', '+4520550188', '+4620550188'],
		['of six digits at the end', '+4520550188', '550188'],
		['of six digits after its zero', '+4520550188', '0550188'],
		['with two zeros of its country', '+3930901820', '0030901820'],
		['that gets its country code', '20550188', '+4520550188'],
		['that gets its country code without a plus', '20550188', '4520550188'],
		['that gets its zero', '30901820', '030901820'],
		['of seven digits in the middle', '4520550188', '2055018'],
		['with an extension', '+4520550188', '+4520550188 ext. 3'],
		['with letters in another form', '+45 20550188 ext. 3', '+4520550188 ext. 3'],
		['beside a second one', '+4520550188', '+4520550188, +4520550199'],
		['with another sign', '+4520550188', '*20550188'],
		['that is a sign for none', '+4520550188', '-'],
		['that is another sign for none', '/', '-'],
		['in a list', '+4520550188', ['+4520550188']],
	])('is another one %s', (_, current, wanted) => expect(isSame(current, wanted)).toBe(false));

	const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
	const gaps = fc.array(fc.subarray(separators), { minLength: 16, maxLength: 16 });
	const written = (number: string, between: string[][]) =>
		[...number].map((digit, index) => digit + (between[index] ?? []).join('')).join('');

	it('is the same with any separators, and another one with any other digit', () => {
		const position = fc.nat();
		fc.assert(
			fc.property(digits, gaps, position, fc.boolean(), (number, between, at, isDialed) => {
				const [plus, sign] = ['+', isDialed ? '00' : '+'];
				// "(0)" has a meaning of its own.
				const text = written(sign + number, between).replaceAll('(0)', '0');
				expect(isSame(plus + number, text)).toBe(true);
				expect(isSame(text, plus + number)).toBe(true);

				const index = at % number.length;
				const other = String((Number(number[index]) + 1) % 10);
				const mistaken = number.slice(0, index) + other + number.slice(index + 1);
				expect(isSame(plus + mistaken, text)).toBe(false);
			}),
		);
	});

	it('of a megabyte is compared at once', async () => {
		for (const text of ['1(', '(0)', '0', ' ', 'a1']) {
			const long = text.repeat(longText / text.length);
			const seconds = await processorTime(() => {
				isSame('+4520550188', long);
				isSame(`+${long}`, `00${long}`);
			});
			expect(seconds).toBeLessThan(1);
		}
	});
});

describe('payment accounts', () => {
	const account = { label: 'Main', payment_id: 'cus_1', payment_email: null };

	it.each<[what: string, current: unknown, wanted: unknown, same: boolean]>([
		['none and missing', undefined, [], true],
		['in another order', [account, { label: 'B' }], [{ label: 'B' }, account], true],
		['under the other name', [{ label: 'Main', stripe_id: 'cus_1' }], [account], true],
		['with a blank label and with none', [{ label: ' ' }], [{ label: null }], true],
		[
			'with an email in another form under the other name',
			[{ stripe_email: 'a@x.example' }],
			[{ payment_email: 'A@x.example' }],
			true,
		],
		['one more', [account], [account, { label: 'B' }], false],
		['another ID', [account], [{ ...account, payment_id: 'cus_2' }], false],
	])('%s', (_, current, wanted, same) => {
		expect(isSameValue(current, wanted, 'accounts')).toBe(same);
	});
});
