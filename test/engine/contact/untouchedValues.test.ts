/** What is mapped and empty, or added and not filled in, keeps the value of the contact. */
import type { INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', chatbotId });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', city: 'text' });
	store.addContact('bot', {
		external_id: 'a',
		name: 'Ada',
		payment_accounts: [{ label: 'Main', payment_id: 'cus_1' }],
		custom_attributes: { plan: 'pro', seats: 5, city: 'Oslo' },
	});
});

const stored = () => testbed.service.store.contact('bot', 'a');

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
	const schema = ['external_id', 'custom_attributes.plan', 'custom_attributes.seats'].map((id) => ({
		id,
	}));

	it.each([
		['by hand', byHand, {}],
		['automatically', automatic(schema), { external_id: 'a' }],
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
