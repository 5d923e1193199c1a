import { titleOf } from '../../errorTexts';
import type { RunOptions } from '../harness';
import { byId, succeeded, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbot', operation: 'update' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot', name: 'Before' }));

const chatbotId = byId('bot');
const list = ['GET /get-chatbots'];

const update = 'POST /update-chatbot-data';

it.each([
	['a name', { name: 'After' }, { chatbotName: 'After' }, []],
	[
		'a name and text',
		{ name: 'After', sourceText: 'A' },
		{ chatbotName: 'After', sourceText: 'A' },
		[],
	],
	[
		'text, with the present name',
		{ sourceText: 'A' },
		{ chatbotName: 'Before', sourceText: 'A' },
		[list],
	],
])('sends %s', async (_, updateFields, body, before) => {
	const { items } = await testbed.succeed({ chatbotId, updateFields });
	expect(testbed.sent).toEqual([...before, [update, { chatbotId: 'bot', ...body }]]);
	expect(items).toEqual([{ json: { chatbotId: 'bot' }, pairedItem: { item: 0 } }]);
});

it('evaluates each parameter', async () => {
	await testbed.run(
		{
			chatbotId: byId('={{ $json.bot }}'),
			updateFields: { name: '={{ $json.name }}', sourceText: '={{ $json.text }}' },
		},
		{ input: [{ bot: 'bot', name: null, text: 'A' }] },
	);
	expect(testbed.sent[1]).toEqual([
		update,
		{ chatbotId: 'bot', chatbotName: 'Before', sourceText: 'A' },
	]);
});

it.each([
	[{}, 'Nothing to update'],
	[{ name: 'AB' }, 'Name is not at least 3 characters long'],
	[{ sourceText: '={{ "" }}' }, 'Training Text is empty'],
	[{ sourceText: ' \n' }, 'Training Text is empty'],
])('refuses %j before any request', async (updateFields, message) => {
	const refusal = await testbed.refusal({ chatbotId, updateFields });
	expect(refusal).toBe(message);
});

it('does not train a chatbot that does not exist', async () => {
	const { error } = await testbed.run({
		chatbotId: byId('none'),
		updateFields: { sourceText: 'A' },
	});
	expect(error?.message).toBe(titleOf('404'));
	expect(testbed.sent).toEqual([list]);
});

it('neither renames nor trains when a model leaves fields blank', async () => {
	const updateFields = { name: '={{ $fromAI("name") }}', sourceText: '={{ $fromAI("text") }}' };
	await testbed.callTool({ chatbotId, updateFields }, { name: 'After', text: ' ' });
	expect(testbed.sent).toEqual([[update, { chatbotId: 'bot', chatbotName: 'After' }]]);
});

describe('several items about one chatbot', () => {
	const run = async (
		rows: Array<{ name?: string; text?: string }>,
		nodeSettings: RunOptions['nodeSettings'] = {},
	) =>
		await testbed.run(
			{ chatbotId, updateFields: { name: '={{ $json.name }}', sourceText: '={{ $json.text }}' } },
			{ input: rows, nodeSettings },
		);
	const stored = () => testbed.service.store.chatbot('bot');
	const updates = () => testbed.sent.filter(([address]) => address === update);

	const slowDown = (nth: number | 'all') =>
		testbed.service.faults.add({
			when: { path: '/update-chatbot-data', nth },
			fault: { kind: 'delay', ms: 200 },
		});

	it('keep the new name when a later item has text', async () => {
		slowDown('all');
		succeeded(await run([{ name: 'After' }, { text: 'A' }]));
		expect(stored().settings.name).toBe('After');
		expect(stored().sourceText).toBe('A');
		expect(updates()).toHaveLength(2);
	});

	it('keep the new name when an earlier item has text', async () => {
		slowDown(1);
		succeeded(await run([{ text: 'A' }, { name: 'After' }, { text: 'B' }]));
		expect(stored().settings.name).toBe('After');
		expect(testbed.sent).toEqual([
			list,
			[update, { chatbotId: 'bot', chatbotName: 'Before', sourceText: 'A' }],
			[update, { chatbotId: 'bot', chatbotName: 'After' }],
			list,
			[update, { chatbotId: 'bot', chatbotName: 'After', sourceText: 'B' }],
		]);
	});

	it('keep the new name when the response to it was lost', async () => {
		testbed.service.faults.add({
			when: { path: '/update-chatbot-data', nth: 2 },
			fault: { kind: 'otherShape', body: {}, handled: true },
		});
		const rows = [{ text: 'A' }, { name: 'After' }, { text: 'B' }];
		const { items } = await run(rows, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		expect(stored().settings.name).toBe('After');
	});

	it('end with the name of the last item', async () => {
		slowDown(1);
		await run([{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]);
		expect(stored().settings.name).toBe('Three');
	});
});

it.each([{}, { error: 'Locked' }, { chatbotId: null }])(
	'fails when the service responds with %j',
	async (body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { items, error } = await testbed.run({ chatbotId, updateFields: { name: 'After' } });
		expect(items).toEqual([]);
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
	},
);
