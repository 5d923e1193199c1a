import { chatbotId, mapped } from '../parameters';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', operation: 'delete' });

beforeEach(() => {
	testbed.service.store.addContact('bot', { external_id: 'a', name: 'Ada' });
});

const contactId = byId('a');
const path = '/chatbots/bot/contacts/a';

it.each(['contact', 'empty'] as const)(
	'returns exactly { deleted: true } when the service responds with %s',
	async (deleteReply) => {
		testbed.service.behaviour.deleteReply = deleteReply;
		const { outputs } = await testbed.run({ chatbotId, contactId });
		expect(testbed.sent).toEqual([[`DELETE ${path}`]]);
		expect(outputs).toEqual([[{ json: { deleted: true }, pairedItem: { item: 0 } }]]);
		expect(testbed.service.store.contact('bot', 'a')).toBeUndefined();
	},
);

it('adds the deleted contact when Include Deleted Contact is on', async () => {
	const contact = { ...testbed.service.store.contact('bot', 'a') };
	const { items } = await testbed.run({ chatbotId, contactId, options: { includeDeleted: true } });
	expect(items[0].json).toEqual({ deleted: true, contact });
});

it('sends only reads when Dry Run is on', async () => {
	const { items } = await testbed.run({ chatbotId, contactId, options: { dryRun: true } });
	const contact = { ...testbed.service.store.contact('bot', 'a') };
	expect(testbed.sent).toEqual([[`GET ${path}`]]);
	expect(items[0].json).toEqual({ deleted: false, wouldDelete: true, contact });
});

it('is no success when the second try gets a 404 of HTML', async () => {
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetBefore' } });
	testbed.service.faults.add({
		when: { nth: 2 },
		fault: { kind: 'status', status: 404, body: '<h1>Not Found</h1>' },
	});
	const { error } = await testbed.run({ chatbotId, contactId });
	expect(error?.message).toBe("The Base URL doesn't lead to the API");
	expect(testbed.service.store.contact('bot', 'a')).toBeDefined();
});

it.each(['get', 'update', 'delete'])(
	'marks a contact that does not exist in other words of the service, too (%s)',
	async (operation) => {
		testbed.service.behaviour.notFoundMessage = 'Resource not found';
		const missing = { operation, chatbotId, contactId: byId('nobody'), ...mapped({ name: 'New' }) };
		const { items } = await testbed.run({ ...missing, options: { onNotFound: 'mark' } });
		expect(items[0].json).toMatchObject({ found: false, external_id: 'nobody' });
	},
);
