import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';
import { byId, succeeded, useTestbed } from '../testbed';
import { attributeField } from './people';

/** Custom attributes that an item does not mention stay, or are cleared if the user says so. */
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
