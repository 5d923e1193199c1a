import { byId, Testbed } from '../testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start({ resource: 'contact', operation: 'delete' });
});

beforeEach(() => {
	testbed.reset();
	testbed.service.behaviour.deleteReply = 'contact';
	testbed.service.store.addChatbot({ id: 'bot' });
	testbed.service.store.addContact('bot', { external_id: 'a', name: 'Ada' });
});

afterAll(async () => await testbed.close());

const chatbotId = byId('bot');
const contactId = byId('a');
const path = '/chatbots/bot/contacts/a';

it.each(['contact', 'empty'] as const)(
	'answers exactly { deleted: true } where the service answers with %s',
	async (deleteReply) => {
		testbed.service.behaviour.deleteReply = deleteReply;
		const { outputs } = await testbed.run({ chatbotId, contactId });
		expect(testbed.sent).toEqual([[`DELETE ${path}`]]);
		expect(outputs).toEqual([[{ json: { deleted: true }, pairedItem: { item: 0 } }]]);
		expect(testbed.service.store.contact('bot', 'a')).toBeUndefined();
	},
);

it('adds the deleted contact when asked for', async () => {
	const contact = { ...testbed.service.store.contact('bot', 'a') };
	const { items } = await testbed.run({ chatbotId, contactId, options: { includeDeleted: true } });
	expect(items[0].json).toEqual({ deleted: true, contact });
});

it('does without the deleted contact where the service does not return it', async () => {
	testbed.service.behaviour.deleteReply = 'empty';
	const { items } = await testbed.run({ chatbotId, contactId, options: { includeDeleted: true } });
	expect(items[0].json).toEqual({ deleted: true });
});

it('marks a contact that is not there', async () => {
	const { items } = await testbed.run({
		chatbotId,
		contactId: byId('none'),
		options: { onNotFound: 'mark' },
	});
	expect(items[0].json).toEqual({ deleted: false, found: false, external_id: 'none' });
});

it('fails for a contact that is not there unless told otherwise', async () => {
	const { error } = await testbed.run({ chatbotId, contactId: byId('none') });
	expect(error).toMatchObject({ message: 'Contact not found', httpCode: '404' });
});

it('only looks in a dry run', async () => {
	const { items } = await testbed.run({ chatbotId, contactId, options: { dryRun: true } });
	const contact = { ...testbed.service.store.contact('bot', 'a') };
	expect(testbed.sent).toEqual([[`GET ${path}`]]);
	expect(items[0].json).toEqual({ deleted: false, wouldDelete: true, contact });
});

it.each(['', ' ', '.', '..'])('never sends a request for the ID "%s"', async (id) => {
	const { error } = await testbed.run({ chatbotId, contactId: byId(id) });
	expect(error).toBeDefined();
	expect(testbed.service.requests).toEqual([]);
});

it('counts as done when the reply to the first try was lost and the second finds nothing', async () => {
	testbed.service.faults.add({ when: { method: 'DELETE', nth: 1 }, fault: { kind: 'resetAfter' } });
	const { items, error } = await testbed.run({ chatbotId, contactId });
	expect(error).toBeUndefined();
	expect(items[0].json).toEqual({ deleted: true });
	expect(testbed.sent).toEqual([[`DELETE ${path}`], [`DELETE ${path}`]]);
});
