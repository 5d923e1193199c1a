import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', chatbotId });

beforeEach(() => {
	const { store, behaviour } = testbed.service;
	behaviour.endpoints = 'all';
	store.addAttribute('bot', { name: 'plan', type: 'text' });
	store.addContact('bot', { external_id: 'c0', name: 'Before' });
});

const input = [{ id: 'c0' }];
const upsert = { operation: 'upsert', ...mapped({ external_id: '={{ $json.id }}', name: 'New' }) };
const options = { setOnlyIfEmpty: 'custom_attributes.plan, custom_attributes.paln' };
const attributes = 'GET /chatbots/bot/custom-attributes';

it('is refused when it names an attribute that does not exist', async () => {
	const { error } = await testbed.run({ ...upsert, options }, { input });
	expect(error?.message).toBe('Set Only If Empty has an unknown custom attribute');
	expect(error?.description).toContain('paln');
	expect(testbed.sent).toEqual([[attributes]]);
});

it('is accepted when attributes cannot be listed', async () => {
	testbed.service.behaviour.endpoints = 'withoutAttributeList';
	await testbed.succeed({ ...upsert, options }, { input });
});
