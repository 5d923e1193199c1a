import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { emptyId } from '../../errorTexts';
import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

/** One error says all that is wrong with the input, before anything is written. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const format = 'Dates and Numbers in Text';
const bad = { 'Signed up': '31/12/2025', VIP: 'ja', 'Lifetime value': '1.234,50' };

const run = async (input: IDataObject[], options: IDataObject = {}) =>
	await testbed.run({ ...automatic(), options } as INodeParameters, { input });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'signed_up', type: 'date', label: 'Signed up' });
	store.addAttribute('bot', { name: 'vip', type: 'boolean', label: 'VIP' });
	store.addAttribute('bot', { name: 'lifetime_value', type: 'number', label: 'Lifetime value' });
});

afterEach(() => expect(testbed.writes).toEqual([]));

it('names all problems of one item, with the choice that would read its values', async () => {
	const { error } = await run([{ external_id: 'C-1', ...bad, Name: ['x'] }]);
	expect(error?.message).toBe('Several values are not valid');
	for (const part of [
		'Contact C-1: ',
		'Signed up must be a date such as 2026-09-01 or 2026-09-01T08:30:00Z; it is "31/12/2025".',
		'VIP must be yes or no, true or false, 1 or 0; it is "ja".',
		'Lifetime value must be a number; it is "1.234,50".',
		'Name is a list and must be text.',
		`In Options, set ${format} to "31.12.2026 and 1.234,50".`,
	]) {
		expect(error?.description).toContain(part);
	}
});

it('names each choice that would read all values', async () => {
	const { error } = await run([{ external_id: 'C-1', 'Signed up': '05/06/2025' }]);
	expect(error?.description).toContain(
		`In Options, set ${format} to "31/12/2026 and 1,234.50", "31.12.2026 and 1.234,50" or "12/31/2026 and 1,234.50", whichever your data uses.`,
	);
});

it('names a field by its label, and its column if that has another name', async () => {
	for (const column of ['Lifetime value', 'LIFETIME_VALUE']) {
		const { error } = await run([{ external_id: 'C-1', [column]: 'x' }]);
		expect(error?.description).toContain('Lifetime value must be');
	}
	const { error } = await run([{ external_id: 'C-1', Phone: {} }]);
	expect(error?.description).toContain(
		'Phone Number (column "Phone") is an object and must be text.',
	);
});

describe('of several items', () => {
	it.each([{}, { dryRun: true }])(
		'counts each kind, whole items first, and names contacts, items and rows (%j)',
		async (options) => {
			const { error } = await run(
				[
					{ external_id: 'C-0', Name: 'Ada', 'Signed up': '31/12/2025' },
					{ external_id: 'C-1', Name: 'Ada' },
					{ row_number: 4, Name: 'Bea', VIP: 'nein' },
					{ external_id: 'C-3', ...bad },
					{ external_id: '', Name: 'Cem' },
				],
				options,
			);
			expect(error?.message).toBe(emptyId);
			expect(error?.description).toContain(
				`${emptyId} in 2 items (item 2, row_number 4; item 4). `,
			);
			expect(error?.description).toContain(
				'Signed up: 2 values are not dates, such as 31/12/2025 (C-0). VIP: 2 values are not yes, no, true, false, 1 or 0, such as nein (item 2, row_number 4). Lifetime value: 1.234,50 (C-3) is not a number.',
			);
			expect(error?.context.itemIndex).toBe(2);
		},
	);

	it('names up to five kinds', async () => {
		const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'];
		for (const name of names) testbed.service.store.addAttribute('bot', { name, type: 'number' });
		const row = Object.fromEntries(names.map((name) => [name, 'x']));
		const { error } = await run(['C-1', 'C-2'].map((external_id) => ({ external_id, ...row })));
		expect(error?.description).toContain('a5: 2 values are not numbers');
		expect(error?.description).toContain('There are 2 more kinds');
		expect(error?.description).not.toContain('a6');
	});

	it('counts errors of other kinds, too', async () => {
		const { error } = await run([
			{ external_id: 'C-1', _sync: { action: 'deleted' } },
			{ external_id: 'C-2', ...bad },
		]);
		expect(error?.message).toBe('A mirror has deleted this contact');
		expect(error?.description).toMatch(
			/^A mirror has deleted this contact in C-1\. .* Signed up: /,
		);
	});

	it('shows no API key that a value has', async () => {
		const { apiKey } = testbed.service;
		const input = ['C-1', 'C-2'].map((external_id) => ({ external_id, 'Lifetime value': apiKey }));
		for (const options of [{}, { onFailedItems: 'finish' }]) {
			const { error } = await run(input, options);
			expect(error?.description).toContain('Lifetime value: 2 values are not numbers');
			expect(JSON.stringify(error)).not.toContain(apiKey);
		}
	});
});

it('starts with the row number of an item that has no ID', async () => {
	const { error } = await run([{ row_number: 7, Name: 'Ada' }]);
	expect(error?.description).toMatch(/^Item 0, row_number 7: /);
});

it('names an update after the contact that was chosen, not after its new ID', async () => {
	testbed.service.store.addContact('bot', { external_id: 'C-1' });
	const fields = mapped({ external_id: 'C-9', 'custom_attributes.vip': 'ja' });
	const update = { operation: 'update', contactId, ...fields };
	const { error } = await testbed.run(update, { input: [{ id: 'C-1' }] });
	expect(error?.description).toMatch(/^Contact C-1: VIP must be/);
	const several = await testbed.run(update, { input: [{ id: 'C-1' }, { id: 'C-2' }] });
	expect(several.error?.description).toContain('such as ja (C-1)');
});
