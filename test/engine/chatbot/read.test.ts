import { byId, Testbed } from '../testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start({ resource: 'chatbot' });
	testbed.service.clock.set('2026-07-01T12:00:00Z');
});

beforeEach(() => {
	testbed.reset();
	const { store } = testbed.service;
	store.addChatbot({ id: 'one', name: 'First', styles: { theme: 'dark' } });
	store.addChatbot({ id: 'two', name: 'Second', instructions: 'Sell.', visibility: 'public' });
});

afterAll(async () => await testbed.close());

const list = ['GET /get-chatbots'];
const moment = '2026-07-01T12:00:00.000Z';
const rest = {
	status: 'ready',
	model: 'gpt-4o-mini',
	last_message_at: null,
	last_trained_at: moment,
	created_at: moment,
	updated_at: moment,
};
const first = {
	...rest,
	id: 'one',
	name: 'First',
	visibility: 'private',
	instructions: 'Answer politely and briefly.',
};
const second = { ...rest, id: 'two', name: 'Second', visibility: 'public', instructions: 'Sell.' };
const rawFirst = { ...first, temp: 0, num_of_characters: 0, styles: { theme: 'dark' } };

describe('get', () => {
	const operation = 'get';

	it.each([
		['in ten fields', {}, first],
		['in full', { simplify: false }, rawFirst],
	])('returns the chatbot %s', async (_, parameters, json) => {
		const { items, error } = await testbed.run({
			operation,
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
		const { items } = await testbed.run({ operation, chatbotId: byId('one') });
		expect(items[0].json).toEqual({ id: 'one', name: 'First' });
	});

	it('takes each parameter from an expression, for each item', async () => {
		const { items } = await testbed.run(
			{ operation, chatbotId: byId('={{ $json.bot }}'), simplify: '={{ $json.simple }}' },
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

	it('says which chatbot there is not', async () => {
		const { error } = await testbed.run({ operation, chatbotId: byId('three') });
		expect(error?.message).toBe('Chatbot not found');
		expect(error?.description).toContain('&quot;three&quot;');
	});
});

describe('getAll', () => {
	const operation = 'getAll';

	it.each([
		['all', { returnAll: true }, [first, second]],
		['as many as the limit allows', { limit: 1 }, [first]],
		['as many as the limit allows, in full', { limit: 1, simplify: false }, [rawFirst]],
	])('returns %s', async (_, parameters, expected) => {
		const { items, error } = await testbed.run({ operation, ...parameters });
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([list]);
		expect(items).toEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
	});

	it('takes each parameter from an expression', async () => {
		const { items } = await testbed.run(
			{
				operation,
				returnAll: '={{ $json.all }}',
				limit: '={{ $json.limit }}',
				simplify: '={{ $json.simple }}',
			},
			{ input: [{ all: false, limit: 1, simple: false }] },
		);
		expect(items.map(({ json }) => json)).toEqual([rawFirst]);
	});
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
	])('answers for %j', async (parameters, record) => {
		const { records } = await testbed.callTool(
			{ operation: 'get', chatbotId: byId('={{ $fromAI("bot") }}'), ...parameters },
			{ bot: 'one' },
		);
		expect(records).toEqual([record]);
	});
});
