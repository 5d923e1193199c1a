import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId } from '../parameters';
import { useTestbed } from '../testbed';
import { attributeField } from './people';
import { goOn, messages, wholeList } from './rows';

/** Columns of real spreadsheets, mapped by their names. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const stored = (id: string) => testbed.service.store.contact('bot', id);
const unknown =
	'No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.';
const notSent = (names: string) => `Not sent: ${names}. ${unknown}`;

/** The hints about columns, beside those with counts. */
const columnHints = (result: Parameters<typeof messages>[0]) =>
	messages(result).filter((message) => message.startsWith('Not sent'));

describe.each(['upsert', 'create', 'mirror'])('headers that people write (%s)', (operation) => {
	const parameters: INodeParameters = {
		operation,
		...automatic(),
		...wholeList,
	};

	it('fill custom attributes, by name before label', async () => {
		const { store } = testbed.service;
		store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Tariff' });
		store.addAttribute('bot', { name: 'ltv', type: 'number', label: 'Lifetime Value' });
		store.addAttribute('bot', { name: 'tariff_since', type: 'date', label: 'Plan' });
		const row = { 'External ID': 'C-1', Plan: 'pro', 'lifetime value': '12.5' };
		await testbed.succeed(parameters, { input: [row] });
		expect(stored('C-1')?.custom_attributes).toEqual({ plan: 'pro', ltv: 12.5 });
	});

	it('fill an attribute that has replaced an archived one of the same label', async () => {
		const { store } = testbed.service;
		store.addAttribute('bot', { name: 'tariff', type: 'text', label: 'Plan', archived: true });
		store.addAttribute('bot', { name: 'tariff_2', type: 'text', label: 'Plan' });
		await testbed.succeed(parameters, { input: [{ 'External ID': 'C-1', Plan: 'pro' }] });
		expect(stored('C-1')?.custom_attributes).toEqual({ tariff_2: 'pro' });
	});

	it.each([
		['text, as in a CSV file', '{"plan":"pro"}'],
		['a list', [{ plan: 'pro' }]],
	])('named custom_attributes are named as not sent if they have %s', async (_, value) => {
		testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text' });
		const input = [{ external_id: 'C-1', name: 'Ada', custom_attributes: value as string }];
		const result = await testbed.succeed(parameters, { input });
		expect(stored('C-1')?.custom_attributes?.plan).toBeUndefined();
		expect(columnHints(result)).toEqual([notSent('custom_attributes')]);
	});

	it('are named once if they belong nowhere', async () => {
		const row = { external_id: 'C-1', Name: 'Ada', Plan: 'pro', segment: 'b2b' };
		const input = [row, { ...row, external_id: 'C-2', Notes: 'VIP' }];
		expect(columnHints(await testbed.succeed(parameters, { input }))).toEqual([
			notSent('Plan, segment, Notes'),
		]);
	});
});

const row = { external_id: 'C-1', Name: 'Ada' };

it('names the first ten columns that belong nowhere, and counts the others', async () => {
	const others = Array.from({ length: 13 }, (_, index) => `other${index}`);
	const input = [{ ...row, ...Object.fromEntries(others.map((name) => [name, 'x'])) }];
	const [hint] = columnHints(await testbed.succeed(automatic(), { input }));
	expect(hint).toBe(notSent(`${others.slice(0, 10).join(', ')} and 3 more`));
});

it('quotes names that are empty or have spaces around them', async () => {
	const input = [{ ...row, ' Country ': 'FR', '': 'x', Plan: 'pro' }];
	const hints = columnHints(await testbed.succeed(automatic(), { input }));
	expect(hints).toEqual([notSent('" Country ", "", Plan')]);
});

it('says which column a new contact needs if only its email is given', async () => {
	const input = [{ 'Customer ID': 'C-9', Email: 'new@x.example' }];
	const { error } = await testbed.run(automatic(), { input });
	expect(error?.description).toContain(
		'The columns of the input are Customer ID, Email. If another column has the ID, enter its name in Options → External ID Column',
	);
});

it('names them in a dry run and in an update, too', async () => {
	testbed.service.store.addContact('bot', { external_id: 'C-1', name: 'Ada' });
	const input = [{ ...row, id: 'C-1', External_Id: 'other', Plan: 'pro' }];
	const dryRun = await testbed.succeed({ ...automatic(), options: { dryRun: true } }, { input });
	expect(columnHints(dryRun)).toContain(notSent('Plan'));
	const update = { ...automatic(), operation: 'update', contactId };
	expect(columnHints(await testbed.succeed(update, { input }))).toEqual([notSent('Plan')]);
	expect(testbed.writes.map(({ body }) => body)).toEqual([{ data: { name: 'Ada' } }]);
});

it('does not name what a contact has beside its fields', async () => {
	const input = [
		{
			...row,
			_sync: { action: 'created' },
			id: 7,
			'Created At': 1,
			updated_at: 2,
			custom_attributes: { moon: 'Io' },
		},
	];
	const result = await testbed.succeed(automatic(), { input });
	expect(columnHints(result)).toEqual([]);
	expect(result.items[0].json._sync).toMatchObject({ dropped: ['custom_attributes.moon'] });
});

describe('what the editor has stored with the mapping months ago', () => {
	const schema = [{ ...attributeField('plan', 'string'), displayName: 'Attribute: Tariff (plan)' }];

	it.each(['upsert', 'create', 'mirror'])(
		'names no column: an attribute that is new since then is filled (%s)',
		async (operation) => {
			const { store } = testbed.service;
			store.addAttribute('bot', { name: 'plan', type: 'text' });
			store.addAttribute('bot', { name: 'seats', type: 'number' });
			const input = [{ ...row, plan: 'pro', Seats: '5', TARIFF: 'old' }];
			const result = await testbed.succeed(
				{ operation, manage: 'all', ...automatic(schema) },
				{ input },
			);
			expect(stored('C-1')?.custom_attributes).toEqual({ plan: 'pro', seats: 5 });
			expect(columnHints(result)).toEqual([notSent('TARIFF')]);
		},
	);

	it('tells no type: a text with 16 digits stays text', async () => {
		testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text' });
		const stale = [attributeField('plan', 'number')];
		const input = [{ ...row, plan: '0012345678901234' }];
		await testbed.succeed(automatic(stale), { input });
		expect(stored('C-1')?.custom_attributes).toEqual({ plan: '0012345678901234' });
	});
});

it('fills the attributes of a chatbot that an expression chooses, each with its own', async () => {
	const { store } = testbed.service;
	store.addChatbot({ id: 'second' });
	store.addAttribute('bot', { name: 'plan', type: 'text' });
	store.addAttribute('second', { name: 'seats', type: 'number' });
	const both = { plan: 'pro', seats: '5' };
	const input = [
		{ ...row, ...both, bot: 'bot' },
		{ ...row, ...both, bot: 'second' },
	];
	const chosen = { ...chatbotId, value: '={{ $json.bot }}' };
	await testbed.succeed({ ...automatic(), chatbotId: chosen }, { input });
	expect(stored('C-1')?.custom_attributes).toEqual({ plan: 'pro' });
	expect(store.contact('second', 'C-1')?.custom_attributes).toEqual({ seats: 5 });
	const lists = testbed.service.requests.filter(({ path }) => path.endsWith('custom-attributes'));
	expect(lists).toHaveLength(2);
});

it('takes payment accounts as Get Many returns them', async () => {
	const payment_accounts = [{ label: 'Main', payment_id: 'cus_1', payment_email: 'a@x.example' }];
	const input = [{ ...row, payment_accounts }];
	const result = await testbed.succeed(automatic(), { input });
	expect(columnHints(result)).toEqual([]);
	expect(stored('C-1')?.payment_accounts).toEqual(payment_accounts);
});

it('keeps the payment accounts of a contact when an item has none', async () => {
	const payment_accounts = [{ label: 'Main', payment_id: 'cus_1' }];
	testbed.service.store.addContact('bot', { external_id: 'C-1', payment_accounts });

	const none = { external_id: 'C-1', name: 'New', payment_accounts: [] };
	await testbed.succeed(automatic(), { input: [none] });
	expect(stored('C-1')).toMatchObject({ name: 'New', payment_accounts });
});

describe('a column beside the same key in custom_attributes', () => {
	const input = [{ ...row, plan: 'pro', custom_attributes: { plan: 'free' } }];
	beforeEach(() => testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text' }));

	it('fails the item when their values differ', async () => {
		const { error } = await testbed.run(automatic(), { input });
		expect(error?.message).toBe('Two columns have values for one field');
		expect(error?.description).toMatch(
			/"(custom_attributes\.)?plan" and "(custom_attributes\.)?plan" both mean "plan"\. Remove one/,
		);
		expect(testbed.writes).toEqual([]);
	});

	it('is not sent, and the key is, when the service lists no attributes', async () => {
		testbed.service.behaviour.endpoints = 'withoutAttributeList';
		const result = await testbed.succeed(automatic(), { input });
		expect(stored('C-1')).toMatchObject({ name: 'Ada', custom_attributes: { plan: 'free' } });
		expect(columnHints(result)).toEqual([notSent('plan')]);
	});
});

it('several columns for one field fail the item if none has the exact name, and are named', async () => {
	const input = [
		{ ...row, Email: 'a@x.example', 'E-Mail': 'b@x.example' },
		{ ...row, external_id: 'C-2', Email: 'c@x.example', 'E-Mail': ' ' },
	];
	const { items } = await testbed.run(automatic(), { input, ...goOn });
	expect(items[0].json.error).toMatch(
		/^Two columns have values for one field\. .*: "Email" and "E-Mail" both mean Email\. /,
	);
	expect(stored('C-1')).toBeUndefined();
	expect(stored('C-2')?.email).toBe('c@x.example');
});

it.each<[string, IDataObject, RegExp]>([
	['upsert', { Customer: 'C-1' }, /external_id or External ID.*email or Email/],
	['create', { Customer: 'C-1' }, /external_id or External ID/],
	['mirror', { Customer: 'C-1' }, /external_id or External ID/],
	['upsert', { 'External ID': '', Name: 'Ada' }, /"External ID" is empty/],
])(
	'an input without an ID says which columns count (%s of %j)',
	async (operation, columns, advice) => {
		const { error } = await testbed.run(
			{ operation, manage: 'all', ...automatic() },
			{ input: [columns] },
		);
		expect(error?.message).toBe('External ID is empty');
		expect(error?.description).toMatch(advice);
		expect(error?.description).not.toContain('Map ');
		expect(testbed.writes).toEqual([]);
	},
);
