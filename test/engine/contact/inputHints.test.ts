import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { messages, wholeList } from './rows';

/** What a run says of values that are probably wrong, or that were read in another form. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
	store.addAttribute('bot', { name: 'since', type: 'date', label: 'Since' });
	store.addAttribute('bot', { name: 'ltv', type: 'number', label: 'Lifetime value' });
});

/** The hints beside the result. */
const hintsOf = async (parameters: INodeParameters, input: IDataObject[]) =>
	messages(await testbed.succeed(parameters, { input })).slice(1);

const hints = async (...rows: IDataObject[]) => await hintsOf(automatic(), rows);

describe('a value that is probably wrong', () => {
	it.each<[IDataObject, string]>([
		[{ Phone: 'N/A' }, 'Phone Number: 1 value has no digit or has letters, such as "N/A" (C-1).'],
		[
			{ Phone: 'p:+1902' },
			'Phone Number: 1 value has no digit or has letters, such as "p:+1902" (C-1).',
		],
		[{ Phone: '-' }, 'Phone Number: 1 value has no digit or has letters, such as "-" (C-1).'],
		[{ email: 'jane' }, 'Email: 1 value has no @, such as "jane" (C-1).'],
		[
			{ name: 'M\uFFFDller' },
			'Name: 1 value has broken characters, such as "M\uFFFDller" (C-1). In Extract from File, choose another Encoding, such as Latin1.',
		],
		[
			{ Plan: 'M\uFFFDller' },
			'Plan: 1 value has broken characters, such as "M\uFFFDller" (C-1). In Extract from File, choose another Encoding, such as Latin1.',
		],
	])('%j is stored, and named with its contact', async (row, hint) => {
		expect(await hints({ external_id: 'C-1', ...row })).toEqual([hint]);
		expect(testbed.writes).toHaveLength(1);
	});

	it('is counted in one line for each field', async () => {
		const rows = ['N/A', 'call me', '1', '\uFFFD'].map((Phone, at) => ({
			external_id: `C-${at}`,
			Phone,
			email: 'x',
		}));
		expect(await hints(...rows.map((row, at) => ({ ...row, email: `x${at}` })))).toEqual([
			'Email: 4 values have no @, such as "x0" (C-0).',
			'Phone Number: 3 values have no digit or have letters, such as "N/A" (C-0).',
		]);
	});

	it('is not what is usual', async () => {
		const row = { external_id: '1E5', Phone: '+45 (0) 20', email: 'a@x.example', name: 'Null' };
		expect(await hints({ ...row, Plan: "'null", ltv: '1.234' })).toEqual([]);
	});
});

describe('values that were read in another form', () => {
	const inFormat = { ...automatic(), options: { textFormat: 'dayPoint' } };
	const hint =
		'Since: "21/12/2025" (C-1) was read as 2025-12-21. Lifetime value: "1,234.50" (C-1) was read as 1234.5. If this is wrong, change Dates and Numbers in Text in Options.';

	it.each(['create', 'upsert', 'update', 'mirror'])(
		'are told with one example of each attribute (%s)',
		async (operation) => {
			if (operation === 'update') testbed.service.store.addContact('bot', { external_id: 'C-1' });
			const row = { external_id: 'C-1', Since: '21/12/2025', 'Lifetime value': '1,234.50' };
			const parameters = { operation, contactId, ...wholeList, ...inFormat };
			const rows = operation === 'update' ? [row] : [row, { ...row, external_id: 'C-2' }];
			const input = rows.map((each) => ({ ...each, id: 'C-1' }));
			expect(await hintsOf(parameters, input)).toContain(hint);
			expect(testbed.service.store.contact('bot', 'C-1')?.custom_attributes).toEqual({
				since: '2025-12-21T00:00:00.000Z',
				ltv: 1234.5,
			});
		},
	);

	it("are told for Excel's number of a day, too", async () => {
		expect(await hints({ external_id: 'C-1', Since: 46205 })).toEqual([
			'Since: "46205" (C-1) was read as 2026-07-02. If this is wrong, change Dates and Numbers in Text in Options.',
		]);
	});

	it('are not told if Additional Fields override them', async () => {
		const additionalFields = { customAttributesJson: '{ "since": "2026-01-01" }' };
		const input = [{ external_id: 'C-1', Since: 46205 }];
		expect(await hintsOf({ ...automatic(), additionalFields }, input)).toEqual([]);
	});
});

describe('a field that is mapped by hand', () => {
	const fields = mapped({
		external_id: '={{ $json.id }}',
		name: '={{ $json.nmae }}',
		email: '={{ $json.email }}',
		phonenumber: '',
		'custom_attributes.plan': '={{ $json.plan }}',
	});

	it('is named if it is empty in all of several items', async () => {
		const rows = [
			{ id: 'C-1', name: 'Ada', email: 'a@x.example', plan: '' },
			{ id: 'C-2', name: 'Bea', plan: null },
		];
		for (const emptyValues of ['ignore', 'clear']) {
			expect(await hintsOf({ ...fields, options: { emptyValues } }, rows)).toEqual([
				'Name is empty in all 2 items. Check its expression.',
				expect.stringMatching(/^plan is empty in all 2 items\./i),
			]);
		}
	});

	it('is not named in a single item', async () => {
		expect(await hintsOf(fields, [{ id: 'C-1', plan: 'pro' }])).toEqual([]);
	});
});

describe('nothing that is absent clears anything, with Empty Values: Clear', () => {
	const stored = (id: string) => testbed.service.store.contact('bot', id);
	const options = { emptyValues: 'clear' };
	const values = { name: 'Ada', phonenumber: '+4520550188', custom_attributes: { plan: 'pro' } };
	const byHand = {
		name: '={{ $json.name }}',
		phonenumber: '={{ $json.phnoe }}',
		'custom_attributes.plan': '={{ $json.plan }}',
		custom_attributes: '={{ { plan: $json.none } }}',
	};

	beforeEach(() => {
		for (const external_id of ['C-1', 'C-2']) {
			testbed.service.store.addContact('bot', { external_id, ...values });
		}
	});

	it.each(['upsert', 'update', 'mirror'])('mapped by hand (%s)', async (operation) => {
		const id = operation === 'update' ? {} : { external_id: '={{ $json.id }}' };
		const parameters = { operation, contactId, ...wholeList, ...mapped({ ...id, ...byHand }) };
		const input = [
			{ id: 'C-1', name: '' },
			{ id: 'C-2', name: null },
		];
		await testbed.succeed({ ...parameters, options }, { input });
		for (const one of ['C-1', 'C-2']) {
			const { name, ...others } = stored(one)!;
			expect(name ?? '').toBe('');
			expect(others).toMatchObject({
				phonenumber: '+4520550188',
				custom_attributes: { plan: 'pro' },
			});
		}
	});

	it.each(['upsert', 'mirror'])(
		'by column, and a hint names the columns (%s)',
		async (operation) => {
			const input = [
				{ external_id: 'C-1', Phone: '', Plan: null },
				{ external_id: 'C-2', Plan: '' },
			];
			const parameters = { operation, ...wholeList, ...automatic(), options };
			const told = await hintsOf(parameters, input);
			expect(told.filter((hint) => hint.includes('Include Empty Cells'))).toEqual([
				expect.stringContaining('Some items lack Phone,'),
			]);
			expect(stored('C-1')?.phonenumber ?? '').toBe('');
			expect(stored('C-2')).toMatchObject({ phonenumber: '+4520550188' });
			expect(stored('C-2')?.custom_attributes?.plan ?? '').toBe('');
		},
	);

	it('which is no news if empty values are ignored', async () => {
		expect(await hints({ external_id: 'C-1', Phone: '1' }, { external_id: 'C-2' })).toEqual([]);
	});
});
