import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { messages } from './rows';

/** What programs and address books add to values, and nobody means. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const stored = (id: string) => testbed.service.store.contact('bot', id);

const byHand = mapped({
	external_id: '={{ $json.external_id }}',
	email: '={{ $json.email }}',
	phonenumber: '={{ $json.phonenumber }}',
});

describe.each([
	['automatic', automatic()],
	['manual', byHand],
])('with %s mapping', (_, how) => {
	it('emails and phone numbers lose invisible characters', async () => {
		const input = [
			{
				external_id: 'C-1',
				email: '\uFEFFada\u200B@x.example',
				phonenumber: '\u202A+44\u00A020 7946\u20110001\u202C',
			},
		];
		await testbed.succeed(how, { input });
		expect(stored('C-1')).toMatchObject({
			email: 'ada@x.example',
			phonenumber: '+44\u00A020 7946-0001',
		});
	});

	it('one email is not written to two contacts, because one cell has spaces around it', async () => {
		const input = [
			{ external_id: 'C-1', email: 'ada@x.example', phonenumber: ' +4520550188\u00A0' },
			{ external_id: 'C-2', email: ' ada@x.example\n' },
		];
		const { items, error } = await testbed.run(how, {
			input,
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(stored('C-1')).toMatchObject({ email: 'ada@x.example', phonenumber: '+4520550188' });
		expect(stored('C-2')).toBeUndefined();
		expect(items[1].json.error).toContain('The email is taken by another contact');
	});

	it('an item without an ID is matched by the email that people see', async () => {
		testbed.service.store.addContact('bot', { external_id: 'C-1', email: 'ada@x.example' });
		await testbed.succeed(how, { input: [{ email: 'ada\u200B@x.example', phonenumber: '1' }] });
		expect(stored('C-1')?.phonenumber).toBe('1');
	});

	it('an apostrophe before digits alone goes, with a hint', async () => {
		const input = [
			{ external_id: "'7001", phonenumber: "'+442079460001" },
			{ external_id: "'7002", phonenumber: "'\u202A442079460002" },
		];
		const result = await testbed.succeed(how, { input });
		expect(stored('7001')?.phonenumber).toBe('+442079460001');
		expect(stored('7002')?.phonenumber).toBe('442079460002');
		expect(messages(result)).toEqual([
			expect.stringContaining('2 contacts created'),
			'External ID: the apostrophe at the start was removed in 2 items, such as "\'7001" (item 0).',
			expect.stringContaining('Phone Number: the apostrophe at the start was removed in 2 items'),
		]);
	});

	it.each(["'70a", "''7", "7'1", "'", "'7 0", 'C\u200B1'])(
		'the External ID %j goes out as it is',
		async (external_id) => {
			const result = await testbed.succeed(how, { input: [{ external_id, email: 'a@x.example' }] });
			expect(stored(external_id)).toBeDefined();
			expect(messages(result).join()).not.toContain('apostrophe');
		},
	);
});

it('an update cleans them, too', async () => {
	testbed.service.store.addContact('bot', { external_id: 'C-1' });
	const input = [{ id: 'C-1', Phone: "'442079460001", email: 'ada\u00AD@x.example' }];
	await testbed.succeed({ operation: 'update', contactId, ...automatic() }, { input });
	expect(stored('C-1')).toMatchObject({ phonenumber: '442079460001', email: 'ada@x.example' });
});

it('a name and an attribute keep their characters', async () => {
	testbed.service.store.addAttribute('bot', { name: 'note', type: 'text' });
	const input = [{ external_id: 'C-1', name: 'A\u200Dda', note: "'7001" }];
	await testbed.succeed(automatic(), { input });
	expect(stored('C-1')).toMatchObject({ name: 'A\u200Dda', custom_attributes: { note: "'7001" } });
});

describe('a column that some items lack, with Empty Values: Clear', () => {
	const clear = { ...automatic(), options: { emptyValues: 'clear' } };
	const hint =
		'Phone Number is missing in 2 items and was not cleared. plan is missing in 1 item and was not cleared. In Extract from File, turn on Include Empty Cells.';

	beforeEach(() => {
		const { store } = testbed.service;
		store.addAttribute('bot', { name: 'plan', type: 'text' });
		const values = { phonenumber: '+4520550188', custom_attributes: { plan: 'pro' } };
		for (const external_id of ['C-1', 'C-2', 'C-3']) {
			store.addContact('bot', { external_id, ...values });
		}
	});

	it('keeps their values, and a hint says so', async () => {
		const input = [
			{ external_id: 'C-1', Phone: '', plan: null },
			{ external_id: 'C-2', Plan: '' },
			{ external_id: 'C-3' },
		];
		const result = await testbed.succeed(clear, { input });
		expect(stored('C-1')?.phonenumber ?? '').toBe('');
		expect(stored('C-2')?.phonenumber).toBe('+4520550188');
		expect(stored('C-2')?.custom_attributes?.plan ?? '').toBe('');
		expect(stored('C-3')).toMatchObject({ custom_attributes: { plan: 'pro' } });
		expect(messages(result)).toContain(hint);
	});

	it.each([
		['empty values are ignored', { options: {} }, { external_id: 'C-2' }],
		[
			'Clear Field Names clears it',
			{ additionalFields: { clearFields: ['phonenumber'] } },
			{ external_id: 'C-2' },
		],
		['it is the ID, which nothing clears', {}, { email: 'c2@x.example', Phone: '2' }],
	])('is no news if %s', async (_, parameters, row) => {
		testbed.service.store.addContact('bot', { external_id: 'C-4', email: 'c2@x.example' });
		const input = [{ external_id: 'C-1', email: 'c1@x.example', Phone: '1' }, row];
		const result = await testbed.succeed({ ...clear, ...parameters }, { input });
		expect(messages(result).join()).not.toMatch(/(Phone Number|External ID) is missing/);
	});
});

it('what Additional Fields override is neither wrong nor named as read', async () => {
	const { store } = testbed.service;
	store.addAttributes('bot', { age: 'number', since: 'date' });
	const input = [{ external_id: 'C-1', age: 'unknown', since: 46205 }];
	const additionalFields = { customAttributesJson: '{ "age": 5, "since": "2026-01-01" }' };
	const result = await testbed.succeed({ ...automatic(), additionalFields }, { input });
	expect(stored('C-1')?.custom_attributes).toMatchObject({ age: 5 });
	expect(messages(result).join()).not.toContain('was read as');
});
