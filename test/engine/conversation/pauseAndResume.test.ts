import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'conversation' });

const chatbotId = byId('bot');
const id = 'c/1?';
const conversations = () => testbed.service.store.chatbot('bot').conversations;
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);

const table = [
	['pause', { paused: true }, 'ongoing', 'paused'],
	['resume', { paused: false }, 'paused', 'ongoing'],
] as const;

describe.each(table)('%s', (operation, body, before, after) => {
	const parameters = { operation, chatbotId, conversationId: '={{ $json.id }}' };
	const input = [{ id }];

	beforeEach(
		() =>
			void testbed.service.store.addConversation('bot', { id, status: before, source: 'WhatsApp' }),
	);

	it('changes the status, and returns it', async () => {
		const { items } = await testbed.succeed(parameters, { input });
		expect(testbed.sent).toEqual([['PATCH /api/v2/agents/bot/conversations/c%2F1%3F', body]]);
		expect(items).toEqual([{ json: { id, status: after }, pairedItem: { item: 0 } }]);
		expect(conversations()[0].status).toBe(after);
	});

	it('changes nothing the second time', async () => {
		await testbed.run(parameters, { input });
		const { items } = await testbed.run(parameters, { input });
		expect(items[0].json).toEqual({ id, status: after });
	});

	it.each([
		['another conversation', { data: { id: 'other', status: after } }],
		['no conversation', { data: null }],
		['no envelope', { id, status: after }],
	])('fails when the answer is about %s', async (_, reply) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: reply } });
		const { error } = await testbed.run(parameters, { input });
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
	});

	it('fails when the answer has another status', async () => {
		const reply = { data: { id, status: 'ended' } };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: reply } });
		const { error } = await testbed.run(parameters, { input });
		expect(error?.message).toBe(`The conversation was not ${operation}d`);
		expect(error?.description).toContain('"ended"');
	});

	it.each(['RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const)(
		'names conversation and chatbot when one does not exist: %s',
		async (pauseUnknownConversation) => {
			switchTo({ pauseUnknownConversation });
			const { error } = await testbed.run(parameters, { input: [{ id: 'nobody' }] });
			expect(error).toMatchObject({
				message: 'Conversation or chatbot not found',
				httpCode: '404',
			});
			expect(error?.description).toContain(
				'If Chatbot: Get finds the chatbot, ask the support of the service.',
			);
		},
	);

	it.each(['', '  ', '.', '..'])('refuses the ID %j before any request', async (wrong) => {
		const refusal = await testbed.refusal(parameters, { input: [{ id: wrong }] });
		expect(refusal).toMatch(/^Conversation ID is (empty|not valid)$/);
	});
});
