import { titleOf } from '../../errorTexts';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbot', operation: 'delete' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot', name: 'Before' }));

const chatbotId = byId('bot');

const deletion = ['DELETE /delete-chatbot?chatbotId=bot'];

it('deletes the chatbot', async () => {
	const { items } = await testbed.succeed({ chatbotId });
	expect(testbed.sent).toEqual([deletion]);
	expect(items).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
	expect(testbed.service.store.chatbots.has('bot')).toBe(false);
});

it('succeeds when the response has no body', async () => {
	testbed.service.faults.add({ fault: { kind: 'status', status: 204, body: '' } });
	const { items } = await testbed.run({ chatbotId });
	expect(items[0].json).toEqual({ deleted: true });
});

it('fails when the first attempt finds no chatbot', async () => {
	const { error } = await testbed.run({ chatbotId: byId('none') });
	expect(error?.message).toBe(titleOf('404'));
});
