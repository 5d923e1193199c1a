import type { INodeParameters } from 'n8n-workflow';

import { emptyId } from '../../errorTexts';
import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { messages, wholeList } from './rows';

/** Automatic mapping. `unit/contact/columns` has what each column fills; here is that this reaches the service. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const stored = (id: string) => testbed.service.store.contact('bot', id);
const withIdColumn = (idColumn: string, more: INodeParameters = {}): INodeParameters => ({
	...automatic(),
	options: { idColumn },
	...more,
});
/** The hints about columns. */
const aboutColumns = (result: Parameters<typeof messages>[0]) =>
	messages(result).filter((message) => message.includes('Not sent'));

const sheet = {
	row_number: 2,
	'Customer ID': 'C-1',
	'First Name': 'Ada',
	'Last Name': 'Lovelace',
	'E-Mail': 'ada@x.example',
	Mobile: '1',
	Tariff: 'pro',
	'Signed up': '2024-03-12 13:14:05+00',
	Old: 'x',
};

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Tariff' });
	store.addAttribute('bot', { name: 'signed_up', type: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
});

it.each(['upsert', 'create', 'mirror'])(
	'fills fields and attributes by column, and says what is not sent (%s)',
	async (operation) => {
		const how = withIdColumn('Customer ID', { operation, ...wholeList });
		const input = [sheet, { 'Customer ID': 'C-2', Notes: 'VIP' }];
		const result = await testbed.succeed(how, { input });
		expect(stored('C-1')).toMatchObject({ email: 'ada@x.example' });
		expect(stored('C-1')?.custom_attributes).toEqual({
			plan: 'pro',
			signed_up: '2024-03-12T13:14:05.000Z',
		});
		expect(stored('C-2')).toBeDefined();
		expect(aboutColumns(result)).toEqual([
			'No column fills Name and Phone Number. Not sent: First Name, Last Name, Mobile, Notes. No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.',
			'Not sent: custom_attributes.old. This attribute is archived, so it takes no value.',
		]);
	},
);

it('fills them in an update, too, without the ID, and names no unfilled field', async () => {
	testbed.service.store.addContact('bot', { external_id: 'C-1' });
	const input = [{ id: 'C-1', external_id: 'other', Name: 'Ada', Shoes: '9' }];
	const parameters = { operation: 'update', contactId, ...withIdColumn('Shoes') };
	const result = await testbed.succeed(parameters, { input });
	expect(testbed.writes.map(({ body }) => body)).toEqual([{ data: { name: 'Ada' } }]);
	expect(aboutColumns(result)).toEqual([expect.stringMatching(/^Not sent: Shoes\./)]);
});

describe('a hint about columns', () => {
	const of = async (row: object, parameters: INodeParameters = automatic()) =>
		aboutColumns(await testbed.succeed(parameters, { input: [row] as never })).join('\n');

	it('is not given if every column is sent', async () => {
		expect(await of({ external_id: 'C-1', Tariff: 'pro' })).toBe('');
	});

	it('names a column that loses against another one', async () => {
		expect(await of({ external_id: 'C-1', Name: 'A', email: '', 'E-Mail': '', Phone: '1' })).toBe(
			'Not sent: E-Mail. Another column fills the same field.',
		);
	});

	it('names no field that Additional Fields fill', async () => {
		const additionalFields = { extraFieldsJson: '{ "name": "Ada" }' };
		const hint = await of({ external_id: 'C-1', Shoes: '9' }, { ...automatic(), additionalFields });
		expect(hint).toMatch(/^No column fills Email and Phone Number\./);
	});

	it('names a column with emails that fills External ID alone', async () => {
		const row = { 'Primary Email': 'ada@x.example', Name: 'Ada', Phone: '1' };
		expect(await of(row, withIdColumn('Primary Email'))).toMatch(
			/^No column fills Email\. Not sent to Email: Primary Email\./,
		);
		expect(await of({ Login: 'ada', Name: 'Ada' }, withIdColumn('Login'))).toBe('');
	});

	it('names ten columns, and quotes those with spaces around them', async () => {
		const others = Array.from({ length: 12 }, (_, index) => [`other${index}`, 'x']);
		const row = { external_id: 'C-1', ' Country ': 'FR', ...Object.fromEntries(others) };
		expect(await of(row)).toContain('Not sent: " Country ", other0, other1, ');
		expect(await of(row)).toContain('other8 and 3 more.');
	});

	it('is given in a Dry Run, too', async () => {
		const dryRun = { ...automatic(), options: { dryRun: true } };
		expect(await of({ external_id: 'C-1', Shoes: '9' }, dryRun)).toContain('Not sent: Shoes');
		expect(testbed.writes).toEqual([]);
	});
});

it('counts attributes that the chatbot lacks in custom_attributes as dropped', async () => {
	const input = [{ external_id: 'C-1', custom_attributes: { moon: 'Io', plan: 'pro' } }];
	const { items } = await testbed.succeed(automatic(), { input });
	expect(items[0].json._sync).toMatchObject({ dropped: ['custom_attributes.moon'] });
	expect(stored('C-1')?.custom_attributes).toEqual({ plan: 'pro' });
});

it('leaves attributes to the keys of custom_attributes if the service lists none', async () => {
	testbed.service.behaviour.endpoints = 'withoutAttributeList';
	const input = [{ external_id: 'C-1', Tariff: 'x', custom_attributes: { plan: 'free' } }];
	const result = await testbed.succeed(automatic(), { input });
	expect(stored('C-1')?.custom_attributes).toEqual({ plan: 'free' });
	expect(aboutColumns(result).join()).toContain('Not sent: Tariff.');
});

it('fills the attributes of a chatbot that an expression chooses, each with its own', async () => {
	const { store } = testbed.service;
	store.addChatbot({ id: 'second' });
	store.addAttribute('second', { name: 'seats', type: 'number' });
	const row = { external_id: 'C-1', plan: 'pro', seats: '5' };
	const input = [
		{ ...row, bot: 'bot' },
		{ ...row, bot: 'second' },
	];
	const chosen = { ...chatbotId, value: '={{ $json.bot }}' };
	await testbed.succeed({ ...automatic(), chatbotId: chosen }, { input });
	expect(stored('C-1')?.custom_attributes).toEqual({ plan: 'pro' });
	expect(store.contact('second', 'C-1')?.custom_attributes).toEqual({ seats: 5 });
	const lists = testbed.service.requests.filter(({ path }) => path.endsWith('custom-attributes'));
	expect(lists).toHaveLength(2);
});

it('copies the payment accounts that Get Many returns, and keeps them if an item has none', async () => {
	const payment_accounts = [{ label: 'Main', payment_id: 'cus_1', payment_email: 'a@x.example' }];
	await testbed.succeed(automatic(), { input: [{ external_id: 'C-1', payment_accounts }] });
	const none = { external_id: 'C-1', name: 'New', payment_accounts: [] };
	await testbed.succeed(automatic(), { input: [none] });
	expect(stored('C-1')).toMatchObject({ name: 'New', payment_accounts });
});

describe('External ID Column', () => {
	it('is refused if no item has it, and the columns are named', async () => {
		const input = [{ 'Customer No': 'C-1', Email: 'ada@x.example' }, { Plan: 'pro' }];
		const { error } = await testbed.run(withIdColumn('Customer ID'), { input });
		expect(error?.message).toBe('External ID Column is not in the input');
		expect(error?.description).toContain('Customer No, Email, Plan.');
		expect(testbed.writes).toEqual([]);
	});

	it('may be an expression that differs between items', async () => {
		const idColumn = '={{ $json.source === "shop" ? "shop id" : "crm id" }}';
		const input = [
			{ source: 'shop', 'shop id': 's1', 'crm id': 'x' },
			{ source: 'crm', 'shop id': 'x', 'crm id': 'c1' },
		];
		await testbed.succeed(withIdColumn(idColumn), { input });
		expect([stored('s1'), stored('c1'), stored('x')].map(Boolean)).toEqual([true, true, false]);
	});

	it('counts for nothing with manual mapping', async () => {
		const fields = mapped({ external_id: '={{ $json.key }}' });
		await testbed.succeed({ ...withIdColumn('nowhere'), ...fields }, { input: [{ key: 'C-1' }] });
		expect(stored('C-1')).toBeDefined();
	});
});

describe('an External ID that is empty', () => {
	const advice = 'Set External ID Column to the column that identifies a customer.';

	it.each(['upsert', 'create', 'mirror'])(
		'is refused with the columns, likely ones first, and the option (%s)',
		async (operation) => {
			const others = Array.from({ length: 12 }, (_, index) => [`Column ${index}`, 'x']);
			const rows = [
				{ ...Object.fromEntries(others), 'Contact ID': '1', shop_id: '2' },
				{ external_id: '', ...Object.fromEntries(others), 'Contact ID': '1', shop_id: '2' },
			];
			for (const row of rows) {
				const how = { operation, ...automatic(), ...wholeList };
				const { error } = await testbed.run(how, { input: [row] });
				expect(error?.message).toBe(emptyId);
				expect(error?.description).toMatch(
					/The columns of the input are [^.]*Contact ID, shop_id, Column 0,/,
				);
				expect(error?.description).toContain(advice);
			}
			expect(testbed.writes).toEqual([]);
		},
	);

	it('names the email as ID with manual mapping, too', async () => {
		const byHand = mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' });
		const { error } = await testbed.run(byHand, { input: [{ name: 'Lead' }] });
		expect(error?.message).toBe(emptyId);
		expect(error?.description).toContain('map the email to External ID, too');
	});

	it('gets the same advice if no contact has the email of the item', async () => {
		const input = [{ 'Customer ID': '', Email: 'new@x.example' }];
		const { error } = await testbed.run(withIdColumn('Customer ID'), { input });
		expect(error?.message).toBe(`No contact has this Email, and ${emptyId}`);
		expect(error?.description).toContain(advice);
		const byHand = mapped({ email: '={{ $json.Email }}' });
		const other = await testbed.run(byHand, { input });
		expect(other.error?.description).toContain('map the email to External ID, too');
	});

	it('names its column if other items have a value there', async () => {
		const input = [{ 'Customer ID': 'C-1' }, { 'Customer ID': '', Name: 'Ada' }];
		const { error } = await testbed.run(withIdColumn('Customer ID'), { input });
		expect(error?.message).toBe(emptyId);
		expect(error?.description).toContain('Column "Customer ID" has no value there');
		expect(error?.description).not.toContain(advice);
	});

	it('stays empty although another column is named external_id', async () => {
		const input = [{ 'Customer ID': '', external_id: 'c', Email: '' }];
		const { error } = await testbed.run(withIdColumn('Customer ID'), { input });
		expect(error?.message).toBe(emptyId);
	});
});

it('an update of columns that are all empty says so', async () => {
	testbed.service.store.addContact('bot', { external_id: 'C-1' });
	const run = async (mapping: INodeParameters, row: object) =>
		await testbed.run(
			{ operation: 'update', contactId, ...mapping },
			{ input: [{ id: 'C-1', ...row }] },
		);
	const title = 'Contact Fields has nothing to update';
	const empty = await run(automatic(), { name: '', Tariff: ' ' });
	expect(empty.error?.message).toBe(title);
	expect(empty.error?.description).toContain('Nothing that is mapped has a value.');
	const absent = await run(automatic(), { Shoes: '9' });
	expect(absent.error?.description).toContain('Automatic mapping needs a column');
	const byHand = await run(mapped({ name: '={{ $json.nmae }}' }), {});
	expect(byHand.error?.message).toBe(title);
	expect(byHand.error?.description).toContain('Check the expressions');
});

it('what the editor has stored with the mapping names no column and no type', async () => {
	const schema = [{ id: 'custom_attributes.plan', type: 'number', displayName: 'Plan' }];
	const input = [{ external_id: 'C-1', plan: '0012345678901234' }];
	await testbed.succeed(automatic(schema), { input });
	expect(stored('C-1')?.custom_attributes).toEqual({ plan: '0012345678901234' });
});
