import { titleOf } from '../../errorTexts';
import { chatbotId, contactId } from '../parameters';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', operation: 'get' });

beforeEach(() => {
	testbed.service.store.addContact('bot', { external_id: 'a', name: 'Ada' });
	testbed.service.store.addContact('bot', { external_id: 'b', name: 'Bea' });
});

const stored = (id: string) => ({ ...testbed.service.store.contact('bot', id) });

it('reads each contact by its External ID and pairs it with its item', async () => {
	const { outputs } = await testbed.run(
		{ chatbotId, contactId },
		{ input: [{ id: 'b' }, { id: 'a' }] },
	);
	expect(testbed.sent).toEqual([
		['GET /chatbots/bot/contacts/b'],
		['GET /chatbots/bot/contacts/a'],
	]);
	expect(outputs).toEqual([
		[
			{ json: stored('b'), pairedItem: { item: 0 } },
			{ json: stored('a'), pairedItem: { item: 1 } },
		],
	]);
	expect(testbed.service.requests[0].headers).toMatchObject({
		authorization: `Bearer ${testbed.service.apiKey}`,
		accept: 'application/json',
	});
});

it.each([
	['a column', '={{ $json.id }}'],
	['a calculation', '={{ $json["id"] + "" }}'],
	['text around it', '={{ $json.id.slice(0, 1) }}{{ $json.id.slice(1) }}'],
])('uses an ID from the data unchanged: %s', async (_, value) => {
	const id = '={{ 6 * 7 }}';
	testbed.service.store.addContact('bot', { external_id: id });
	for (const field of [byId(value), value]) {
		const { items } = await testbed.run({ chatbotId, contactId: field }, { input: [{ id }] });
		expect(items.map(({ json }) => json.external_id)).toEqual([id]);
	}
});

it.each([
	['a slash', 'a/b'],
	['a query', 'a?per_page=1'],
	['a fragment', 'a#b'],
	['a percent sign', '50%'],
	['an encoded slash', '..%2Fb'],
	['spaces', ' a b '],
	['letters beyond ASCII', 'Ünï😀'],
	['only digits, as a number', 42],
])('finds a contact whose ID has %s', async (_, id) => {
	testbed.service.store.addContact('bot', { external_id: String(id), name: 'Odd' });
	const { items } = await testbed.succeed({ chatbotId, contactId }, { input: [{ id }] });
	expect(items[0].json).toEqual(stored(String(id)));
});

it.each([
	['missing', undefined, 'Contact is empty'],
	['null', null, 'Contact is empty'],
	['blank', '  ', 'Contact is empty'],
	['a list', ['a'], 'Contact is not text'],
	['an object', { a: 1 }, 'Contact is not text'],
	['the current folder', '.', 'Contact is not valid'],
	['the folder above', '..', 'Contact is not valid'],
])('refuses an ID that is %s, before any request', async (_, id, message) => {
	const { error } = await testbed.run({ chatbotId, contactId }, { input: [{ id } as never] });
	expect(error).toMatchObject({ message, description: expect.stringContaining('Item 0') });
	expect(testbed.service.requests).toEqual([]);
});

it('fails with the message of the service and a next step when the contact is missing', async () => {
	const { error } = await testbed.run({ chatbotId, contactId: byId('none') });
	expect(error).toMatchObject({
		message: titleOf('404 contact itself'),
		httpCode: '404',
		description: expect.stringMatching(/The service says: "Contact not found".*External ID/),
	});
});

describe('as a tool', () => {
	const parameters = {
		chatbotId,
		contactId: byId("={{ $fromAI('id', 'External ID of the contact', 'string') }}"),
	};

	it('returns an error that the agent can act on', async () => {
		const { records } = await testbed.callTool(parameters, { id: 'none' });
		expect(records).toEqual([
			{ error: expect.stringMatching(/^Contact not found\. .*External ID/) },
		]);
	});

	it.each(['', '  '])('sends nothing and asks for the ID when the model gives %j', async (id) => {
		expect(await testbed.callTool(parameters, { id })).toEqual({
			records: [{ error: 'Contact is empty. This parameter needs an ID. Ask the user for it.' }],
		});
		expect(testbed.sent).toEqual([]);
	});
});
