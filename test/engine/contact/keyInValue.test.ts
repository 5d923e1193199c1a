/** A value of the service that quotes the API key is hidden, and never written back in its hidden form. */
import { chatbotId, contactId, mapped } from '../parameters';
import { byId, useTestbed } from '../testbed';
import { goOn } from './rows';

const testbed = useTestbed();

beforeEach(() => {
	const { store, behaviour, apiKey } = testbed.service;
	behaviour.attributesOnPatch = 'replace';
	for (const name of ['note', 'plan']) store.addAttribute('bot', { name, type: 'text' });
	store.addContact('bot', { external_id: 'a', custom_attributes: { note: `Key: ${apiKey}` } });
	store.addContact('bot', { external_id: 'b', custom_attributes: { note: 'Nothing' } });
});

it.each(['update', 'upsert'])(
	'fails the item that would send it back, alone: %s',
	async (operation) => {
		const fields = { external_id: '={{ $json.id }}', 'custom_attributes.plan': 'pro' };
		const parameters = { resource: 'contact', operation, chatbotId, contactId, ...mapped(fields) };
		const { items } = await testbed.run(parameters, { input: [{ id: 'a' }, { id: 'b' }], ...goOn });
		const { apiKey, store } = testbed.service;
		const attributesOf = (id: string) => store.chatbot('bot').contacts.find(id)?.custom_attributes;
		expect(attributesOf('a')).toEqual({ note: `Key: ${apiKey}` });
		expect(attributesOf('b')).toEqual({ note: 'Nothing', plan: 'pro' });
		expect(items[0].json.error).toMatch(/^A value of the service holds the API key\. /);
		expect(items[1].json.error).toBeUndefined();
		expect(JSON.stringify(items)).not.toContain(apiKey);
	},
);

it('writes the words that stand for the key if no value held it', async () => {
	const fields = mapped({ 'custom_attributes.note': '[API key]' });
	await testbed.succeed({
		resource: 'contact',
		operation: 'update',
		chatbotId,
		contactId: byId('b'),
		...fields,
	});
	const { custom_attributes: attributes } = testbed.service.store.contact('bot', 'b')!;
	expect(attributes).toEqual({ note: '[API key]' });
});
