import fc from 'fast-check';

import { propertyRuns } from '../../propertyRuns';
import { chosen, mapped, openAccount, orderValues } from './account';

/** What Recipient's Phone Number and From take for one phone number. */
const account = openAccount('send');

const order = { template: chosen(), templateVariables: mapped(orderValues) };

async function attempt(to: string | number) {
	const input = [{ json: { to } }];
	const { error } = await account.testbed.run({ ...order, to: '={{ $json.to }}' }, { input });
	return error;
}

it.each([
	'+1 (415) 555-2671',
	'1.415.555.2671',
	'+1.4155552671',
	'+1 [415] 5552671',
	'\u00a0+1\u2009415\u202f5552671 ',
	'0014155552671',
	' 00 1 (415) 555-2671',
	'001-415-555-2671',
	14155552671,
	// As an address book copies it: direction marks, a joiner, a byte order mark, other hyphens.
	'\u202a+1 (415) 555\u20112671\u202c',
	'\u200e+1\u2060 415\u2010555\u20132671',
	'\ufeff+1 415\u2212555\ufe632671\u200b',
])('%j is one number', async (to) => {
	expect(await attempt(to)).toBeUndefined();
	expect(account.recipients).toEqual(['14155552671']);
});

it.each(['+33 6.12.34.56.78', '+1.415.555.0000', '+55 11 98765.4321'])(
	'%j has groups, no fraction',
	async (to) => {
		expect(await attempt(to)).toBeUndefined();
		expect(account.recipients).toEqual([to.replace(/\D/g, '')]);
	},
);

it('has up to 15 digits', async () => {
	await attempt('123456789012345');
	expect(account.recipients).toEqual(['123456789012345']);
});

const oneNumber = 'Enter one number';
const noSlash = 'A slash can stand between two numbers. Write one number without it';
const noZero = 'It begins with 0, so it has no country code.';
const fraction = 'Write it without a fraction';
const refused: Array<[string | number, string]> = [
	['+1 415 ACME', oneNumber],
	['555267', oneNumber],
	[' ', oneNumber],
	['5551234\n5556789', oneNumber],
	['5551234\r5556789', oneNumber],
	['5551234\u20285556789', oneNumber],
	['5551234\t5556789', oneNumber],
	['5551234,5556789', oneNumber],
	['5551234;5556789', oneNumber],
	['+14155552671 / +14155552672', noSlash],
	['14155552671+', oneNumber],
	['++14155552671', oneNumber],
	['14155552671 / 14155552672', noSlash],
	['1/415/555/2671', noSlash],
	['5551234/5556789', noSlash],
	['4930123456/57', noSlash],
	['+49 (0)30/123456', 'Write it without "(0)": +49 30/123456.'],
	['+49 30/123456', noSlash],
	['\u202a+49 30/1234\u201156\u202c', noSlash],
	['14155552671.0', fraction],
	['14155552671.00 ', fraction],
	['+1 4155552671.5', fraction],
	['+49 170 123 4567.0', fraction],
	[14155552671.5, fraction],
	[123456.78, fraction],
	[12345.678, fraction],
	['49.1701234567', fraction],
	['0170 1234567', noZero],
	['+0170 1234567', noZero],
	['(0170) 1234567', noZero],
	['000491701234567', noZero],
	['011 44 20 7946 0100', noZero],
	['\u202a0170 1234567\u202c', noZero],
	['+00491701234567', 'Write either + or 00: +491701234567.'],
	['+00 49 (170) 123\u201145 67', 'Write either + or 00: +491701234567.'],
	['00491', oneNumber],
	['0012345678901234567', 'at most 15 digits, and this one has 17'],
	['\uff0b1 415 5552671', oneNumber],
	['+1 \u0664\u0661\u0665 5552671', 'Write its digits as 0 to 9'],
	['+\uff11\uff14155552671', 'Write its digits as 0 to 9'],
	['1234567890123456', 'at most 15 digits, and this one has 16'],
	['+44 (0)20 7946 0100', 'Write it without "(0)": +44 20 7946 0100.'],
	['+44(0)20 7946 0100', 'Write it without "(0)": +4420 7946 0100.'],
];

describe.each([
	["Recipient's Phone Number", (value: string | number) => ({ to: value })],
	['From', (value: string | number) => ({ to: '14155552671', options: { from: value } })],
])('%s', (label, fieldOf) => {
	it.each(refused.filter(([value]) => label !== 'From' || value !== ' '))(
		'refuses %j',
		async (value, advice) => {
			const { error } = await account.testbed.run({ ...order, ...fieldOf(value) });
			expect(error?.message).toBe(`${label} is not a phone number`);
			expect(error?.description).toContain(advice);
			expect(account.sent).toEqual([]);
		},
	);
});

it('never makes one number of two that stand on lines, or between commas or plus signs', async () => {
	const digits = fc.stringMatching(/^[1-9]\d{6,8}$/);
	const gap = fc.constantFrom(
		'\n',
		'\r\n',
		'\t',
		', ',
		'; ',
		' +',
		'/',
		' / ',
		'\u2028',
		'\u2029',
		'\v',
		'\f',
	);
	await fc.assert(
		fc.asyncProperty(digits, gap, digits, async (one, between, other) => {
			await attempt(one + between + other);
			expect(account.sent).toEqual([]);
		}),
		propertyRuns(30),
	);
});

describe('a number that begins with 0', () => {
	const good = { json: { to: '+1 415 555 2671' } };
	const bad = { json: { to: '0170 1234567' } };
	const toEach = { ...order, to: '={{ $json.to }}' };

	it('is told how to write it', async () => {
		const { error } = await account.testbed.run({ ...order, to: '0170 1234567' });
		expect(error?.description).toBe(
			'Item 0: It is the text "0170 1234567". It begins with 0, so it has no country code. Write the country code in place of the 0, such as +44 20 7946 0100 for 020 7946 0100. Nothing was sent.',
		);
	});

	it('stops the run before its first message', async () => {
		const input = [good, good, bad];
		const { error } = await account.testbed.run(toEach, { input });
		expect(error?.message).toBe("Recipient's Phone Number is not a phone number");
		expect(account.sent).toEqual([]);
	});

	it('fails alone if the workflow continues', async () => {
		const input = [good, bad, good];
		const nodeSettings = { onError: 'continueRegularOutput' } as const;
		const { items } = await account.testbed.run(toEach, { input, nodeSettings });
		expect(items.map(({ json }) => json.error ?? json.status)).toEqual([
			'accepted',
			expect.stringContaining('is not a phone number'),
			'accepted',
		]);
		expect(account.recipients).toEqual(['14155552671', '14155552671']);
	});
});
