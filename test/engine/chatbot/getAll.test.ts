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

describe('Include Usage', () => {
	const parameters = { returnAll: true, options: { includeUsage: true } };
	const usages = async () =>
		(await testbed.succeed(parameters)).items.map(({ json }) => json.usage);

	it('adds the usage of each chatbot with one list', async () => {
		const [{ agent }] = testbed.service.store.chatbots.values();
		Object.assign(agent, { creditsUsed: 412, creditLimit: 1000 });
		expect(await usages()).toEqual([
			{ creditsUsed: 412, creditLimit: 1000, lastMessageAt: null },
			{ creditsUsed: 0, creditLimit: null, lastMessageAt: null },
		]);
		expect(testbed.sent).toEqual([list, ['GET /api/v2/agents?limit=100']]);
	});

	it('reads every page', async () => {
		for (let index = 0; index < 150; index++) testbed.service.store.addChatbot();
		expect((await usages()).every((usage) => usage !== null)).toBe(true);
		expect(testbed.sent).toHaveLength(3);
	});

	it('is null for a chatbot that version 2 does not list', async () => {
		Object.assign(testbed.service.behaviourV2, { agentId: 'own' });
		expect(await usages()).toEqual([null, null]);
	});
});
