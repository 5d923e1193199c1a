/** What Recipient's Phone Number and From take for one phone number. */
import fc from 'fast-check';

import { phoneNumber } from '../../../nodes/Chatbase/resources/whatsAppTemplate/phoneNumber';

it.each([
	'+1 (415) 555-2671',
	'(+1) 415 5552671',
	'1.415.555.2671',
	'+1.4155552671',
	'+1 [415] 5552671',
	'\u00a0+1\u2009415\u202f5552671 ',
	'0014155552671',
	' 00 1 (415) 555-2671',
	'001-415-555-2671',
	14155552671,
	// As an address book or a phone copies it.
	'\u202a+1 (415) 555\u20112671\u202c',
	'\u200e+1\u2060 415\u2010555\u20132671',
	'\ufeff+1 415\u2212555\ufe632671\u200b',
	'+1\ufe0f 415\ufe0e 5552671',
])('%j is one number', (value) => {
	expect(phoneNumber.read(value)).toBe('14155552671');
});

it.each(['+33 6.12.34.56.78', '+1.415.555.0000', '+55 11 98765.4321', '123456789012345'])(
	'%j has groups, no fraction',
	(value) => {
		expect(phoneNumber.read(value)).toBe(value.replace(/\D/g, ''));
	},
);

it.each([
	'+1 415 ACME',
	'555267',
	' ',
	undefined,
	'14155552671+',
	'++14155552671',
	'+49 30/123456',
	'14155552671.0',
	'14155552671.00 ',
	'+1 4155552671.5',
	'+49 170 123 4567.0',
	14155552671.5,
	123456.78,
	'49.1701234567',
	'0170 1234567',
	'+0170 1234567',
	'(0170) 1234567',
	'000491701234567',
	'011 44 20 7946 0100',
	'+00491701234567',
	'00491',
	'\uff0b1 415 5552671',
	'+1 \u0664\u0661\u0665 5552671',
	'1234567890123456',
	'+44 (0)20 7946 0100',
	'+44(0)20 7946 0100',
])('%j is none', (value) => {
	expect(phoneNumber.read(value)).toBeUndefined();
});

it('never makes one number of two that stand on lines, or between commas or plus signs', () => {
	const digits = fc.stringMatching(/^[1-9]\d{6,8}$/);
	const gaps = ['\n', '\r\n', '\t', ', ', '; ', ' +', '/', ' / ', '\u2028', '\u2029', '\v', '\f'];
	fc.assert(
		fc.property(digits, fc.constantFrom(...gaps), digits, (one, between, other) => {
			expect(phoneNumber.read(one + between + other)).toBeUndefined();
		}),
	);
});
