import { byId, Testbed } from '../testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start({ resource: 'chatbot' });
});

beforeEach(() => {
	testbed.reset();
	testbed.service.store.addChatbot({ id: 'bot', name: 'Before' });
});

afterAll(async () => await testbed.close());

const chatbotId = byId('bot');
const list = ['GET /get-chatbots'];

describe('create', () => {
	const operation = 'create';

	it.each([
		[{}, {}],
		[{ sourceText: 'We deliver.' }, { sourceText: 'We deliver.' }],
		[{ sourceText: '' }, { sourceText: '' }],
	])('sends the name and %j', async (additionalFields, body) => {
		const { items, error } = await testbed.run({ operation, name: 'New Bot', additionalFields });
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([['POST /create-chatbot', { chatbotName: 'New Bot', ...body }]]);
		expect(testbed.illegal).toEqual([]);
		const created = [...testbed.service.store.chatbots.keys()].at(-1);
		expect(items).toEqual([{ json: { chatbotId: created }, pairedItem: { item: 0 } }]);
	});

	it('takes each parameter from an expression, for each item', async () => {
		const { items } = await testbed.run(
			{
				operation,
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
		const { error } = await testbed.run({ operation, name: 'AB' });
		expect(error?.message).toBe('Name is not at least 3 characters long');
		expect(testbed.sent).toEqual([]);
	});

	it('is not sent again when it may have been carried out', async () => {
		testbed.service.faults.add({ fault: { kind: 'resetAfter' } });
		const { error } = await testbed.run({ operation, name: 'New Bot' });
		expect(error?.description).toContain('may have been carried out');
		expect(testbed.sent).toHaveLength(1);
	});

	it('leaves out what a model left blank', async () => {
		const { records } = await testbed.callTool(
			{
				operation,
				name: '={{ $fromAI("name") }}',
				additionalFields: { sourceText: '={{ $fromAI("text") }}' },
			},
			{ name: 'New Bot', text: '' },
		);
		expect(testbed.sent).toEqual([['POST /create-chatbot', { chatbotName: 'New Bot' }]]);
		expect(records).toEqual([{ chatbotId: expect.any(String) as unknown }]);
	});
});

describe('update', () => {
	const operation = 'update';
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
		const { items, error } = await testbed.run({ operation, chatbotId, updateFields });
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([...before, [update, { chatbotId: 'bot', ...body }]]);
		expect(testbed.illegal).toEqual([]);
		expect(items).toEqual([{ json: { chatbotId: 'bot' }, pairedItem: { item: 0 } }]);
	});

	it('takes each parameter from an expression', async () => {
		await testbed.run(
			{
				operation,
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
		const { error } = await testbed.run({ operation, chatbotId, updateFields });
		expect(error?.message).toBe(message);
		expect(testbed.sent).toEqual([]);
	});

	it('does not train a chatbot that is not there', async () => {
		const { error } = await testbed.run({
			operation,
			chatbotId: byId('none'),
			updateFields: { sourceText: 'A' },
		});
		expect(error?.message).toBe('Chatbot not found');
		expect(testbed.sent).toEqual([list]);
	});

	it('neither renames nor trains with what a model left blank', async () => {
		const updateFields = { name: '={{ $fromAI("name") }}', sourceText: '={{ $fromAI("text") }}' };
		await testbed.callTool({ operation, chatbotId, updateFields }, { name: 'After', text: ' ' });
		expect(testbed.sent).toEqual([[update, { chatbotId: 'bot', chatbotName: 'After' }]]);
	});
});

describe('delete', () => {
	const operation = 'delete';
	const deletion = ['DELETE /delete-chatbot?chatbotId=bot'];

	it('deletes the chatbot', async () => {
		const { items, error } = await testbed.run({ operation, chatbotId });
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([deletion]);
		expect(testbed.illegal).toEqual([]);
		expect(items).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
		expect(testbed.service.store.chatbots.has('bot')).toBe(false);
	});

	it('has deleted it when a second attempt does not find it any more', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetAfter' } });
		const { items, error } = await testbed.run({ operation, chatbotId });
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([deletion, deletion]);
		expect(items[0].json).toEqual({ deleted: true });
	});

	it('fails when the first attempt does not find it', async () => {
		const { error } = await testbed.run({ operation, chatbotId: byId('none') });
		expect(error?.message).toBe('Chatbot not found');
	});

	it.each(['', '  '])('refuses the ID %j before any request', async (id) => {
		const { error } = await testbed.run(
			{ operation, chatbotId: byId('={{ $json.id }}') },
			{ input: [{ id }] },
		);
		expect(error?.message).toBe('Chatbot is empty');
		expect(testbed.sent).toEqual([]);
	});
});
