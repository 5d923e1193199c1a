import { titleOf } from '../../errorTexts';
import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { automatic, chatbotId } from '../parameters';
import { byId, useTestbed } from '../testbed';
import { byColumns } from './rows';

const testbed = useTestbed({ resource: 'contact', operation: 'create' });

beforeEach(() => void testbed.service.store.addAttribute('bot', { name: 'seats', type: 'number' }));

const path = '/chatbots/bot/contacts';
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `p-${index}`, name: `Person ${index}` }));
const stored = (id: string) => ({ ...testbed.service.store.contact('bot', id) });

it.each(['data', 'created'] as const)(
	'sends the items together and pairs each contact with its item (response in %s)',
	async (createReply) => {
		testbed.service.behaviour.createReply = createReply;
		const { outputs } = await testbed.run(byColumns, { input: people(3) });
		expect(testbed.sent).toEqual([
			[`POST ${path}`, { users: people(3).map(({ id, name }) => ({ external_id: id, name })) }],
		]);
		expect(testbed.illegal).toEqual([]);
		const _sync = { action: 'created', changed: ['external_id', 'name'] };
		expect(outputs).toEqual([
			people(3).map(({ id }, item) => ({ json: { _sync, ...stored(id) }, pairedItem: { item } })),
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

it('advises nothing that Create lacks when an email is taken', async () => {
	testbed.service.store.addContact('bot', { external_id: 'owner', email: 'a@x.example' });
	const { error } = await testbed.run(byColumns, { input: [{ id: 'new', email: 'a@x.example' }] });
	expect(error?.message).toBe(titleOf('409 email'));
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
			{ ...byColumns, operation, ...parameters },
			{ input: [{ id: 'c', name: 'Cleo' }] },
		);
		expect(error?.description).toContain(isNew ? 'Contact c: ' : 'Contact owner: ');
		expect(error?.description?.includes('new contacts')).toBe(isNew);
	},
);

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
