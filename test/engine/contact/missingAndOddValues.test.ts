import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import type { Behaviour } from '../../../service';
import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { byId, succeeded, useTestbed } from '../testbed';
import { attributeField } from './people';
import { goOn } from './rows';

/** Values from expressions, and values that services return. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', active: 'boolean', since: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	store.addContact('bot', {
		external_id: 'a',
		name: 'Ada',
		email: 'a@x.example',
		payment_accounts: [{ label: 'Main', payment_id: 'cus_1' }],
		custom_attributes: { plan: 'free', seats: 3 },
	});
});

const stored = (id = 'a') => testbed.service.store.contact('bot', id);
const writes = () => testbed.service.requests.filter(({ method }) => method !== 'GET');
const patched = () => writes().map(({ body }) => (body as { data: unknown }).data);

describe('a toggle that an expression sets', () => {
	const operations: Array<[string, INodeParameters]> = [
		['upsert', mapped({ external_id: 'a', name: 'New' })],
		['update', mapped({ name: 'New' })],
		['delete', {}],
	];
	const run = async (operation: string, parameters: INodeParameters, dry: unknown) =>
		await testbed.run(
			{ operation, chatbotId, contactId, ...parameters, options: { dryRun: '={{ $json.dry }}' } },
			{ input: [{ id: 'a', dry } as IDataObject] },
		);

	describe.each(operations)('%s', (operation, parameters) => {
		it.each([true, 1, 'true', 'TRUE', ' True ', '1', 'yes', 'on', 'ON'])(
			'%p is on',
			async (dry) => {
				succeeded(await run(operation, parameters, dry));
				expect(writes()).toEqual([]);
			},
		);

		it.each([false, 0, 'false', 'False', '0', 'no', 'off', ''])('%p is off', async (dry) => {
			succeeded(await run(operation, parameters, dry));
			expect(writes()).toHaveLength(1);
		});

		it.each([null, undefined, 'maybe', 2, {}, []])('%p is refused', async (dry) => {
			const { error } = await run(operation, parameters, dry);
			expect(error?.message).toMatch(/^Dry Run /);
			expect(testbed.service.requests).toEqual([]);
		});
	});
});

describe.each(['merge', 'replace'] as const)('when the service means %s', (attributesOnPatch) => {
	beforeEach(() => Object.assign(testbed.service.behaviour, { attributesOnPatch }));

	it.each<[string, INodeParameters]>([
		['Custom Attributes JSON', { customAttributesJson: '={{ { plan: $json.none, seats: 4 } }}' }],
		[
			'Extra Fields JSON',
			{ extraFieldsJson: '={{ { custom_attributes: { plan: $json.none, seats: 4 } } }}' },
		],
	])('undefined in %s is not sent', async (_, additionalFields) => {
		const { items } = await testbed.run({
			operation: 'upsert',
			chatbotId,
			...mapped({ external_id: 'a' }),
			additionalFields,
		});
		expect(items[0].json._sync).toEqual({
			action: 'updated',
			changed: ['custom_attributes.seats'],
			before: { 'custom_attributes.seats': 3 },
		});
		expect(stored()?.custom_attributes).toEqual({ plan: 'free', seats: 4 });
	});

	it('sends no archived values, and names them only when the service drops them', async () => {
		testbed.service.store.addContact('bot', {
			external_id: 'b',
			custom_attributes: { plan: 'free', old: 'kept' },
		});
		const { items } = await testbed.run({
			operation: 'upsert',
			chatbotId,
			...mapped({ external_id: 'b' }),
			additionalFields: { customAttributesJson: '{ "plan": "pro", "old": "kept" }' },
		});
		const dropped = attributesOnPatch === 'merge' ? {} : { dropped: ['custom_attributes.old'] };
		expect(items[0].json._sync).toEqual({
			action: 'updated',
			changed: expect.any(Array) as string[],
			before: { 'custom_attributes.plan': 'free' },
			...dropped,
		});
		expect(stored('b')?.custom_attributes.plan).toBe('pro');
	});

	it.each(['upsert', 'update'])(
		'names the fields that Clear clears, as its dry run does (%s)',
		async (operation) => {
			const run = async (dryRun: boolean) => {
				const { items } = await testbed.run({
					operation,
					chatbotId,
					contactId: { __rl: true, mode: 'id', value: 'a' },
					...mapped(operation === 'upsert' ? { external_id: 'a' } : {}),
					additionalFields: { customAttributesJson: '{ "plan": "pro" }' },
					options: { customAttributesMode: 'replace', dryRun },
				});
				return ((items[0].json._sync as IDataObject).changed as string[]).sort();
			};
			const expected = ['custom_attributes.plan', 'custom_attributes.seats'];
			expect(await run(true)).toEqual(expected);
			expect(await run(false)).toEqual(expected);
			expect(stored()?.custom_attributes).toEqual({ plan: 'pro' });
		},
	);

	it('keeps attributes when they cannot be listed', async () => {
		testbed.service.behaviour.endpoints = 'contract';
		const { items } = await testbed.succeed({
			operation: 'update',
			chatbotId,
			contactId: { __rl: true, mode: 'id', value: 'a' },
			...mapped({}),
			additionalFields: { customAttributesJson: '{ "plan": "pro" }' },
		});
		expect(items[0].json._sync).toMatchObject({ action: 'updated' });
		expect(items[0].json._sync).not.toHaveProperty('dropped');
		expect(stored()?.custom_attributes).toEqual({ plan: 'pro', seats: 3 });
	});
});

describe('an empty list in Extra Fields JSON', () => {
	const run = async (tags: string) => {
		const result = await testbed.run({
			operation: 'upsert',
			chatbotId,
			...mapped({ external_id: 'a' }),
			additionalFields: { extraFieldsJson: `{ "tags": ${tags} }` },
		});
		return succeeded(result).items[0].json;
	};

	it('is neither written nor called dropped when the contact has none', async () => {
		for (const tags of ['[]', '[]']) {
			const { _sync } = await run(tags);
			expect(_sync).toEqual({ action: 'unchanged' });
		}
		expect(writes()).toEqual([]);
	});

	it('is sent when the contact has entries, and named as dropped when the service keeps them', async () => {
		Object.assign(stored()!, { tags: ['vip'] });
		expect((await run('[]'))._sync).toMatchObject({ changed: ['tags'], dropped: ['tags'] });
		expect(patched()).toEqual([{ tags: [] }]);
	});
});

describe('Unmapped Custom Attributes: Clear', () => {
	const custom_attributes = { plan: 'free', seats: 3, managed_by: 'n8n', old: 'kept' };
	beforeEach(() => {
		testbed.service.store.addAttribute('bot', { name: 'managed_by', type: 'text' });
		testbed.service.store.addContact('bot', { external_id: 'b', custom_attributes });
	});

	const options = { customAttributesMode: 'replace' };
	const json = (text: string) => ({ additionalFields: { customAttributesJson: text }, options });
	const clearing: Array<[string, INodeParameters]> = [
		['lacks, in JSON', json('{ "nope": null }')],
		[
			'lacks, in a mapped object',
			{
				...mapped({ external_id: 'b', name: 'Bea', custom_attributes: '{ "nope": null }' }),
				options: { ...options, emptyValues: 'clear' },
			},
		],
		[
			'lacks, in Clear Field Names',
			{ additionalFields: { clearFields: ['custom_attributes.nope'] }, options },
		],
		[
			'lacks, in a mapped field that is empty',
			{
				...mapped({ external_id: 'b', name: 'Bea', 'custom_attributes.nope': '' }, [
					attributeField('nope', 'string'),
				]),
				options: { ...options, emptyValues: 'clear' },
			},
		],
		['has archived', json('{ "old": null }')],
		[
			'has archived, in Clear Field Names',
			{ additionalFields: { clearFields: ['custom_attributes.old'] }, options },
		],
	];
	// A mirror writes its tag itself, which is no mention by the user either.
	const runs: Array<[string, INodeParameters]> = [
		['Create or Update', { operation: 'upsert' }],
		['Update', { operation: 'update', contactId: byId('b') }],
		['Mirror of all contacts', { operation: 'mirror', manage: 'all' }],
		['Mirror with a tag', { operation: 'mirror', manage: 'tag', tagValue: 'n8n' }],
	];

	describe.each(runs)('%s', (_, operation) => {
		it.each(clearing)(
			'clears nothing when only an attribute is cleared that the chatbot %s',
			async (__, how) => {
				const contact = mapped({ external_id: 'b', name: 'Bea' });
				const parameters = { chatbotId, ...contact, ...how, ...operation };
				succeeded(await testbed.run(parameters));
				expect(stored('b')).toMatchObject({ name: 'Bea', custom_attributes });
			},
		);

		it('clears the others when an attribute is cleared that the chatbot has', async () => {
			const contact = mapped({ external_id: 'b', name: 'Bea', 'custom_attributes.seats': '' }, [
				attributeField('seats', 'number'),
			]);
			const cleared = { options: { ...options, emptyValues: 'clear' } };
			succeeded(await testbed.run({ chatbotId, ...contact, ...cleared, ...operation }));
			expect(stored('b')?.custom_attributes.plan ?? null).toBeNull();
			expect(stored('b')?.custom_attributes.seats ?? null).toBeNull();
		});
	});
});

it('sends nothing when JSON has only undefined', async () => {
	const { items } = await testbed.run({
		operation: 'upsert',
		chatbotId,
		...mapped({ external_id: 'a' }),
		additionalFields: { extraFieldsJson: '={{ { name: $json.none, email: $json.none } }}' },
	});
	expect(items[0].json._sync).toMatchObject({ action: 'unchanged' });
	expect(writes()).toEqual([]);
});

it('refuses null for all custom attributes', async () => {
	const { error } = await testbed.run({
		operation: 'upsert',
		chatbotId,
		...mapped({ external_id: 'a' }),
		additionalFields: { extraFieldsJson: '{ "custom_attributes": null }' },
	});
	expect(error?.message).toBe('custom_attributes in Extra Fields JSON is not an object');
	expect(testbed.service.requests).toEqual([]);
});

it('keeps the payment accounts when the expressions of a row give no value', async () => {
	const accounts = [
		{ label: '={{ $json.none }}', paymentId: '={{ $json.none }}', paymentEmail: '' },
	];
	await testbed.run({
		operation: 'upsert',
		chatbotId,
		...mapped({ external_id: 'a', name: 'New' }),
		additionalFields: { paymentAccounts: { accounts } },
	});
	expect(patched()).toEqual([{ name: 'New' }]);
});

describe('an External ID', () => {
	it.each(['create', 'upsert'])(
		'is refused by %s when it is blank or a path, in any field',
		async (operation) => {
			const input = [' ', '\t', '.', '..', null, {}].flatMap((id) => [
				{ id },
				{ extra: { external_id: id } },
			]);
			const { items } = await testbed.run(
				{
					operation,
					chatbotId,
					...mapped({ external_id: '={{ $json.id }}', name: 'New' }),
					additionalFields: { extraFieldsJson: '={{ $json.extra }}' },
				},
				{ input: input as never, ...goOn },
			);
			for (const { json } of items) expect(json.error).toMatch(/^External ID is/);
			expect(testbed.service.requests).toEqual([]);
		},
	);

	it.each([' ', '..'])('is refused as a new ID when it is %p', async (id) => {
		for (const parameters of [
			mapped({ external_id: id }),
			{ ...mapped({}), additionalFields: { extraFieldsJson: JSON.stringify({ external_id: id }) } },
		]) {
			const { error } = await testbed.run({
				operation: 'update',
				chatbotId,
				contactId: { __rl: true, mode: 'id', value: 'a' },
				...parameters,
			} as INodeParameters);
			expect(error?.message).toMatch(/^External ID is/);
		}
		expect(testbed.service.requests).toEqual([]);
	});
});

describe('a number of 17 digits', () => {
	it.each<[string, INodeParameters]>([
		['an ID', mapped({ external_id: '={{ 12345678901234567 }}' })],
		[
			'JSON',
			{
				...mapped({ external_id: 'a' }),
				additionalFields: { customAttributesJson: '{ "plan": 12345678901234567 }' },
			},
		],
		[
			'nested JSON',
			{
				...mapped({ external_id: 'a' }),
				additionalFields: {
					extraFieldsJson: '{ "custom_attributes": { "plan": 12345678901234567 } }',
				},
			},
		],
		[
			'an attribute of unknown type',
			mapped({ external_id: 'a', custom_attributes: '{ "plan": 12345678901234567 }' }),
		],
	])('is refused in %s, because its digits have changed', async (_, parameters) => {
		const { error } = await testbed.run({ operation: 'upsert', chatbotId, ...parameters });
		expect(error?.message).toMatch(/is not text|too many digits|doesn't fit/);
		expect(writes()).toEqual([]);
	});

	it('is sent unchanged when it is text', async () => {
		await testbed.run({
			operation: 'upsert',
			chatbotId,
			...mapped({ external_id: '12345678901234567' }),
			additionalFields: { customAttributesJson: '{ "plan": "12345678901234567" }' },
		});
		expect(stored('12345678901234567')?.custom_attributes.plan).toBe('12345678901234567');
	});
});

describe('values that come back in another form', () => {
	const switches: Array<[string, Partial<Behaviour>]> = [
		['an email in lower case', { emailCase: 'lower' }],
		['cleared text as empty text', { clearedText: 'empty' }],
		['missing fields left out', { missingFields: 'absent' }],
		['payment accounts under another name', { paymentField: 'stripe_accounts' }],
	];

	it.each(switches)('count as equal and are not written again: %s', async (_, behaviour) => {
		Object.assign(testbed.service.behaviour, behaviour);
		const field = behaviour.paymentField ?? 'payment_accounts';
		const prefix = field.split('_')[0];
		const accounts = [
			{ label: 'Main', [`${prefix}_id`]: 'cus_2' },
			{ label: ' ', [`${prefix}_email`]: 'Pay@X.example' },
		];
		const run = async () =>
			await testbed.run(
				{
					operation: 'upsert',
					chatbotId,
					...automatic(),
					options: { emptyValues: 'clear' },
					additionalFields: {
						customAttributesJson: "={{ { since: new Date('2026-09-01T08:30:00Z') } }}",
						extraFieldsJson: JSON.stringify({ [field]: accounts }),
					},
				},
				{
					input: [
						{ external_id: 'a', email: 'Ada@X.example', name: '', active: true, plan: 'pro' },
						{ external_id: 'b', email: 'Bea@X.example', phonenumber: '', active: false },
					],
				},
			);
		const first = await run();
		expect(first.items.map(({ json }) => json._sync)).toEqual([
			{
				action: 'updated',
				changed: expect.any(Array) as string[],
				before: expect.objectContaining({ name: 'Ada' }) as object,
			},
			{ action: 'created', changed: expect.any(Array) as string[] },
		]);
		testbed.service.clearRequests();
		const second = await run();
		expect(second.items.map(({ json }) => (json._sync as IDataObject).action)).toEqual([
			'unchanged',
			'unchanged',
		]);
		expect(writes()).toEqual([]);
	});
});

describe('cells that hold only spaces', () => {
	const input = [{ external_id: 'a', name: ' ', email: '\u00a0', plan: '  \t' }];
	const run = async (emptyValues: string) =>
		await testbed.run(
			{ operation: 'upsert', chatbotId, ...automatic(), options: { emptyValues } },
			{ input },
		);

	it('are not sent, like empty cells', async () => {
		const { items } = await run('ignore');
		expect(items[0].json._sync).toMatchObject({ action: 'unchanged' });
		expect(writes()).toEqual([]);
	});

	it('clear the field when Empty Values is Clear', async () => {
		testbed.service.store.addContact('bot', {
			external_id: 'z',
			name: 'Zoe',
			email: 'z@x.example',
		});
		const { items } = await testbed.run(
			{ operation: 'upsert', chatbotId, ...automatic(), options: { emptyValues: 'clear' } },
			{ input: [{ ...input[0], external_id: 'z' }] },
		);
		expect(items[0].json).toMatchObject({ name: null, email: null });
	});

	it('are refused as an External ID', async () => {
		const { error } = await testbed.run(
			{ operation: 'upsert', chatbotId, ...automatic() },
			{ input: [{ external_id: '  ', email: 'ada@x.example' }] },
		);
		expect(error?.message).toBe('External ID is empty');
		expect(writes()).toEqual([]);
	});
});

describe('Create', () => {
	it('sends all values, also null', async () => {
		await testbed.run({
			operation: 'create',
			chatbotId,
			...mapped({ external_id: 'new', name: 'New' }),
			additionalFields: {
				customAttributesJson: '{ "plan": null }',
				extraFieldsJson: '{ "email": null }',
			},
		});
		expect(writes()[0].body).toEqual({
			users: [{ external_id: 'new', name: 'New', custom_attributes: { plan: null }, email: null }],
		});
	});

	it('offers no options of an update', () => {
		const { description } = new Chatbase();
		const offered = description.properties
			.filter(
				({ displayOptions }) =>
					displayOptions?.show?.resource?.includes('contact') &&
					displayOptions.show.operation?.includes('create'),
			)
			.flatMap(({ options = [] }) => options.map(({ name }) => name));
		expect(offered).not.toContain('emptyValues');
		expect(offered).not.toContain('clearFields');
	});
});

describe('a 404', () => {
	const operations: Array<[string, INodeParameters]> = [
		['get', {}],
		['update', mapped({ name: 'New' })],
		['delete', {}],
	];

	it.each(operations)(
		'marks no contact when it is not from the API (%s)',
		async (operation, parameters) => {
			for (const body of [
				'<h1>Not Found</h1>',
				'Not found',
				[],
				{ error: 'x' },
				{ message: 'Chatbot not found' },
			]) {
				testbed.service.faults.add({ fault: { kind: 'status', status: 404, body } });
				const { error } = await testbed.run({
					operation,
					chatbotId,
					contactId: { __rl: true, mode: 'id', value: 'a' },
					...parameters,
					options: { onNotFound: 'mark' },
				});
				expect(error).toBeDefined();
				testbed.service.faults.clear();
			}
		},
	);

	it.each(['named', 'Resource not found'] as const)(
		'marks the contact when it is from the API (%s)',
		async (notFoundMessage) => {
			testbed.service.behaviour.notFoundMessage = notFoundMessage;
			for (const [operation, parameters] of operations) {
				const { items } = await testbed.run({
					operation,
					chatbotId,
					contactId: { __rl: true, mode: 'id', value: 'nobody' },
					...parameters,
					options: { onNotFound: 'mark' },
				});
				expect(items[0].json).toMatchObject({ found: false, external_id: 'nobody' });
			}
		},
	);

	it('is no deletion when it is HTML', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetBefore' } });
		testbed.service.faults.add({
			when: { nth: 2 },
			fault: { kind: 'status', status: 404, body: '<h1>Not Found</h1>' },
		});
		const { error } = await testbed.run({
			operation: 'delete',
			chatbotId,
			contactId: { __rl: true, mode: 'id', value: 'a' },
		});
		expect(error).toBeDefined();
		expect(stored()).toBeDefined();
	});
});

it('refuses a phone number filter without a digit', async () => {
	const { error } = await testbed.run({
		operation: 'getAll',
		chatbotId,
		filters: { phonenumber: '+ ( )' },
	});
	expect(error?.message).toBe('The filter Phone Number has no digit');
	expect(testbed.service.requests).toEqual([]);
});
