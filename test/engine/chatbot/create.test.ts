import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbot', operation: 'create' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot', name: 'Before' }));

it.each([
	[{}, {}],
	[{ sourceText: 'We deliver.' }, { sourceText: 'We deliver.' }],
	[{ sourceText: '' }, { sourceText: '' }],
])('sends the name and %j', async (additionalFields, body) => {
	const { items } = await testbed.succeed({ name: 'New Bot', additionalFields });
	expect(testbed.sent).toEqual([['POST /create-chatbot', { chatbotName: 'New Bot', ...body }]]);
	const created = [...testbed.service.store.chatbots.keys()].at(-1);
	expect(items).toEqual([{ json: { chatbotId: created }, pairedItem: { item: 0 } }]);
});

it('evaluates each parameter for each item', async () => {
	const { items } = await testbed.run(
		{
			name: '={{ $json.name }}',
			additionalFields: { sourceText: '={{ $json.text }}' },
		},
		{ input: [{ name: 'One', text: 'A' }, { name: 'Two' }] },
	);
	const bodies = testbed.service.requests.map(({ body }) => body);
	expect(bodies).toEqual(
		expect.arrayContaining([{ chatbotName: 'One', sourceText: 'A' }, { chatbotName: 'Two' }]),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

it('refuses a short name before any request', async () => {
	const refusal = await testbed.refusal({ name: 'AB' });
	expect(refusal).toBe('Name is not at least 3 characters long');
});

it('is not sent again when the service may have created the chatbot', async () => {
	testbed.service.faults.add({ fault: { kind: 'resetAfter' } });
	const { error } = await testbed.run({ name: 'New Bot' });
	expect(error?.description).toContain('the service may have done it');
	expect(testbed.sent).toHaveLength(1);
});

it('leaves out fields that a model left blank', async () => {
	const { records } = await testbed.callTool(
		{
			name: '={{ $fromAI("name") }}',
			additionalFields: { sourceText: '={{ $fromAI("text") }}' },
		},
		{ name: 'New Bot', text: '' },
	);
	expect(testbed.sent).toEqual([['POST /create-chatbot', { chatbotName: 'New Bot' }]]);
	expect(records).toEqual([{ chatbotId: expect.any(String) as unknown }]);
});

it('fails when the response has no ID', async () => {
	testbed.service.faults.add({ fault: { kind: 'otherShape', body: { message: 'Done' } } });
	const { error } = await testbed.run({ name: 'New Bot' });
	expect(error?.message).toBe('The service returned an unexpected response');
});
