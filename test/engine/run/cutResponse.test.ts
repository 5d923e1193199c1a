/** A response that breaks off in its body: the service has done what was asked, and its answer is lost. */
import { unescapeHtml } from '../../../nodes/Chatbase/values/text';
import { inSkippedTime } from '../fastTime';
import { addChatbots, itemFor, operations } from '../operations';
import { inputOf, mapped, read } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

const cut = { kind: 'resetMidBody' } as const;

const undecodable = {
	kind: 'status',
	status: 200,
	headers: { 'content-encoding': 'gzip' },
	body: 'no gzip',
	handled: true,
} as const;

/** The two forms in which n8n reports it. */
const versions = {
	'the newest n8n': { hasOlderErrors: false },
	'n8n with n8n-workflow before 2.34': { hasOlderErrors: true },
};

const costly = [
	'chat send',
	'chat sendWithMemory',
	'chatbot clone',
	'chatbot create',
	'source create',
	'ticket create',
	'ticket reply',
	'whatsAppTemplate send',
];

const run = async (...call: Parameters<typeof testbed.run>) =>
	await inSkippedTime(testbed.service, async () => await testbed.run(...call));

describe.each(Object.entries(versions))('in %s', (_, version) => {
	it.each(costly)('may have been done, and is sent once: %s', async (name) => {
		addChatbots(testbed.service, ['bot-1']);
		testbed.service.faults.add({ when: { method: 'POST' }, fault: cut });
		const [resource, operation] = name.split(' ');
		const { error } = await run(
			{ resource, operation, ...operations[name].parameters },
			{ input: [itemFor('bot-1')], ...version },
		);
		expect(error?.message).toBe('The connection to the service was lost');
		expect(unescapeHtml(error?.description ?? '')).toMatch(/may (have|exist)/);
		expect(testbed.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it.each([
		['breaks off', cut],
		['cannot be decoded', undecodable],
	])('is looked up after contacts were created, and none is made twice: %s', async (__, fault) => {
		testbed.service.faults.add({ when: { method: 'POST', times: 1 }, fault });
		const { items, error } = await run(
			{
				resource: 'contact',
				operation: 'upsert',
				chatbotId: read.chatbotId,
				...mapped({ external_id: '={{ $json.id }}' }),
			},
			{ input: inputOf(2), ...version },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.external_id)).toEqual(['c0', 'c1']);
		expect([...testbed.service.store.chatbot('bot').contacts]).toHaveLength(2);
	});

	it('is read again', async () => {
		testbed.service.store.addContact('bot', { external_id: 'c0' });
		testbed.service.faults.add({ when: { method: 'GET', times: 1 }, fault: cut });
		const { items, error } = await run(read, { input: inputOf(1), ...version });
		expect(error).toBeUndefined();
		expect(items[0].json.external_id).toBe('c0');
	});
});
