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
	'1/415/555/2671',
	'+1 [415] 5552671',
	'\u00a0+1\u2009415\u202f5552671 ',
	14155552671,
])('%j is one number', async (to) => {
	expect(await attempt(to)).toBeUndefined();
	expect(account.recipients).toEqual(['14155552671']);
});

it('has up to 15 digits', async () => {
	await attempt('123456789012345');
	expect(account.recipients).toEqual(['123456789012345']);
});

const oneNumber = 'Enter one number';
const refused: Array<[string, string]> = [
	['+1 415 ACME', oneNumber],
	['555267', oneNumber],
	[' ', oneNumber],
	['5551234\n5556789', oneNumber],
	['5551234\r5556789', oneNumber],
	['5551234\u20285556789', oneNumber],
	['5551234\t5556789', oneNumber],
	['5551234,5556789', oneNumber],
	['5551234;5556789', oneNumber],
	['+14155552671 / +14155552672', oneNumber],
	['14155552671+', oneNumber],
	['++14155552671', oneNumber],
	['14155552671 / 14155552672', 'at most 15 digits, and this one has 22'],
	['14155552671.0', 'Write it without ".0"'],
	['1234567890123456', 'at most 15 digits, and this one has 16'],
	['+44 (0)20 7946 0100', 'Write it without "(0)": +44 20 7946 0100.'],
	['+44(0)20 7946 0100', 'Write it without "(0)": +4420 7946 0100.'],
];

describe.each([
	["Recipient's Phone Number", (value: string) => ({ to: value })],
	['From', (value: string) => ({ to: '14155552671', options: { from: value } })],
])('%s', (label, fieldOf) => {
	it.each(refused.filter(([value]) => label !== 'From' || value.trim() !== ''))(
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
	const gap = fc.constantFrom('\n', '\r\n', '\t', ', ', '; ', ' +', '\u2028', '\u2029', '\v', '\f');
	await fc.assert(
		fc.asyncProperty(digits, gap, digits, async (one, between, other) => {
			await attempt(one + between + other);
			expect(account.sent).toEqual([]);
		}),
		propertyRuns(30),
	);
});
