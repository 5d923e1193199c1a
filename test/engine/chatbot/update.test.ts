import { byId, Testbed } from '../testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start({ resource: 'chatbot', operation: 'update' });
});

beforeEach(() => {
	testbed.reset();
	testbed.service.store.addChatbot({ id: 'bot', name: 'Before' });
});

afterAll(async () => await testbed.close());

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
	const { items, error } = await testbed.run({ chatbotId, updateFields });
	expect(error).toBeUndefined();
	expect(testbed.sent).toEqual([...before, [update, { chatbotId: 'bot', ...body }]]);
	expect(testbed.illegal).toEqual([]);
	expect(items).toEqual([{ json: { chatbotId: 'bot' }, pairedItem: { item: 0 } }]);
});

it('takes each parameter from an expression', async () => {
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
	[{}, 'There is nothing to update'],
	[{ name: 'AB' }, 'Name is not at least 3 characters long'],
])('refuses %j before any request', async (updateFields, message) => {
	const { error } = await testbed.run({ chatbotId, updateFields });
	expect(error?.message).toBe(message);
	expect(testbed.sent).toEqual([]);
});

it('does not train a chatbot that is not there', async () => {
	const { error } = await testbed.run({
		chatbotId: byId('none'),
		updateFields: { sourceText: 'A' },
	});
	expect(error?.message).toBe('Chatbot not found');
	expect(testbed.sent).toEqual([list]);
});

it('neither renames nor trains with what a model left blank', async () => {
	const updateFields = { name: '={{ $fromAI("name") }}', sourceText: '={{ $fromAI("text") }}' };
	await testbed.callTool({ chatbotId, updateFields }, { name: 'After', text: ' ' });
	expect(testbed.sent).toEqual([[update, { chatbotId: 'bot', chatbotName: 'After' }]]);
});
