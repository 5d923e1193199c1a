import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { automatic as everyColumn, chatbotId, mapped as byHand } from '../parameters';
import { byId, useTestbed } from '../testbed';
import { attributeField } from './people';

const testbed = useTestbed({ resource: 'contact', operation: 'update' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', active: 'boolean', since: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	store.addContact('bot', {
		external_id: 'a',
		name: 'Ada',
		email: 'ada@x.example',
		custom_attributes: { plan: 'free', seats: 3, old: 'kept' },
	});
});

const contactId = byId('a');
const path = '/chatbots/bot/contacts/a';
const stored = () => testbed.service.store.contact('bot', 'a')!;

const schema = [
	...['external_id', 'name', 'email', 'phonenumber'].map((id) => ({
		...attributeField(id, 'string'),
		id,
	})),
	attributeField('plan', 'string'),
	attributeField('seats', 'number'),
	attributeField('active', 'boolean'),
	attributeField('since', 'dateTime'),
];
const mapped = (value: Record<string, unknown>) => byHand(value, schema);
const automatic = everyColumn(schema);

describe('the request', () => {
	it('has only mapped fields when no custom attribute is mapped', async () => {
		const { outputs } = await testbed.run({ chatbotId, contactId, ...mapped({ name: 'Augusta' }) });
		expect(testbed.sent).toEqual([[`PATCH ${path}`, { data: { name: 'Augusta' } }]]);
		expect(testbed.illegal).toEqual([]);
		expect(outputs).toEqual([
			[
				{
					json: {
						...stored(),
						_sync: { action: 'updated', changed: ['name'] },
					},
					pairedItem: { item: 0 },
				},
			],
		]);
	});

	it('has each value as the type of its attribute', async () => {
		await testbed.run(
			{
				chatbotId,
				contactId,
				...mapped({
					phonenumber: '={{ $json.phone }}',
					'custom_attributes.seats': '={{ $json.seats }}',
					'custom_attributes.active': '={{ $json.active }}',
					'custom_attributes.since': '={{ $json.since }}',
				}),
			},
			{ input: [{ phone: 5550100, seats: '12', active: 'false', since: '2026-02-01' }] },
		);
		expect(testbed.sent.at(-1)).toEqual([
			`PATCH ${path}`,
			{
				data: {
					phonenumber: '5550100',
					custom_attributes: { plan: 'free', seats: 12, active: false, since: '2026-02-01' },
				},
			},
		]);
		expect(testbed.illegal).toEqual([]);
	});

	it.each([
		[['email'], { email: null }],
		['email, custom_attributes.plan', { email: null, custom_attributes: { plan: null, seats: 3 } }],
		[['stripe_accounts'], { stripe_accounts: null }],
	])('clears the fields %j', async (clearFields, data) => {
		await testbed.run({
			chatbotId,
			contactId,
			...mapped({}),
			additionalFields: { clearFields },
		});
		expect(testbed.sent.at(-1)).toEqual([`PATCH ${path}`, { data }]);
	});

	it.each(['plan', 'emial', 'external_id', 'custom_attributes'])(
		'refuses to clear %s',
		async (name) => {
			const clearFields = `={{ ["email", "${name}"] }}`;
			const { error } = await testbed.run({
				chatbotId,
				contactId,
				...mapped({ name: 'x' }),
				additionalFields: { clearFields },
			});
			expect(error).toMatchObject({
				message: 'A field name is unknown',
				description: expect.stringContaining(`Clear Field Names or IDs has "${name}"`),
			});
			expect(testbed.service.requests).toEqual([]);
		},
	);

	it('includes Additional Fields', async () => {
		await testbed.run({
			chatbotId,
			contactId,
			...mapped({}),
			additionalFields: {
				clearFields: ['email', 'custom_attributes.seats'],
				customAttributesJson: '{ "plan": "pro" }',
				extraFieldsJson: '{ "nickname": "Countess" }',
				paymentAccounts: {
					accounts: [{ label: 'Main', paymentId: 'cus_1', paymentEmail: 'pay@x.example' }],
				},
			},
		});
		expect(testbed.sent.at(-1)).toEqual([
			`PATCH ${path}`,
			{
				data: {
					payment_accounts: [
						{ label: 'Main', payment_id: 'cus_1', payment_email: 'pay@x.example' },
					],
					nickname: 'Countess',
					email: null,
					custom_attributes: { plan: 'pro', seats: null },
				},
			},
		]);
	});
});

describe('a field that the service drops', () => {
	const unknown = {
		chatbotId,
		contactId,
		...mapped({ name: 'Augusta' }),
		additionalFields: { customAttributesJson: '{ "plna": "pro" }' },
	};

	it('is named in the output by default', async () => {
		const { items } = await testbed.run(unknown);
		expect(items[0].json._sync).toEqual({
			action: 'updated',
			changed: ['name'],
			before: { name: 'Ada' },
			dropped: ['custom_attributes.plna'],
		});
	});

	it.each([
		[false, 'Everything else was written.', 'Augusta'],
		[true, 'Nothing was written.', 'Ada'],
	])('fails the item when Fail is chosen (Dry Run: %s)', async (dryRun, words, name) => {
		const options = { dryRun, onDroppedFields: 'error' };
		const { error } = await testbed.run({ ...unknown, options });
		expect(error?.message).toBe('Fields were dropped');
		expect(error?.description).toContain(`custom_attributes.plna. ${words}`);
		expect(stored().name).toBe(name);
	});

	it('is not mentioned when Ignore is chosen', async () => {
		const { items } = await testbed.run({ ...unknown, options: { onDroppedFields: 'ignore' } });
		expect(items[0].json._sync).not.toHaveProperty('dropped');
	});
});

describe('automatic mapping', () => {
	it('takes base fields and attributes under all their names, and no other columns', async () => {
		await testbed.run(
			{ chatbotId, contactId, ...automatic },
			{
				input: [
					{
						id: 'x',
						external_id: 'other',
						created_at: 1,
						name: 'Augusta',
						plan: 'pro',
						'custom_attributes.seats': '7',
						custom_attributes: { active: true, seats: 7 },
						colour: 'red',
						_sync: { action: 'unchanged' },
					},
				],
			},
		);
		expect(testbed.sent.at(-1)).toEqual([
			`PATCH ${path}`,
			{ data: { name: 'Augusta', custom_attributes: { plan: 'pro', seats: 7, active: true } } },
		]);
	});

	it.each(['update', 'upsert', 'create'])('is refused in a tool (%s)', async (operation) => {
		const parameters = { operation, chatbotId, contactId, ...automatic };
		const { records } = await testbed.callTool(parameters, {});
		expect(records).toEqual([
			{
				error: expect.stringMatching(
					/^Automatic mapping does not work in a tool\. .*Map Each Column Manually/,
				),
			},
		]);
	});
});

it.each([mapped({ name: 'x' }), mapped({ 'custom_attributes.plan': 'x' })])(
	'a contact that does not exist fails by default, and is marked when told so',
	async (fields) => {
		const missing = { chatbotId, contactId: byId('none'), ...fields };
		const failed = await testbed.run(missing);
		expect(failed.error).toMatchObject({ message: titleOf('404 contact itself'), httpCode: '404' });
		const marked = await testbed.run({ ...missing, options: { onNotFound: 'mark' } });
		expect(marked.items[0].json).toEqual({ found: false, external_id: 'none' });
	},
);

it('writes nothing and returns the changes when Dry Run is on', async () => {
	const before = { ...stored() };
	const { items } = await testbed.run({
		chatbotId,
		contactId,
		...mapped({ name: 'Augusta', email: 'ada@x.example' }),
		options: { dryRun: true },
	});
	expect(items[0].json).toEqual({
		...before,
		name: 'Augusta',
		_sync: { action: 'wouldUpdate', changed: ['name'], before: { name: 'Ada' } },
	});
	expect(testbed.sent).toEqual([[`GET ${path}`]]);
});

it('looks a renamed contact up under its new ID when the service made it wait for long', async () => {
	testbed.service.faults.add({
		when: { method: 'PATCH', nth: 1 },
		fault: { kind: 'status', status: 503, headers: { 'Retry-After': '40' }, handled: true },
	});
	const stopSkipping = skippedTime(testbed.service);
	const { items } = await testbed.succeed({
		chatbotId,
		contactId,
		...mapped({ external_id: 'b', 'custom_attributes.plan': 'pro' }),
	});
	stopSkipping();
	expect(items[0].json).toMatchObject({ external_id: 'b', custom_attributes: { plan: 'pro' } });
});
