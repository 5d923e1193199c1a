import type { INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn, messages, wholeList } from './rows';

/** The column of the input that has the External ID, chosen in Options. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const stored = (id: string) => testbed.service.store.contact('bot', id);

const withIdColumn = (idColumn: string, more: INodeParameters = {}): INodeParameters => ({
	...automatic(),
	options: { idColumn },
	...more,
});

it.each(['upsert', 'create', 'mirror'])('fills the External ID (%s)', async (operation) => {
	const how = { operation, ...wholeList };
	const input = [{ 'Customer ID': 'C-1', Name: 'Ada' }];
	const result = await testbed.succeed(withIdColumn('Customer ID', how), { input });
	expect(stored('C-1')).toMatchObject({ name: 'Ada' });
	expect(messages(result).filter((text) => text.startsWith('Not sent'))).toEqual([]);
});

it('is an empty ID if its cell is empty or missing: nothing else stands in', async () => {
	const input = [
		{ 'Customer ID': 'C-1', external_id: 'a' },
		{ 'Customer ID': ' ', external_id: 'b' },
		{ 'Customer ID': '', external_id: 'c' },
		{ external_id: 'd' },
	];
	const { items } = await testbed.run(withIdColumn('Customer ID'), { input, ...goOn });
	for (const { json } of items.slice(2)) {
		expect(json.error).toMatch(/^External ID is empty.*The column "Customer ID" is empty/);
	}
	expect(items[1].json.error).toMatch(/^External ID is empty/);
	expect(['a', 'b', 'c', 'd'].map(stored)).toEqual([undefined, undefined, undefined, undefined]);
});

it('is refused if no item has it, and the columns are named', async () => {
	const input = [{ 'Customer No': 'C-1', Email: 'ada@x.example' }, { Plan: 'pro' }];
	const { error } = await testbed.run(withIdColumn('Customer ID'), { input });
	expect(error?.message).toBe('External ID Column is not in the input');
	expect(error?.description).toContain(
		'No item has "Customer ID". The columns of the input are Customer No, Email, Plan.',
	);
	expect(testbed.writes).toEqual([]);
});

it('counts for nothing with manual mapping, and in an update', async () => {
	const options = { idColumn: 'Customer ID' };
	const fields = mapped({ external_id: '={{ $json.key }}' });
	const input = [{ key: 'C-1', id: 'C-1', Name: 'Ada' }];
	await testbed.succeed({ ...fields, options }, { input });
	expect(stored('C-1')).toBeDefined();
	await testbed.succeed({ ...automatic(), operation: 'update', contactId, options }, { input });
	expect(stored('C-1')?.name).toBe('Ada');
});

it('may be an expression, also one that differs between items', async () => {
	const idColumn = '={{ $json.source === "shop" ? "shop id" : "crm id" }}';
	const input = [
		{ source: 'shop', 'shop id': 's1', 'crm id': 'x' },
		{ source: 'crm', 'shop id': 'x', 'crm id': 'c1' },
	];
	await testbed.succeed(withIdColumn(idColumn), { input });
	expect([stored('s1'), stored('c1'), stored('x')].map(Boolean)).toEqual([true, true, false]);
});

describe('if no contact has the email of an item without an ID', () => {
	const title = 'No contact has this Email, and External ID is empty';

	it('names an ID column that is empty', async () => {
		const input = [{ 'Customer ID': '', Email: 'ada@x.example' }];
		const { error } = await testbed.run(withIdColumn('Customer ID'), { input });
		expect(error?.message).toBe(title);
		expect(error?.description).toContain('The column "Customer ID" is empty. Fill it in.');
		expect(error?.description).not.toContain('The columns of the input');
	});

	it('names the field in manual mapping', async () => {
		const { error } = await testbed.run(mapped({ email: '={{ $json.mail }}' }), {
			input: [{ mail: 'ada@x.example' }],
		});
		expect(error?.message).toBe(title);
		expect(error?.description).toContain(' Map it to External ID.');
		expect(error?.description).not.toContain('column');
	});
});

it('names likely columns first, since only ten are named', async () => {
	const others = Array.from({ length: 12 }, (_, index) => [`Column ${index}`, 'x']);
	const input = [{ ...Object.fromEntries(others), 'Contact ID': '1', shop_id: '2' }];
	const { error } = await testbed.run(automatic(), { input });
	expect(error?.description).toContain(
		'The columns of the input are Contact ID, shop_id, Column 0, Column 1, ',
	);
});
