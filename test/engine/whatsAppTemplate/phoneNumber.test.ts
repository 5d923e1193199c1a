/** A number that is none, before a message that costs money goes out. */
import { chosen, mapped, openAccount, orderValues } from './account';

const account = openAccount('send');

const order = { template: chosen(), templateVariables: mapped(orderValues) };
const good = { json: { to: '(+1) 415 555 2671' } };
const bad = { json: { to: '0170 1234567' } };
const toEach = { ...order, to: '={{ $json.to }}' };

it.each([
	["Recipient's Phone Number", { to: '0170 1234567' }],
	['From', { to: '14155552671', options: { from: '0170 1234567' } }],
])('names the field: %s', async (label, fields) => {
	const { error } = await account.testbed.run({ ...order, ...fields });
	expect(error?.message).toBe(`${label} is not a phone number`);
	expect(error?.description).toContain('"0170 1234567". Enter one number with its country code');
	expect(account.sent).toEqual([]);
});

it('stops the run before its first message', async () => {
	const { error } = await account.testbed.run(toEach, { input: [good, good, bad] });
	expect(error?.message).toBe("Recipient's Phone Number is not a phone number");
	expect(account.sent).toEqual([]);
});

it('fails alone if the workflow continues', async () => {
	const nodeSettings = { onError: 'continueRegularOutput' } as const;
	const { items } = await account.testbed.run(toEach, { input: [good, bad, good], nodeSettings });
	expect(items.map(({ json }) => json.error ?? json.status)).toEqual([
		'accepted',
		expect.stringContaining('is not a phone number'),
		'accepted',
	]);
	expect(account.recipients).toEqual(['14155552671', '14155552671']);
});
