import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'conversation', operation: 'search' });

const chatbotId = byId('bot');
const ids = (items: Array<{ json: { id?: unknown } }>) => items.map(({ json }) => json.id);
const queries = () => testbed.service.requests.map(({ query }) => query);
const countdown = (count: number) =>
	Array.from({ length: count }, (_, index) => `c${count - index}`);
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);

/** Yesterday, so that every conversation lies within the twelve months of the index. */
const start = Date.now() - 86_400_000;

/** Adds conversations, one a minute, the newest last; the service lists the newest first. */
function add(count: number) {
	for (let number = 1; number <= count; number++) {
		testbed.service.store.addConversation('bot', {
			id: `c${number}`,
			createdAt: new Date(start + number * 60_000).toISOString(),
			messages: [{ role: 'user', content: 'I want a refund, please' }],
		});
	}
}

it('returns conversations as the service returns them', async () => {
	add(1);
	const { items } = await testbed.succeed({ chatbotId, query: ' refund ' });
	expect(testbed.sent).toEqual([
		['GET /api/v2/agents/bot/conversations/search?limit=25&query=refund'],
	]);
	const time = Math.floor((start + 60_000) / 1000);
	expect(items).toEqual([
		{
			json: {
				id: 'c1',
				title: null,
				createdAt: time,
				updatedAt: time,
				userId: null,
				source: 'API',
				status: 'ongoing',
				parentConversationId: null,
				parentSummary: null,
				embedOrigin: null,
				snippet: {
					speaker: 'user',
					highlights: [
						{ value: 'I want a ', isHit: false },
						{ value: 'refund', isHit: true },
						{ value: ', please', isHit: false },
					],
				},
			},
			pairedItem: { item: 0 },
		},
	]);
});

it('searches without words when Query is empty', async () => {
	add(1);
	const { items } = await testbed.run({ chatbotId, query: '' });
	expect(ids(items)).toEqual(['c1']);
	expect(queries()[0]).toEqual({ limit: '25' });
});

it.each(['={{ $json.email }}', '={{ $json.words }} '])(
	'does not return every conversation when the expression %j returns nothing for an item',
	async (query) => {
		add(1);
		const input = [{ email: 'refund', words: 'refund' }, { email: null, words: '  ' }, {}];
		const { items, error } = await testbed.run({ chatbotId, query }, { input });
		expect(error).toMatchObject({
			message: 'Query is empty',
			description:
				'Item 1: The expression in Query returned nothing for this item, so every conversation would match. Leave out such items, or clear Query to use only the filters.',
			context: { itemIndex: 1 },
		});
		expect(items).toEqual([]);
		expect(queries()).toEqual([]);
	},
);

it('lets an agent search without words', async () => {
	const query = '={{ $fromAI("words") }}';
	await testbed.callTool({ chatbotId, query }, { words: '' });
	expect(queries()[0]).not.toHaveProperty('query');
});

describe('pages', () => {
	const positions: Array<[Partial<BehaviourV2>, string?]> = [
		[{}],
		[{ searchPages: 'short' }],
		[{ searchPages: 'empty' }],
		[{ lastPage: 'cursorWithoutMore' }],
		[{ pagesUnderChange: 'rowTwice' }],
		[{ lastPage: 'hasMoreWithoutCursor' }, titleOf('unexpectedResponse')],
		[{ lastPage: 'repeatedCursor' }, titleOf('unexpectedResponse')],
		[{ agentId: 'own' }, titleOf('404')],
		[{ agentId: 'own', unknownAgent: 'emptyLists' }, titleOf('404')],
	];

	it.each(positions.map(([behaviour, failure]) => [behaviour, failure] as const))(
		'are read to the end, or fail, when the service has %j',
		async (behaviour, failure) => {
			add(60);
			switchTo(behaviour);
			const { items, error } = await testbed.run({ chatbotId, returnAll: true });
			expect(error?.message).toBe(failure);
			expect(ids(items)).toEqual(failure ? [] : countdown(60));
			// A cursor that comes back leads in no circles.
			expect(testbed.sent.length).toBeLessThan(10);
			expect(testbed.illegal).toEqual([]);
		},
	);

	it.each([
		[1, 1, '1'],
		[25, 1, '25'],
		[26, 2, '25'],
	])('are as few as a limit of %d needs', async (limit, requests, size) => {
		add(60);
		const { items } = await testbed.run({ chatbotId, limit });
		expect(ids(items)).toEqual(countdown(60).slice(0, limit));
		expect(queries().map((query) => query.limit)).toEqual(Array(requests).fill(size));
	});

	it('that are empty are no answer when version 2 does not know the chatbot', async () => {
		switchTo({ agentId: 'own' });
		const body = { data: [], pagination: { cursor: null, hasMore: false } };
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'otherShape', body } });
		const { error } = await testbed.run({ chatbotId });
		expect(error?.message).toBe(titleOf('404'));
	});

	it('end with a failure when hundreds bring nothing new', async () => {
		let cursor = 0;
		testbed.service.faults.add({
			fault: {
				kind: 'otherShape',
				get body() {
					return { data: [], pagination: { cursor: `${cursor++}`, hasMore: true } };
				},
			},
		});
		const { error } = await testbed.run({ chatbotId, returnAll: true });
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
		expect(testbed.sent).toHaveLength(200);
	});
});

describe('filters', () => {
	it.each([
		[{ source: ['WhatsApp', 'Slack'] }, { source: 'WhatsApp,Slack' }],
		[{ sentiment: ['negative', 'unspecified'] }, { sentiment: 'negative,unspecified' }],
		[{ topic: ' Refunds, Parcels ' }, { topic: 'Refunds,Parcels' }],
		[{ userId: 'u1,u2' }, { userId: 'u1,u2' }],
		[{ activityState: ['taken_over'] }, { activityState: 'taken_over' }],
		[{ feedback: ['positive'] }, { feedback: 'positive' }],
		[{ escalated: true }, { escalated: 'true' }],
		[{ escalated: '={{ "yes" }}' }, { escalated: 'true' }],
		[{ escalated: false }, {}],
		[{ hasVoice: true }, { hasVoice: 'true' }],
		[{ hasVoice: false }, { hasVoice: 'false' }],
		[{ actionType: 'collect-leads' }, { actionType: 'collect-leads' }],
		[
			{ tool: 'lookupOrder', toolOutcome: 'error' },
			{ tool: 'lookupOrder', toolOutcome: 'error' },
		],
		[
			{ procedure: 'Return', procedureOutcome: 'completed' },
			{ procedure: 'Return', procedureOutcome: 'completed' },
		],
		[
			{ startDate: '2026-11-01', endDate: '2026-11-02' },
			{ startDate: '2026-10-31T15:00:00.000Z', endDate: '2026-11-02T14:59:59.999Z' },
		],
		[
			{ updatedAfter: '2026-11-01T09:00:00', updatedBefore: '2026-11-01T09:00:00Z' },
			{ updatedAfter: '2026-11-01T00:00:00.000Z', updatedBefore: '2026-11-01T09:00:00.000Z' },
		],
	])('%j become %j', async (filters, query) => {
		switchTo({ searchWindow: 'unlimited' });
		await testbed.succeed({ chatbotId, filters }, { timezone: 'Asia/Tokyo' });
		expect(queries()[0]).toEqual({ limit: '25', ...query });
	});

	it.each([
		[{ startDate: '2026-07-02', endDate: '2026-07-01' }, 'Start Date is after End Date'],
		[
			{ updatedAfter: '2026-07-02', updatedBefore: '2026-07-01' },
			'Updated After is after Updated Before',
		],
		[{ topic: '' }, 'The filter Topics is empty'],
		[{ topic: ' , ' }, 'Topics is not a list of texts'],
		[{ escalated: 'maybe' }, 'Escalated is not true or false'],
		[{ hasVoice: '' }, 'The filter Has Voice is empty'],
	])('%j are refused before any request', async (filters, message) => {
		const refusal = await testbed.refusal({ chatbotId, filters });
		expect(refusal).toBe(message);
	});
});

it('tells an agent which conversations a search does not know, also if it finds nothing', async () => {
	switchTo({ searchWindow: 'unlimited' });
	const startDate = '={{ $fromAI("since") }}';
	const { records } = await testbed.callTool(
		{ chatbotId, query: '', filters: { startDate } },
		{ since: '2020-01-01' },
	);
	expect(records).toEqual([
		{
			message: expect.stringMatching(
				/^Nothing was found\. Search finds only conversations created since \d{4}-\d\d-01\. Use Export for older ones\.$/,
			) as string,
		},
	]);
});

it('warns when a date lies before the twelve months that the index has', async () => {
	add(1);
	switchTo({ searchWindow: 'unlimited' });
	const { hints, items } = await testbed.run(
		{ chatbotId, filters: { startDate: '2020-01-01' } },
		{ input: [{}, {}] },
	);
	expect(ids(items)).toEqual(['c1', 'c1']);
	expect(hints).toEqual([
		{
			type: 'warning',
			location: 'outputPane',
			message: expect.stringMatching(
				/^Search finds only conversations created since \d{4}-\d\d-01\. Use Export for older ones\.$/,
			) as string,
		},
	]);
	expect((await testbed.run({ chatbotId })).hints).toEqual([]);

	switchTo({ searchWindow: 'twelveMonths' });
	const { error } = await testbed.run({ chatbotId, filters: { startDate: '2020-01-01' } });
	expect(error?.description).toContain('startDate: Must lie within the last twelve months');
});

it('says that words cannot be searched when the service does not allow it', async () => {
	add(1);
	switchTo({ searchText: 'unavailable' });
	const { error } = await testbed.run({ chatbotId, query: 'refund' });
	expect(error?.message).toBe('This chatbot cannot be searched by text');
	expect(error?.description).toContain('Leave Query empty. Filters work without it.');
	expect(ids((await testbed.run({ chatbotId })).items)).toEqual(['c1']);
});

describe('transcripts', () => {
	it('are added by one request for each conversation', async () => {
		add(3);
		const { items } = await testbed.run({
			chatbotId,
			options: { transcript: true, maxConcurrency: 2 },
		});
		expect(items.map(({ json }) => json.transcript)).toEqual(
			Array(3).fill(expect.stringContaining('User: I want a refund, please')),
		);
		expect(testbed.sent).toHaveLength(4);
		expect(testbed.illegal).toEqual([]);
		expect(testbed.service.maxInFlight).toBeLessThanOrEqual(2);
	});

	it('are null when the conversation is gone meanwhile', async () => {
		add(2);
		const stop = testbed.service.onRequest(({ number }) => {
			if (number === 2) testbed.service.store.chatbot('bot').conversations.shift();
		});
		const { items } = await testbed.succeed({
			chatbotId,
			options: { transcript: true, maxConcurrency: 1 },
		});
		stop();
		expect(items.map(({ json }) => [json.id, json.transcript === null])).toEqual([
			['c2', false],
			['c1', true],
		]);
	});

	it('fail the item when one of them cannot be read', async () => {
		add(3);
		const when = { matches: ({ query }: { query: object }) => 'conversationId' in query };
		testbed.service.faults.add({ when, fault: { kind: 'status', status: 403 } });
		const { items, error } = await testbed.run({ chatbotId, options: { transcript: true } });
		expect(error).toMatchObject({ httpCode: '403' });
		expect(items).toEqual([]);
	});
});

it('gives an agent the words that were found, and says where the list ends', async () => {
	add(2);
	const { records } = await testbed.callTool(
		{
			chatbotId,
			query: '={{ $fromAI("words") }}',
			limit: 1,
			filters: { topic: '={{ $fromAI("topic") }}' },
		},
		{ words: 'refund', topic: '' },
	);
	expect(queries()[0]).toEqual({ limit: '1', query: 'refund' });
	expect(records).toEqual([
		{
			id: 'c2',
			title: null,
			createdAt: expect.any(Number) as number,
			updatedAt: expect.any(Number) as number,
			userId: null,
			source: 'API',
			status: 'ongoing',
			snippet: 'I want a refund, please',
		},
		{ message: 'The list may have more records, because Limit is 1.' },
	]);
	const nothing = await testbed.callTool({ chatbotId, query: 'unheard of' }, {});
	expect(nothing.records).toEqual([{ message: 'Nothing was found.' }]);
});
