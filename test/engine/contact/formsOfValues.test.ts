import type { Behaviour } from '../../../service';
import { automatic, chatbotId } from '../parameters';
import { useTestbed } from '../testbed';
import { outcomes } from './rows';

/** Values that a service stores in another form than they are sent. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', active: 'boolean', since: 'date' });
	store.addContact('bot', {
		external_id: 'a',
		name: 'Ada',
		email: 'a@x.example',
		payment_accounts: [{ label: 'Main', payment_id: 'cus_1' }],
		custom_attributes: { plan: 'free', seats: 3 },
	});
});

it.each<[string, Partial<Behaviour>]>([
	['an email in lower case', { emailCase: 'lower' }],
	['cleared text as empty text', { clearedText: 'empty' }],
	['missing fields left out', { missingFields: 'absent' }],
	['payment accounts under another name', { paymentField: 'stripe_accounts' }],
])('counts as equal and is not written again: %s', async (_, behaviour) => {
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
	expect(outcomes(second.items)).toEqual(['unchanged', 'unchanged']);
	expect(testbed.writes).toEqual([]);
});
