import { titleOf } from '../../errorTexts';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'lead', operation: 'getAll' });

const chatbotId = byId('bot');
const createdAt = '2026-07-01T00:00:00.000Z';
const queries = () => testbed.service.requests.map(({ query }) => query);

function add(count: number) {
	for (let number = 0; number < count; number++)
		testbed.service.store.addLead('bot', { createdAt });
}

it.each([
	['collectedCustomers', 'string'],
	['collectedCustomers.data', 'string'],
	['data', 'integer'],
] as const)('reads leads from %s, each with an ID that is a %s', async (leadsShape, type) => {
	Object.assign(testbed.service.behaviour, {
		leadsShape,
		leadConversation: 'named',
	});
	const person = { name: 'Ada', email: 'ada@example.com', phone: '+47 1' };
	testbed.service.store.addLead('bot', { ...person, createdAt, conversationId: 'c1' });
	testbed.service.store.addLead('bot', { createdAt });
	const { items } = await testbed.succeed({ chatbotId, returnAll: true });
	expect(testbed.sent).toEqual([
		['GET /get-leads?chatbotId=bot&size=100&page=1'],
		['GET /get-leads?chatbotId=bot&size=100&page=2'],
	]);
	const common = { chatbot_id: 'bot', created_at: createdAt };
	const [one, two] = type === 'integer' ? [1, 2] : ['1', '2'];
	expect(items).toEqual([
		{ json: { id: one, ...person, ...common, conversationId: 'c1' }, pairedItem: { item: 0 } },
		{ json: { id: two, name: null, email: null, phone: null, ...common }, pairedItem: { item: 0 } },
	]);
});

it.each([
	['all pages', 250, { returnAll: true }, 250, 4],
	['all pages where the service gives fewer than asked for', 250, { returnAll: true }, 250, 6],
	['nothing', 0, { returnAll: true }, 0, 1],
	['a limit', 250, { limit: 100 }, 100, 1],
	['a limit above a page', 250, { limit: 101 }, 101, 2],
])('reads %s: %d leads with %j', async (title, count, parameters, read, requests) => {
	if (title.includes('fewer')) {
		const leadSize = { standard: 10, maximum: 50 };
		Object.assign(testbed.service.behaviour, { leadSize, sizeAboveMaximum: 'clamp' });
	}
	add(count);
	const { items } = await testbed.succeed({ chatbotId, ...parameters });
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(read);
	expect(items).toHaveLength(read);
	expect(testbed.sent).toHaveLength(requests);
});

it.each([
	[
		'a repeated page',
		[
			{ id: 1, name: 'A' },
			{ id: 2, name: 'B' },
		],
	],
	['a repeated page of leads without IDs', [{ name: 'A' }, { name: 'B' }, { name: 'B' }]],
])('stops at the second time of %s', async (_, data) => {
	testbed.service.faults.add({ fault: { kind: 'otherShape', body: { data } } });
	const { items } = await testbed.run({ chatbotId, returnAll: true });
	expect(items.map(({ json }) => json)).toEqual(data);
	expect(testbed.sent).toHaveLength(3);
});

it('loses no lead when as many as a page holds are added meanwhile', async () => {
	add(30);
	const stop = testbed.service.onRequest(({ number }) => {
		for (let index = 0; number === 2 && index < 5; index++) testbed.service.store.addLead('bot');
	});
	const leadSize = { standard: 5, maximum: 5 };
	Object.assign(testbed.service.behaviour, { leadSize, sizeAboveMaximum: 'clamp' });
	const { items } = await testbed.succeed({ chatbotId, returnAll: true });
	stop();
	expect(items.filter(({ json }) => json.created_at === createdAt)).toHaveLength(30);
});

it.each([{}, { collectedCustomers: {} }, { data: ['text'] }, { collectedCustomers: null }])(
	'fails when the response is %j',
	async (body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { error } = await testbed.run({ chatbotId });
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
	},
);

it('sends days with leading zeros', async () => {
	const filters = { startDate: '2026-07-01T00:00:00', endDate: '={{ DateTime.utc(2026, 7, 9) }}' };
	await testbed.run({ chatbotId, filters }, { timezone: 'UTC' });
	expect(queries()).toEqual([
		{ chatbotId: 'bot', startDate: '2026-07-01', endDate: '2026-07-09', size: '50', page: '1' },
	]);
	expect(testbed.illegal).toEqual([]);
});

it('refuses days in the wrong order before any request', async () => {
	const filters = { startDate: '2026-07-02', endDate: '2026-07-01' };
	const refusal = await testbed.refusal({ chatbotId, filters });
	expect(refusal).toBe('Start Date is after End Date');
});

it('evaluates each parameter for each item', async () => {
	add(2);
	const { items } = await testbed.run(
		{
			chatbotId: byId('={{ $json.bot }}'),
			returnAll: '={{ $json.all }}',
			limit: '={{ $json.limit }}',
			filters: { startDate: '={{ $json.start }}', endDate: '={{ $json.end }}' },
		},
		{
			input: [
				{ bot: 'bot', all: true, start: '2026-07-01', end: '2026-07-01' },
				{ bot: 'bot', all: false, limit: 1, start: '2026-01-01', end: '2026-12-31' },
			],
		},
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 0 },
		{ item: 1 },
	]);
});

it('ignores days when a model leaves them blank', async () => {
	add(1);
	const startDate = '={{ $fromAI("start") }}';
	const { records } = await testbed.callTool({ chatbotId, filters: { startDate } }, { start: '' });
	expect(queries()[0]).toEqual({ chatbotId: 'bot', size: '50', page: '1' });
	expect(records).toMatchObject([{ id: '1' }]);
});

it('tells an agent that more may follow', async () => {
	add(3);
	const records = async (limit: number) =>
		(await testbed.callTool({ chatbotId, limit }, {})).records as object[];
	expect(await records(3)).toHaveLength(4);
	expect((await records(3)).at(-1)).toEqual({
		message: 'The list may have more records, because Limit is 3.',
	});
	expect(await records(4)).toHaveLength(3);
});
