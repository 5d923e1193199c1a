import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId } from '../parameters';
import { useTestbed } from '../testbed';
import { messages, wholeList } from './rows';

/** A spreadsheet as people have it: its dates and numbers, and what the node says about them. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const stored = (id: string) => testbed.service.store.contact('bot', id);
const attributesOf = (id: string) => stored(id)?.custom_attributes;
/** As the service stores a date. */
const instant = (date: string) =>
	new Date(`${date}${date.includes('T') ? '' : 'T00:00:00'}Z`).toISOString();

const format = 'Dates and Numbers in Text';
const formats = {
	iso: '2026-12-31 and 1234.5',
	dayPoint: '31/12/2026 and 1,234.50',
	dayComma: '31.12.2026 and 1.234,50',
	monthPoint: '12/31/2026 and 1,234.50',
};

const withOptions = (options: IDataObject): INodeParameters =>
	({ ...automatic(), options }) as INodeParameters;

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'signed_up', type: 'date', label: 'Signed up' });
	store.addAttribute('bot', { name: 'vip', type: 'boolean', label: 'VIP' });
	store.addAttribute('bot', { name: 'lifetime_value', type: 'number', label: 'Lifetime value' });
	store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
});

describe('a spreadsheet with human headers', () => {
	const person = (number: number, more: IDataObject = {}) => ({
		'Customer ID': `C-${number}`,
		'Full Name': 'Ada Lovelace',
		'E-mail': `ada${number}@x.example`,
		Mobile: `+44 7700 90000${number}`,
		Plan: 'pro',
		'Signed up': `${number + 20}/12/2025`,
		VIP: number % 2 ? 'yes' : 'no',
		'Lifetime value': `1,23${number}.50`,
		...more,
	});
	const input = [person(1), person(2), person(3, { 'Signed up': '05/06/2025' })];

	it('is stored as it is meant', async () => {
		const options = { idColumn: 'Customer ID', textFormat: 'dayPoint' };
		const result = await testbed.succeed(withOptions(options), { input });
		expect(stored('C-1')).toMatchObject({
			name: 'Ada Lovelace',
			email: 'ada1@x.example',
			phonenumber: '+44 7700 900001',
			custom_attributes: {
				plan: 'pro',
				signed_up: instant('2025-12-21'),
				vip: true,
				lifetime_value: 1231.5,
			},
		});
		expect(attributesOf('C-3')).toMatchObject({ signed_up: instant('2025-06-05') });
		expect(messages(result)).toContain(
			`Signed up: 21/12/2025 was read as 2025-12-21. Lifetime value: 1,231.50 was read as 1231.5. If this is wrong, change ${format} in Options.`,
		);
	});
});

it.each([
	[46205, '2026-07-02'],
	[46205.5, '2026-07-02T12:00:00'],
	[366, '1900-12-31'],
	[80_000, '2119-01-11'],
])('a day of Excel: %d is read as %s in a date attribute, with a hint', async (day, date) => {
	const result = await testbed.succeed(automatic(), {
		input: [{ external_id: 'C-1', 'Signed up': day }],
	});
	expect(attributesOf('C-1')?.signed_up).toBe(instant(date));
	expect(messages(result)).toContain(
		`Signed up: ${day} was read as ${date}, Excel's number for a day.`,
	);
});

describe.each(['create', 'upsert', 'update', 'mirror'])('the option in %s', (operation) => {
	beforeEach(() => {
		if (operation === 'update') testbed.service.store.addContact('bot', { external_id: 'C-1' });
	});
	it.each([
		['dayPoint', '31/12/2026', '1,234.50', 1234.5, '2026-12-31'],
		['dayComma', '31.12.2026 08:30', '1.234,50', 1234.5, '2026-12-31T08:30:00'],
		['monthPoint', '12/31/2026', '-1,234,567', -1234567, '2026-12-31'],
		['iso', '2026-12-31', '1234.5', 1234.5, '2026-12-31'],
	])('%s reads %s and %s', async (textFormat, date, text, number, day) => {
		const input = [{ id: 'C-1', external_id: 'C-1', 'Signed up': date, 'Lifetime value': text }];
		const parameters = { operation, contactId, ...wholeList, ...withOptions({ textFormat }) };
		await testbed.succeed(parameters, { input });
		expect(attributesOf('C-1')).toEqual({ signed_up: instant(day), lifetime_value: number });
	});
});

describe('what is wrong', () => {
	const bad = { 'Signed up': '31/12/2025', VIP: 'ja', 'Lifetime value': '1.234,50' };

	it('in one item is named all at once', async () => {
		const { error } = await testbed.run(automatic(), {
			input: [{ external_id: 'C-1', ...bad, Name: ['x'] }],
		});
		expect(error?.message).toBe('Several values are not valid');
		for (const part of [
			'Contact C-1: ',
			'"Signed up" is the text "31/12/2025" and must be a date',
			'"VIP" is the text "ja" and must be true or false, or yes or no.',
			'"Lifetime value" is the text "1.234,50" and must be a number.',
			'Name is a list and must be text.',
			`In Options, set ${format} to "${formats.dayComma}".`,
		]) {
			expect(error?.description).toContain(part);
		}
		expect(testbed.writes).toEqual([]);
	});

	it('in all items is counted by kind, what is wrong with whole items first', async () => {
		const input = [
			{ Name: 'Ada', 'Signed up': '31/12/2025' },
			{ external_id: 'C-1', Name: 'Ada' },
			{ external_id: 'C-2', ...bad },
			{ Name: 'Bea' },
			{ external_id: '', Name: 'Cem' },
		];
		for (const more of [{}, { dryRun: true }, { onFailedItems: 'finish' }]) {
			const { error } = await testbed.run(withOptions(more), { input });
			expect(error?.description).toContain(
				'External ID is empty in 3 items (0, 3, 4). The column "external_id" is empty.',
			);
			expect(error?.description).toContain(
				'Signed up: 2 values are not dates, such as 31/12/2025. VIP: 1 value is not true or false, such as ja. Lifetime value: 1 value is not a number, such as 1.234,50.',
			);
		}
	});

	it('is told with the column that new contacts will need', async () => {
		const input = [{ 'Customer ID': 'C-1', Email: 'ada@x.example', ...bad }];
		const { error } = await testbed.run(automatic(), { input });
		expect(error?.description).toContain(
			'No column has the External ID, which new contacts need. The columns of the input are Customer ID, Email,',
		);
	});

	it('is told up to five kinds', async () => {
		const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'];
		for (const name of names) testbed.service.store.addAttribute('bot', { name, type: 'number' });
		const row = Object.fromEntries(names.map((name) => [name, 'x']));
		const input = ['C-1', 'C-2'].map((external_id) => ({ external_id, ...row }));
		const { error } = await testbed.run(automatic(), { input });
		expect(error?.description).toContain(
			'a5: 2 values are not numbers, such as x. There are 2 more',
		);
		expect(error?.description).not.toContain('a6');
	});

	it('is named by label and column', async () => {
		testbed.service.store.addAttribute('bot', { name: 'seats', type: 'number', label: 'Seats' });
		const fields = ['seats', 'Seats', 'SEATS'];
		for (const column of fields) {
			const { error } = await testbed.run(automatic(), {
				input: [{ external_id: 'C-1', [column]: 'many' }],
			});
			expect(error?.description).toContain('"Seats" is the text "many" and must be a number.');
		}
		const { error } = await testbed.run(automatic(), {
			input: [{ external_id: 'C-1', lifetime_value: 'x', Mobile: {} }],
		});
		expect(error?.description).toContain(
			'Phone Number (column "Mobile") is an object and must be text.',
		);
	});

	it('names each choice that would read all of it', async () => {
		const { error } = await testbed.run(automatic(), {
			input: [{ external_id: 'C-1', 'Signed up': '05/06/2025' }],
		});
		expect(error?.description).toContain(
			`In Options, set ${format} to "${formats.dayPoint}", "${formats.dayComma}" or "${formats.monthPoint}", as your data means it.`,
		);
	});

	it('names errors of other kinds with their items', async () => {
		const { error } = await testbed.run(automatic(), {
			input: [
				{ external_id: 'C-1', _sync: { action: 'deleted' } },
				{ external_id: 'C-2', ...bad },
			],
		});
		expect(error?.message).toBe('A mirror has deleted this contact');
		expect(error?.description).toMatch(
			/^A mirror has deleted this contact in item 0\. .*Remove such items with a Filter node\. Signed up: 1 value/,
		);
	});

	it('does not show the API key, if a value has it', async () => {
		const { apiKey } = testbed.service;
		const input = ['C-1', 'C-2'].map((external_id) => ({ external_id, 'Lifetime value': apiKey }));
		for (const options of [{}, { onFailedItems: 'finish' }]) {
			const { error } = await testbed.run(withOptions(options), { input });
			expect(error?.description).toContain('Lifetime value: 2 values are not numbers');
			expect(JSON.stringify(error)).not.toContain(apiKey);
		}
	});
});

describe('what is probably wrong is named in a hint', () => {
	it.each<[string, IDataObject, string]>([
		['E+', { external_id: '4.47911E+11' }, 'External ID has lost digits'],
		['E+', { external_id: 'C-1', phonenumber: '4.47911E+11' }, 'Phone Number has lost digits'],
		['E+', { external_id: 'C-1', Mobile: '4,47911e+11' }, 'Phone Number has lost digits'],
		['NULL', { external_id: 'NULL', email: 'a@x.example' }, 'External ID is a word for "empty"'],
		['n/a', { external_id: 'n/a', email: 'a@x.example' }, 'External ID is a word for "empty"'],
		['#N/A', { external_id: '#N/A', email: 'a@x.example' }, 'External ID is a word for "empty"'],
		['invisible', { external_id: 'C-\u200B1' }, 'External ID has invisible characters'],
		['spaces', { external_id: ' C-1' }, 'External ID has spaces around it'],
		[
			'Google',
			{ external_id: 'C-1', email: 'a@x.example ::: b@x.example' },
			'Email is not an email address',
		],
		[
			'Google',
			{ external_id: 'C-1', phonenumber: '+44 20 1 ::: +44 20 2' },
			'Phone Number has several numbers',
		],
		[
			'email',
			{ external_id: 'C-1', email: 'jane' },
			'Email is not an email address: "jane" (item 0)',
		],
		['U+FFFD', { external_id: 'C-1', name: 'M\uFFFDller' }, 'Name has a broken character'],
		['U+FFFD', { external_id: 'C-1', plan: 'M\uFFFDller' }, 'Plan has a broken character'],
	])('%s: %j', async (_, row, text) => {
		const result = await testbed.succeed(automatic(), { input: [row] });
		expect(messages(result).join('\n')).toContain(text);
		expect(testbed.writes).toHaveLength(1);
	});

	it('but not what is usual', async () => {
		const result = await testbed.succeed(automatic(), {
			input: [{ external_id: '1E5', phonenumber: '+45 20', name: 'Null Müller', plan: 'null' }],
		});
		expect(messages(result)).toEqual([expect.stringContaining('1 contact created')]);
	});

	it('numbers that all look like thousands', async () => {
		const rows = (...values: string[]) =>
			values.map((value, at) => ({ external_id: `C-${at}`, 'Lifetime value': value }));
		const thousands = await testbed.succeed(automatic(), { input: rows('1.234', '12.000') });
		expect(messages(thousands)).toContain(
			`Lifetime value: all numbers look like 1.234, which was read as 1.234. If it means 1234, set ${format} to "${formats.dayComma}" in Options.`,
		);
		const mixed = await testbed.succeed(automatic(), { input: rows('1.234', '12.5') });
		expect(messages(mixed).join()).not.toContain('look like');
	});
});
