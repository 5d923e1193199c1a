import { byId, Testbed } from '../testbed';
import { addTwoChatbots, first, rawFirst, second } from './records';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start(
		{ resource: 'chatbot', operation: 'get' },
		{ behaviour: { chatbotRecord: 'reference', readyStatus: 'ready', failedStatus: 'failed' } },
	);
});

beforeEach(() => {
	testbed.reset();
	addTwoChatbots(testbed.service);
});

afterAll(async () => await testbed.close());

const list = ['GET /get-chatbots'];

it.each([
	['in ten fields', {}, first],
	['in full', { simplify: false }, rawFirst],
])('returns the chatbot %s', async (_, parameters, json) => {
	const { items, error } = await testbed.run({
		chatbotId: byId('one'),
		...parameters,
	});
	expect(error).toBeUndefined();
	expect(testbed.sent).toEqual([list]);
	expect(testbed.illegal).toEqual([]);
	expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	expect(Object.keys(first)).toHaveLength(10);
});

it('leaves out fields that the service does not return', async () => {
	const body = { chatbots: [{ id: 'one', name: 'First', extra: 1 }] };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { items } = await testbed.run({ chatbotId: byId('one') });
	expect(items[0].json).toEqual({ id: 'one', name: 'First' });
});

it('evaluates each parameter for each item', async () => {
	const { items } = await testbed.run(
		{ chatbotId: byId('={{ $json.bot }}'), simplify: '={{ $json.simple }}' },
		{
			input: [
				{ bot: 'one', simple: false },
				{ bot: 'two', simple: true },
			],
		},
	);
	expect(items).toEqual([
		{ json: rawFirst, pairedItem: { item: 0 } },
		{ json: second, pairedItem: { item: 1 } },
	]);
});

it('reads the list once for all items', async () => {
	const input = Array.from({ length: 20 }, (_, index) => ({ bot: index % 2 ? 'one' : 'two' }));
	const { items, error } = await testbed.run({ chatbotId: byId('={{ $json.bot }}') }, { input });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(input.map(({ bot }) => bot));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	expect(testbed.sent).toEqual([['GET /get-chatbots']]);
});

it('names the ID when the chatbot does not exist', async () => {
	const { error } = await testbed.run({ chatbotId: byId('three') });
	expect(error?.message).toBe('Chatbot not found');
	expect(error?.description).toContain('"three"');
});

describe('in a tool call', () => {
	it.each([
		[{}, first],
		[{ output: 'simplified' }, first],
		[{ output: 'raw' }, rawFirst],
		[
			{ output: 'selectedFields', outputFields: 'name, temp,nothing' },
			{ id: 'one', name: 'First', temp: 0 },
		],
		[{ output: 'selectedFields', outputFields: '' }, { id: 'one' }],
	])('answers with %j', async (parameters, record) => {
		const { records } = await testbed.callTool(
			{ chatbotId: byId('={{ $fromAI("bot") }}'), ...parameters },
			{ bot: 'one' },
		);
		expect(records).toEqual([record]);
	});
});
