import { automatic, chatbotId, mapped } from '../parameters';
import { skippedTime } from '../fastTime';
import { byId, useTestbed } from '../testbed';
import { attributeField } from './people';

const testbed = useTestbed({ resource: 'contact', operation: 'create' });

beforeEach(() => void testbed.service.store.addAttribute('bot', { name: 'seats', type: 'number' }));

const path = '/chatbots/bot/contacts';
const { contactFields } = mapped({
	external_id: '={{ $json.id }}',
	name: '={{ $json.name }}',
	email: '={{ $json.email }}',
});
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `p-${index}`, name: `Person ${index}` }));
const stored = (id: string) => ({ ...testbed.service.store.contact('bot', id) });

it.each(['data', 'created'] as const)(
	'sends the items together and pairs each contact with its item (response in %s)',
	async (createReply) => {
		testbed.service.behaviour.createReply = createReply;
		const { outputs } = await testbed.run({ chatbotId, contactFields }, { input: people(3) });
		expect(testbed.sent).toEqual([
			[`POST ${path}`, { users: people(3).map(({ id, name }) => ({ external_id: id, name })) }],
		]);
		expect(testbed.illegal).toEqual([]);
		expect(outputs).toEqual([
			people(3).map(({ id }, item) => ({ json: stored(id), pairedItem: { item } })),
		]);
	},
);

it('sends up to 1,000 contacts with one request', async () => {
	const input = people(1100).map(({ id, name }) => ({ external_id: id, name }));
	const { items } = await testbed.succeed({ chatbotId, ...automatic([{ id: 'name' }]) }, { input });
	const posts = testbed.service.requests.filter(({ method }) => method === 'POST');
	expect(posts.map(({ body }) => (body as { users: unknown[] }).users.length)).toEqual([1000, 100]);
	expect(items).toHaveLength(1100);
});

it('sends one request when Batching is set', async () => {
	const batch = { batchSize: 2, batchInterval: 1 };
	const { items } = await testbed.run(
		{ chatbotId, contactFields, requestOptions: { batching: { batch } } },
		{ input: people(4) },
	);
	expect(items).toHaveLength(4);
	expect(testbed.service.requests).toHaveLength(1);
});

it.each([
	['missing', ''],
	['a dot', '.'],
	['two dots', '..'],
])('refuses an External ID that is %s, before any request', async (_, id) => {
	const { error } = await testbed.run({ chatbotId, contactFields }, { input: [{ id, name: 'x' }] });
	expect(error).toMatchObject({ message: expect.stringMatching(/^External ID is/) });
	expect(testbed.service.requests).toEqual([]);
});

describe('a batch that is refused', () => {
	const input = [
		...people(5),
		{ id: 'bad', name: 'Bad', email: 'taken@x.example' },
		{ id: 'last', name: 'Last' },
	];

	beforeEach(
		() =>
			void testbed.service.store.addContact('bot', {
				external_id: 'owner',
				email: 'taken@x.example',
			}),
	);

	it('names the invalid contact and creates the others', async () => {
		const { outputs } = await testbed.run(
			{ chatbotId, contactFields },
			{ input, nodeSettings: { onError: 'continueErrorOutput' } },
		);
		expect(outputs[0].map(({ json }) => json.external_id)).toEqual([
			'p-0',
			'p-1',
			'p-2',
			'p-3',
			'p-4',
			'last',
		]);
		expect(outputs[1]).toEqual([
			{
				json: expect.objectContaining({
					id: 'bad',
					error: expect.stringContaining('The email is taken by another contact'),
				}),
				pairedItem: { item: 5 },
			},
		]);
		expect(testbed.service.store.chatbot('bot').contacts.size).toBe(7);
	});

	it('names the item when On Error is Stop', async () => {
		const { error } = await testbed.run({ chatbotId, contactFields }, { input });
		expect(error).toMatchObject({
			message: 'The email is taken by another contact',
			context: { itemIndex: 5 },
		});
	});
});

it('fails without a change when the contact exists', async () => {
	testbed.service.store.addContact('bot', { external_id: 'p-0', name: 'Older' });
	const { error } = await testbed.run({ chatbotId, contactFields }, { input: people(1) });
	expect(error).toMatchObject({
		message: 'A contact with this External ID exists',
	});
	expect(stored('p-0')).toMatchObject({ name: 'Older' });
});

describe('a batch whose response was lost', () => {
	let restore: () => void;
	beforeEach(() => (restore = skippedTime(testbed.service)));
	afterEach(() => restore());

	/** After a second, then after pauses that double, for at least the timeout of 30 seconds. */
	const lookUps = Array.from({ length: 6 }, () => 'GET');
	const methods = () => testbed.service.requests.map(({ method }) => method);

	it.each([
		['resetAfter', ['POST', 'GET']],
		['resetBefore', ['POST', ...lookUps, 'POST']],
	] as const)('is looked for after %s and creates no contact twice', async (kind, expected) => {
		testbed.service.faults.add({ when: { method: 'POST', nth: 1 }, fault: { kind } });
		const { items } = await testbed.succeed({ chatbotId, contactFields }, { input: people(3) });
		expect(items.map(({ json }) => json)).toEqual(people(3).map(({ id }) => stored(id)));
		expect(methods()).toEqual(expected);
		const [first] = testbed.service.requests;
		const last = testbed.service.requests.at(-1)!;
		if (kind === 'resetBefore') expect(last.at - first.at).toBeGreaterThanOrEqual(30_000);
	});

	it('is sent once more, and fails with its IDs when it is lost again', async () => {
		testbed.service.faults.add({ when: { method: 'POST' }, fault: { kind: 'resetBefore' } });
		const { error } = await testbed.run({ chatbotId, contactFields }, { input: people(1) });
		expect(error?.message).toBe('The connection to the service was lost');
		expect(error?.description).toContain('Contact p-0 may have been created');
		expect(methods()).toEqual(['POST', ...lookUps, 'POST', ...lookUps]);
	});
});

it('writes a contact once when two items have the same values, and answers both', async () => {
	const [person] = people(1);
	const { items } = await testbed.run({ chatbotId, contactFields }, { input: [person, person] });
	expect(testbed.service.requests).toHaveLength(1);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

it('returns the error when an agent gives a value of the wrong type', async () => {
	const schema = [attributeField('seats', 'number')];
	const value = {
		external_id: "={{ $fromAI('id', '', 'string') }}",
		'custom_attributes.seats': "={{ $fromAI('seats', '', 'string') }}",
	};
	const { records } = await testbed.callTool(
		{ chatbotId, ...mapped(value, schema) },
		{ id: 'a', seats: 'several' },
	);
	expect(records).toEqual([
		{
			error:
				'A value doesn\'t fit its custom attribute. Contact a: "seats" is the text "several" and must be a number.',
		},
	]);
});

it('advises nothing that Create lacks when an email is taken', async () => {
	testbed.service.store.addContact('bot', { external_id: 'owner', email: 'a@x.example' });
	const { error } = await testbed.run(
		{ chatbotId, contactFields },
		{ input: [{ id: 'new', email: 'a@x.example' }] },
	);
	expect(error?.message).toBe('The email is taken by another contact');
	expect(error?.description).toMatch(/^Contact new: /);
	expect(error?.description).not.toContain('Match Contacts By');
});

it.each([
	['create', {}, true],
	['upsert', {}, true],
	['update', { contactId: byId('owner') }, false],
	['delete', { contactId: byId('owner') }, false],
])(
	'names the contact, and speaks of new ones only if there is one, when %s is refused',
	async (operation, parameters, isNew) => {
		testbed.service.store.addContact('bot', { external_id: 'owner' });
		testbed.service.faults.add({
			when: { matches: ({ method }) => method !== 'GET' },
			fault: { kind: 'status', status: 400, body: { message: 'No' } },
		});
		const { error } = await testbed.run(
			{ operation, chatbotId, contactFields, ...parameters },
			{ input: [{ id: 'c', name: 'Cleo' }] },
		);
		expect(error?.description).toContain(isNew ? 'Contact c: ' : 'Contact owner: ');
		expect(error?.description?.includes('new contacts')).toBe(isNew);
	},
);

it('warns when the service drops a field', async () => {
	const additionalFields = { customAttributesJson: '{ "plam": "pro" }' };
	const { hints } = await testbed.run(
		{ chatbotId, contactFields, additionalFields },
		{ input: people(1) },
	);
	const messages = hints.map(({ message }) => message);
	expect(messages).toContain('The service dropped: custom_attributes.plam (1).');
});

it('refuses an item that has only an Email, before any request', async () => {
	const input = [{ id: '', name: 'Ada', email: 'ada@x.example' }];
	const refusal = await testbed.refusal({ chatbotId, contactFields }, { input });
	expect(refusal).toBe('External ID is empty');
});
