import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { inSkippedTime } from '../fastTime';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'conversation', operation: 'get' });

it('advises what helps for one conversation when the service states one and returns none', async () => {
	const body = { data: [], pagination: { hasMore: false, cursor: null, total: 1300 } };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { error } = await testbed.run({ chatbotId: byId('bot'), conversationId: 'Conv-1' });
	expect(error?.description).toContain('The node read 0 of 1,300 conversations');
	expect(error?.description).toMatch(/Run the node again\.$/);
});

beforeEach(() => {
	const { store } = testbed.service;
	store.addConversation('bot', { id: 'other', createdAt: '2026-07-02T00:00:00Z' });
	store.addConversation('bot', {
		id: 'Conv-1',
		title: 'Refund',
		source: 'WhatsApp',
		createdAt: '2026-07-01T00:00:00Z',
		messages: [
			{ role: 'user', content: 'Can I get a refund?' },
			{
				role: 'assistant',
				content: 'Yes, within 30 days.',
				createdAt: '2026-07-01T00:00:05Z',
				parts: [
					{ type: 'text', text: 'Let me look.' },
					{ type: 'tool-call', toolCallId: 'call-1', toolName: 'lookupOrder' },
					{ type: 'tool-result', toolCallId: 'call-1', toolName: 'lookupOrder', output: {} },
					{ type: 'text', text: 'Yes, ' },
					{ type: 'text', text: 'within 30 days.' },
				],
			},
		],
	});
});

it.each([
	['positive', 0.87],
	['negative', 0],
	[null, null],
] as const)('has feedback and score of a message as they are: %s, %s', async (feedback, score) => {
	testbed.service.store.addConversation('bot', {
		id: 'rated',
		messages: [{ role: 'assistant', content: 'Yes.', feedback, score }],
	});
	const { items } = await testbed.succeed({ chatbotId, conversationId: 'rated' });
	expect(items[0].json.messages).toMatchObject([{ feedback, metadata: { score } }]);
});

const chatbotId = byId('bot');
const conversationId = 'Conv-1';
const mark = { options: { onNotFound: 'mark' } };
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);

const transcript =
	'[2026-07-01 09:00:00] User: Can I get a refund?\n' +
	'[2026-07-01 09:00:05] Assistant: Let me look.\n  Yes, within 30 days.';

it('returns a conversation of any source with messages and transcript', async () => {
	const { items } = await testbed.succeed(
		{ chatbotId, conversationId },
		{ timezone: 'Asia/Tokyo' },
	);
	expect(testbed.sent).toEqual([
		['GET /api/v2/agents/bot/conversations/export?limit=1&include=messages&conversationId=Conv-1'],
	]);
	expect(items).toMatchObject([
		{
			json: { id: 'Conv-1', title: 'Refund', source: 'WhatsApp', status: 'ongoing', transcript },
			pairedItem: { item: 0 },
		},
	]);
	expect(items[0].json.messages).toHaveLength(2);
});

it('returns an empty transcript when the conversation has no messages', async () => {
	const { items } = await testbed.run({ chatbotId, conversationId: 'other' });
	expect(items[0].json).toMatchObject({ id: 'other', messages: [], transcript: '' });
});

it('ignores spaces around the ID', async () => {
	const { items } = await testbed.run({ chatbotId, conversationId: ' Conv-1\n' });
	expect(items[0].json.id).toBe('Conv-1');
});

it.each<[Partial<BehaviourV2>]>([
	[{}],
	[{ total: 'absent' }],
	[{ total: 'tooHigh' }],
	[{ total: 'tooLow' }],
	[{ lastPage: 'cursorWithoutMore' }],
	[{ lastPage: 'hasMoreWithoutCursor' }],
	[{ messageFields: 'withoutCreatedAt' }],
	[{ messageFields: 'emptyParts' }],
])(
	'is never another conversation or an empty transcript when the service has %j',
	async (behaviour) => {
		switchTo(behaviour);
		const { items } = await testbed.succeed({ chatbotId, conversationId });
		expect(items).toMatchObject([{ json: { id: 'Conv-1' } }]);
		expect(items[0].json.transcript).toContain('User: Can I get a refund?');
		expect(items[0].json.transcript).toMatch(/Assistant: (Let me look|\(no text\))/);
	},
);

describe('a conversation that does not exist', () => {
	const missing = { chatbotId, conversationId: 'nobody' };

	it.each(['empty', 'notFound'] as const)('fails, or is marked: %s', async (position) => {
		switchTo({ exportUnknownConversation: position });
		const { error } = await testbed.run(missing);
		expect(error?.message).toBe('Conversation not found');
		expect(error?.description).toContain('no conversation with the ID "nobody"');
		const { items } = await testbed.run({ ...missing, ...mark });
		expect(items).toEqual([{ json: { found: false, id: 'nobody' }, pairedItem: { item: 0 } }]);
		expect(testbed.illegal).toEqual([]);
	});

	it('fails when the service returns another one instead', async () => {
		switchTo({ exportUnknownConversation: 'filterIgnored' });
		const { error, items } = await testbed.run({ ...missing, ...mark });
		expect(error?.message).toBe('The service returned another conversation');
		expect(items).toEqual([]);
	});

	it('fails when the total speaks of one that does not come', async () => {
		switchTo({ total: 'tooHigh' });
		const { error } = await testbed.run({ ...missing, ...mark });
		expect(error?.message).toBe('The conversations could not be read completely');
	});

	it.each(['emptyLists', 'notFound'] as const)(
		'is no mark when version 2 does not know the chatbot: %s',
		async (unknownAgent) => {
			switchTo({ agentId: 'own', unknownAgent });
			const { error, items } = await testbed.run({ chatbotId, conversationId, ...mark });
			expect(error?.message).toBe(titleOf('404'));
			expect(error?.description).toContain('Conversation: Get Many uses version 1.');
			expect(items).toEqual([]);
		},
	);

	it('is no mark when the service answers with a page of HTML', async () => {
		testbed.service.faults.add({ fault: { kind: 'status', status: 404, body: '<h1>No</h1>' } });
		const { error } = await testbed.run({ ...missing, ...mark });
		expect(error?.message).toBe('Version 2 of the API is not at this address');
	});

	it('is no mark when the route does not exist', async () => {
		const body = { error: { code: 'NOT_FOUND', message: 'Route not found' } };
		testbed.service.faults.add({ fault: { kind: 'status', status: 404, body } });
		const { error } = await testbed.run({ ...missing, ...mark });
		expect(error?.message).toBe('Version 2 of the API is not at this address');
	});
});

it.each([
	['={{ "" }}', 'Conversation ID is empty'],
	['  ', 'Conversation ID is empty'],
	['={{ $json.none }}', 'Conversation ID is empty'],
	['={{ ["Conv-1"] }}', 'Conversation ID is not text'],
])('refuses the ID %j before any request', async (id, message) => {
	const refusal = await testbed.refusal({ chatbotId, conversationId: id });
	expect(refusal).toBe(message);
});

it('gives an agent what it needs, and words for what it does wrong', async () => {
	const asked = '={{ $fromAI("conversation") }}';
	const call = async (conversation: string) =>
		(await testbed.callTool({ chatbotId, conversationId: asked }, { conversation })).records;
	expect(await call('Conv-1')).toEqual([
		{
			id: 'Conv-1',
			title: 'Refund',
			createdAt: 1_782_864_000,
			status: 'ongoing',
			transcript: expect.stringContaining('Can I get a refund?') as string,
		},
	]);
	expect(await call('nobody')).toEqual([
		{ error: expect.stringMatching(/^Conversation not found/) as string },
	]);
});

it('reads as many conversations at the same time as Max Concurrency allows', async () => {
	const input = Array.from({ length: 12 }, () => ({}));
	testbed.service.delayMs = 5;
	const parameters = { chatbotId, conversationId, options: { maxConcurrency: 3 } };
	const { items } = await inSkippedTime(
		testbed.service,
		async () => await testbed.run(parameters, { input }),
	);
	testbed.service.delayMs = 0;
	expect(items).toHaveLength(12);
	expect(testbed.service.maxInFlight).toBe(3);
});
