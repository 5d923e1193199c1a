import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'customAttribute', operation: 'getAll' });

const attributes = [
	{ name: 'plan', type: 'text', label: 'Plan', description: 'What they pay for', archived: false },
	{ name: 'since', type: 'date', label: null, description: null, archived: true },
	{ name: 'spent', type: 'number', label: 'Spent', description: null, archived: false },
] as const;
const [plan, since, spent] = attributes;

beforeEach(() => {
	for (const attribute of attributes) testbed.service.store.addAttribute('bot', { ...attribute });
});

const chatbotId = byId('bot');

it.each([
	['all of them', { returnAll: true }, [plan, since, spent]],
	['up to a limit', { limit: 2 }, [plan, since]],
	['only archived ones', { filters: { archived: true } }, [since]],
	['only those in use', { filters: { archived: false } }, [plan, spent]],
	['those in use up to a limit', { filters: { archived: false }, limit: 1 }, [plan]],
])('returns %s unchanged', async (_, parameters, expected) => {
	const { items } = await testbed.succeed({ chatbotId, ...parameters });
	expect(testbed.sent).toEqual([['GET /chatbots/bot/custom-attributes']]);
	expect(items).toEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
});

it('evaluates each parameter for each item', async () => {
	const { items } = await testbed.run(
		{
			chatbotId: byId('={{ $json.bot }}'),
			returnAll: '={{ $json.all }}',
			limit: '={{ $json.limit }}',
			filters: { archived: '={{ $json.archived }}' },
		},
		{
			input: [
				{ bot: 'bot', all: true, archived: 'false' },
				{ bot: 'bot', all: false, limit: 1, archived: true },
			],
		},
	);
	expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
		['plan', { item: 0 }],
		['spent', { item: 0 }],
		['since', { item: 1 }],
	]);
});

it.each([
	[{ limit: 0 }, 'Limit is not a whole number, 1 or more'],
	[{ filters: { archived: '' } }, 'The filter Archived is empty'],
	[{ filters: { archived: 'perhaps' } }, 'Archived is not true or false'],
])('refuses %j before any request', async (parameters, message) => {
	const refusal = await testbed.refusal({ chatbotId, ...parameters });
	expect(refusal).toBe(message);
});

it('ignores a filter when a model leaves it blank', async () => {
	const archived = '={{ $fromAI("archived") }}';
	const { records } = await testbed.callTool(
		{ chatbotId, filters: { archived } },
		{ archived: '' },
	);
	expect(records).toEqual(attributes);
});

it('tells an agent how many more exist', async () => {
	const more = async (parameters: object) =>
		(await testbed.callTool({ chatbotId, ...parameters }, {})).records;
	expect(await more({ limit: 1 })).toEqual([
		plan,
		{ message: 'The list has 2 more, because Limit is 1.' },
	]);
	expect(await more({ limit: 1, filters: { archived: true } })).toEqual([since]);
});
