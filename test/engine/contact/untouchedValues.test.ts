/** What an item does not mention, leaves empty or adds without filling it in keeps the value of the contact. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', chatbotId });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', city: 'text', managed_by: 'text' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	store.addContact('bot', {
		external_id: 'a',
		name: 'Ada',
		payment_accounts: [{ label: 'Main', payment_id: 'cus_1' }],
		custom_attributes: { plan: 'pro', seats: 5, city: 'Oslo' },
	});
});

const stored = (id = 'a') => testbed.service.store.contact('bot', id);
const json = (customAttributesJson: string) => ({ additionalFields: { customAttributesJson } });

describe.each(['update', 'upsert', 'mirror'])('%s', (operation) => {
	const run = async (parameters: INodeParameters, row = {}) =>
		await testbed.succeed(
			{ operation, contactId, manage: 'all', ...parameters },
			{ input: [{ id: 'a', ...row }] },
		);
	const clear = { customAttributesMode: 'replace' };
	const byHand = mapped({
		...(operation !== 'update' && { external_id: '={{ $json.id }}' }),
		'custom_attributes.plan': '={{ $json.plan }}',
		'custom_attributes.seats': '={{ $json.seats }}',
	});

	it.each([
		['by hand', byHand, {}],
		['automatically', automatic(), { external_id: 'a' }],
	])(
		'clears unmapped attributes and keeps mapped ones that are empty (%s)',
		async (_, mapping, row) => {
			const given = { ...row, plan: 'free', seats: '' };
			await run({ ...mapping, options: clear }, given);
			expect(stored()?.custom_attributes).toEqual({ plan: 'free', seats: 5 });

			await run({ ...mapping, options: { ...clear, emptyValues: 'clear' } }, given);
			expect(stored()?.custom_attributes).toEqual({ plan: 'free' });
		},
	);

	it.each([
		{},
		{ accounts: [] },
		{ accounts: [{ label: '', paymentId: '', paymentEmail: '' }] },
		{
			accounts: [{ label: '={{ $json.none }}', paymentId: '={{ $json.none }}', paymentEmail: '' }],
		},
	])(
		'changes no Payment Accounts when they are added without an account (%j)',
		async (paymentAccounts) => {
			await run({ ...byHand, additionalFields: { paymentAccounts } }, { plan: 'free' });
			expect(stored()?.payment_accounts).toHaveLength(1);
		},
	);

	it('clears Payment Accounts when Clear Field Names names them', async () => {
		const additionalFields = { paymentAccounts: {}, clearFields: ['payment_accounts'] };
		await run({ ...byHand, additionalFields }, { plan: 'free' });
		expect(stored()?.payment_accounts).toEqual([]);
	});
});

describe.each(['merge', 'replace'] as const)('when the service means %s', (attributesOnPatch) => {
	beforeEach(() => Object.assign(testbed.service.behaviour, { attributesOnPatch }));

	const upsert = async (parameters: INodeParameters, id = 'a') => {
		const how = { operation: 'upsert', ...mapped({ external_id: id }), ...parameters };
		const { items } = await testbed.succeed(how);
		return items[0].json._sync as IDataObject;
	};

	it.each<[string, INodeParameters]>([
		['Custom Attributes JSON', json('={{ { plan: $json.none, seats: 4 } }}')],
		[
			'Extra Fields JSON',
			{
				additionalFields: {
					extraFieldsJson: '={{ { custom_attributes: { plan: $json.none, seats: 4 } } }}',
				},
			},
		],
	])('undefined in %s is not sent', async (_, additional) => {
		expect(await upsert(additional)).toEqual({
			action: 'updated',
			changed: ['custom_attributes.seats'],
			before: { 'custom_attributes.seats': 5 },
		});
		expect(stored()?.custom_attributes).toEqual({ plan: 'pro', seats: 4, city: 'Oslo' });
	});

	it('sends no archived values, and names them only when the service drops them', async () => {
		const custom_attributes = { plan: 'free', old: 'kept' };
		testbed.service.store.addContact('bot', { external_id: 'b', custom_attributes });
		const sync = await upsert(json('{ "plan": "pro" }'), 'b');
		expect(sync.before).toEqual({ 'custom_attributes.plan': 'free' });
		const dropped = attributesOnPatch === 'merge' ? undefined : ['custom_attributes.old'];
		expect(sync.dropped).toEqual(dropped);
		expect(stored('b')?.custom_attributes.plan).toBe('pro');
	});

	it('names the fields that Clear clears, as its dry run does', async () => {
		const expected = [
			'custom_attributes.city',
			'custom_attributes.plan',
			'custom_attributes.seats',
		];
		for (const dryRun of [true, false]) {
			const options = { customAttributesMode: 'replace', dryRun };
			const { changed } = await upsert({ ...json('{ "plan": "free" }'), options });
			expect((changed as string[]).sort()).toEqual(expected);
		}
		expect(stored()?.custom_attributes).toEqual({ plan: 'free' });
	});

	it('keeps attributes when they cannot be listed', async () => {
		testbed.service.behaviour.endpoints = 'contract';
		const sync = await upsert(json('{ "plan": "free" }'));
		expect(sync).toMatchObject({ action: 'updated', changed: ['custom_attributes.plan'] });
		expect(sync).not.toHaveProperty('dropped');
		expect(stored()?.custom_attributes).toEqual({ plan: 'free', seats: 5, city: 'Oslo' });
	});
});

describe('Unmapped Custom Attributes: Clear', () => {
	const custom_attributes = { plan: 'free', seats: 3, managed_by: 'n8n', old: 'kept' };
	beforeEach(() =>
		testbed.service.store.addContact('bot', { external_id: 'b', custom_attributes }),
	);

	const clearing = { customAttributesMode: 'replace', emptyValues: 'clear' };
	/** A mirror writes its tag itself, which is no mention by the user either. */
	const run = async (operation: string, values: IDataObject, more: INodeParameters) =>
		await testbed.succeed({
			operation,
			contactId: { ...contactId, value: 'b' },
			manage: 'tag',
			tagValue: 'n8n',
			...mapped({ external_id: 'b', name: 'Bea', ...values }),
			options: clearing,
			...more,
		});

	it.each<[string, IDataObject, INodeParameters]>([
		['lacks, in JSON', {}, json('{ "nope": null }')],
		['lacks, in a mapped object', { custom_attributes: '{ "nope": null }' }, {}],
		['lacks, in a mapped field that is empty', { 'custom_attributes.nope': '' }, {}],
		['has archived', {}, json('{ "old": null }')],
	])(
		'clears nothing when only an attribute is cleared that the chatbot %s',
		async (_, values, more) => {
			for (const operation of ['update', 'upsert', 'mirror']) {
				await run(operation, values, more);
				expect(stored('b')).toMatchObject({ name: 'Bea', custom_attributes });
			}
		},
	);

	it.each(['update', 'upsert', 'mirror'])(
		'clears the others when an attribute is cleared that the chatbot has (%s)',
		async (operation) => {
			await run(operation, { 'custom_attributes.seats': '' }, {});
			const { plan = null, seats = null } = stored('b')!.custom_attributes;
			expect([plan, seats]).toEqual([null, null]);
		},
	);
});
