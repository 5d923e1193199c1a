import { openAccount, orderUpdate } from './account';

const account = openAccount('getAll');
const all = { returnAll: true };
const raw = { ...all, simplify: false };
const list = ['GET /templates'];

const invoice = {
	...orderUpdate,
	id: 'tpl_2',
	name: 'invoice',
	language: 'de',
	category: 'MARKETING',
	variables: {},
	components: [
		{ type: 'BODY', text: 'Pay here' },
		{ type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://acme.example/{{1}}' }] },
	],
};

it('returns each approved template with its text, its numbers, and whether it can be sent', async () => {
	account.connect('waba_2', '14155552673', [invoice, { ...invoice, status: 'PENDING' }]);
	const { items } = await account.testbed.succeed(raw);
	expect(account.sent).toEqual([list]);
	expect(items.map(({ json }) => json)).toEqual([
		{
			...orderUpdate,
			wabaId: 'waba_1',
			text: 'Order {{1}}\nHi {{1}}, it arrives on {{2}}.\nAcme',
			isSendable: true,
			senders: [{ from: '14155552672', verifiedName: 'Acme waba_1', wabaId: 'waba_1' }],
		},
		{
			...invoice,
			wabaId: 'waba_2',
			text: 'Pay here',
			isSendable: false,
			senders: [{ from: '14155552673', verifiedName: 'Acme waba_2', wabaId: 'waba_2' }],
		},
	]);
});

const simplified = {
	id: 'tpl_1',
	name: 'order_update',
	language: 'en_US',
	category: 'UTILITY',
	text: 'Order {{1}}\nHi {{1}}, it arrives on {{2}}.\nAcme',
	variables_header: ['1'],
	variables_body: ['1', '2'],
	isSendable: true,
	wabaId: 'waba_1',
	senders: [{ from: '14155552672', verifiedName: 'Acme waba_1', wabaId: 'waba_1' }],
};

it('returns ten fields of each template, unless Simplify is off', async () => {
	const { items } = await account.testbed.succeed(all);
	expect(items.map(({ json }) => Object.entries(json))).toEqual([Object.entries(simplified)]);
	expect(Object.keys(simplified)).toHaveLength(10);
});

it.each([
	[{}, simplified],
	[
		{ output: 'selectedFields', outputFields: ['name', 'text'] },
		{ id: 'tpl_1', name: 'order_update', text: simplified.text },
	],
	[
		{ output: 'raw' },
		{
			...orderUpdate,
			wabaId: 'waba_1',
			text: simplified.text,
			isSendable: true,
			senders: simplified.senders,
		},
	],
])('gives an agent what Output says: %j', async (output, expected) => {
	const { records } = await account.testbed.callTool({ limit: 5, ...output }, {});
	expect(records).toEqual([expected]);
});

it.each([
	[{ category: 'MARKETING' }, ['invoice']],
	[{ language: 'EN_us' }, ['order_update']],
	[{ name: 'VOICE' }, ['invoice']],
	[{ name: 'refund' }, []],
])('returns what the filters %j say', async (filters, expected) => {
	account.here.accounts[0].templates.push(invoice);
	const { items } = await account.testbed.run({ ...all, filters });
	expect(items.map(({ json }) => json.name)).toEqual(expected);
});

it('returns no more than Limit', async () => {
	account.here.accounts[0].templates.push(invoice);
	const { items } = await account.testbed.run({ limit: 1 });
	expect(items).toHaveLength(1);
});

describe('an account that the service cannot reach', () => {
	beforeEach(() => account.connect('waba_2', '14155552673', [invoice]));

	it('is asked for again', async () => {
		account.set({ partialTemplateLists: 2 });
		const { items } = await account.runAtOnce(all);
		expect(items).toHaveLength(2);
		expect(account.sent).toEqual([list, list, list]);
	});

	it('fails the node after three reads', async () => {
		account.set({ partialTemplateLists: 5 });
		const { error } = await account.runAtOnce(all);
		expect(error?.message).toBe('The list of templates is not complete');
		expect(account.sent).toEqual([list, list, list]);
	});

	it('is left out if Allow Partial List is on', async () => {
		account.set({ partialTemplateLists: 5 });
		const { items } = await account.testbed.run({ ...all, options: { allowPartialList: true } });
		expect(items.map(({ json }) => json.name)).toEqual(['order_update']);
		expect(account.sent).toEqual([list]);
	});
});

it('says that WhatsApp is not connected', async () => {
	account.here.accounts.length = 0;
	const { error } = await account.testbed.run(all);
	expect(error?.message).toBe('The chatbot is not connected to WhatsApp');
});
