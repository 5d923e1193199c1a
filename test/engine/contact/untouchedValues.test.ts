/** What an item does not mention, leaves empty or adds without filling it in keeps the value of the contact. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chatbotId, contactId, mapped } from '../parameters';
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
	const byHand = mapped({
		...(operation !== 'update' && { external_id: '={{ $json.id }}' }),
		'custom_attributes.plan': '={{ $json.plan }}',
		'custom_attributes.seats': '={{ $json.seats }}',
	});

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

	it('keeps attributes when they cannot be listed', async () => {
		testbed.service.behaviour.endpoints = 'contract';
		const sync = await upsert(json('{ "plan": "free" }'));
		expect(sync).toMatchObject({ action: 'updated', changed: ['custom_attributes.plan'] });
		expect(sync).not.toHaveProperty('dropped');
		expect(stored()?.custom_attributes).toEqual({ plan: 'free', seats: 5, city: 'Oslo' });
	});
});
