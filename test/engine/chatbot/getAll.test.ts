import { useTestbed } from '../testbed';
import { addTwoChatbots, first, rawFirst, second } from './records';

const testbed = useTestbed(
	{ resource: 'chatbot', operation: 'getAll' },
	{ behaviour: { chatbotRecord: 'reference' } },
);

beforeEach(() => {
	addTwoChatbots(testbed.service);
});

const list = ['GET /get-chatbots'];

it.each([
	['all', { returnAll: true }, [first, second]],
	['as many as the limit allows', { limit: 1 }, [first]],
	['as many as the limit allows, in full', { limit: 1, simplify: false }, [rawFirst]],
])('returns %s', async (_, parameters, expected) => {
	const { items } = await testbed.succeed({ ...parameters });
	expect(testbed.sent).toEqual([list]);
	expect(items).toEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
});

it.each([
	[1, [first, { message: 'The list has 1 more, because Limit is 1.' }]],
	[2, [first, second]],
	[3, [first, second]],
])('tells an agent how many more exist when the limit is %d', async (limit, expected) => {
	expect((await testbed.callTool({ limit }, {})).records).toEqual(expected);
});

it('evaluates each parameter', async () => {
	const { items } = await testbed.run(
		{
			returnAll: '={{ $json.all }}',
			limit: '={{ $json.limit }}',
			simplify: '={{ $json.simple }}',
		},
		{ input: [{ all: false, limit: 1, simple: false }] },
	);
	expect(items.map(({ json }) => json)).toEqual([rawFirst]);
});
