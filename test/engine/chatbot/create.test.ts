import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbot', operation: 'create' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot', name: 'Before' }));

it.each([
	[{}, {}],
	[{ sourceText: 'We deliver.' }, { sourceText: 'We deliver.' }],
	[{ sourceText: '' }, {}],
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

describe('from a website', () => {
	const url = 'https://example.com';
	const websiteUrl = url;
	const website = {
		websiteUrl,
		instructions: 'Be kind.',
		model: { __rl: true, mode: 'id', value: 'auto' },
	};

	it.each<[INodeParameters, IDataObject]>([
		[website, { url, instructions: 'Be kind.', model: 'auto' }],
		[{ websiteUrl, sourceText: '={{ "" }}' }, { url }],
		[{ instructions: 'Be kind.' }, { instructions: 'Be kind.' }],
	])('sends %j in one request of version 2', async (additionalFields, body) => {
		const { items } = await testbed.succeed({ name: 'New Bot', additionalFields });
		expect(testbed.sent).toEqual([['POST /api/v2/agents', { name: 'New Bot', ...body }]]);
		const created = [...testbed.service.store.chatbots.keys()].at(-1);
		expect(items).toEqual([
			{ json: { chatbotId: created, pendingSteps: [] }, pairedItem: { item: 0 } },
		]);
	});

	it('says which steps failed', async () => {
		Object.assign(testbed.service.behaviourV2, { clonePendingSteps: ['TRAIN_AGENT'] });
		const { items, hints } = await testbed.succeed({
			name: 'Bot',
			additionalFields: { websiteUrl },
		});
		expect(items[0].json.pendingSteps).toEqual(['TRAIN_AGENT']);
		expect(hints.map(({ message }) => message)).toEqual([
			'A new chatbot is not complete: its pendingSteps name what Chatbase left out.',
		]);
	});

	it.each<[INodeParameters, string]>([
		[{ websiteUrl, sourceText: 'A' }, 'Training Text does not go with a website'],
		[
			{ websiteUrl: 'example.com' },
			'Website URL is not a web address such as https://example.com/docs',
		],
		[{ instructions: ' ' }, 'Instructions is empty'],
	])('refuses %j before any request', async (additionalFields, title) => {
		expect(await testbed.refusal({ name: 'New Bot', additionalFields })).toBe(title);
	});

	it('refuses a name that is too long for version 2', async () => {
		const refusal = await testbed.refusal({
			name: 'x'.repeat(101),
			additionalFields: { websiteUrl },
		});
		expect(refusal).toBe('Name is not a text of 1 to 100 characters');
	});

	it.each([{ kind: 'resetAfter' }, { kind: 'otherShape', body: {}, handled: true }] as const)(
		'is not sent twice when the outcome is unknown: %j',
		async (fault) => {
			testbed.service.faults.add({ fault });
			const { error } = await testbed.run({ name: 'New Bot', additionalFields: { websiteUrl } });
			expect(error?.description).toContain('The chatbot may exist.');
			expect(error?.description).toContain('Unknown: item 0.');
			expect(testbed.sent).toHaveLength(1);
		},
	);
});
