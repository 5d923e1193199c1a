/** A chatbot calls a tool on the side of n8n, which sends the result, and the chatbot goes on. */
import type { INodeParameters } from 'n8n-workflow';

import { inSkippedTime } from '../fastTime';
import { byId, succeeded, useTestbed } from '../testbed';

const testbed = useTestbed(
	{ resource: 'chat', operation: 'sendToolResult', chatbotId: byId('bot') },
	{ reply: () => 'It arrives on Monday.' },
);

const path = 'POST /api/v2/agents/bot';
const resultOf = (conversation: string, toolCallId: string, output: unknown) => [
	`${path}/conversations/${conversation}/tool-result`,
	{ toolCallId, output },
];
const goesOn = (conversationId: string) => [`${path}/chat`, { conversationId, stream: false }];

/** A conversation whose chatbot waits for the results of these calls. */
function waiting(id: string, ...calls: string[]) {
	const parts = calls.map((toolCallId) => ({
		type: 'tool-call' as const,
		toolCallId,
		toolName: 'lookupOrder',
		input: { orderId: 'ORD-123' },
	}));
	testbed.service.store.addConversation('bot', {
		id,
		messages: [
			{ role: 'user', content: 'Where is my order?' },
			{ role: 'assistant', content: '', parts },
		],
	});
}

const mapped = {
	conversationId: '={{ $json.conversation }}',
	toolCallId: '={{ $json.call }}',
	output: '={{ $json.found }}',
};
const run = async (
	parameters: INodeParameters = {},
	options: Parameters<typeof testbed.run>[1] = {},
) =>
	await testbed.run(
		{ conversationId: 'c', toolCallId: 'call_1', output: '{}', ...parameters },
		options,
	);

/** A failure of the requests whose address matches. */
const fail = (pattern: RegExp, status = 403, body: object = { error: { message: 'No' } }) =>
	testbed.service.faults.add({
		when: { matches: ({ url }: { url: string }) => pattern.test(url) },
		fault: { kind: 'status', status, body },
	});

describe('the result of a tool', () => {
	beforeEach(() => waiting('c', 'call_1'));

	it('is not sent with Retry On Fail, whose second try would send it again', async () => {
		const { error } = await run({}, { nodeSettings: { retryOnFail: true, maxTries: 2 } });
		expect(error?.message).toBe('Turn off Retry On Fail');
		expect(testbed.sent).toEqual([]);
	});

	it('is sent, and the chatbot goes on', async () => {
		const { items, hints } = await testbed.succeed({
			conversationId: 'c',
			toolCallId: 'call_1',
			output: '{"status": "shipped"}',
		});
		expect(testbed.sent).toEqual([resultOf('c', 'call_1', { status: 'shipped' }), goesOn('c')]);
		expect(items).toEqual([
			{
				json: {
					text: 'It arrives on Monday.',
					conversationId: 'c',
					messageId: expect.any(String) as string,
					userId: null,
					finishReason: 'stop',
					credits: 1,
					toolCalls: [],
					parts: [{ type: 'text', text: 'It arrives on Monday.' }],
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(hints).toEqual([]);
	});

	it('is taken from toolCalls of Send Message With Memory', async () => {
		testbed.service.behaviourV2.chatAnswer = 'toolCalls';
		const asked = await testbed.succeed({
			operation: 'sendWithMemory',
			conversation: 'new',
			message: 'Where is my order?',
		});
		const { conversationId, toolCalls } = asked.items[0].json;
		expect(toolCalls).toEqual([
			{ toolCallId: 'call_1', toolName: 'lookupOrder', input: { orderId: 'ORD-123' } },
		]);
		const { items } = await testbed.succeed(
			{
				conversationId: '={{ $json.conversationId }}',
				toolCallId: '={{ $json.toolCalls[0].toolCallId }}',
				output: '={{ { status: "shipped" } }}',
			},
			{ input: [{ conversationId, toolCalls }] as never },
		);
		expect(items[0].json).toMatchObject({ text: 'It arrives on Monday.', conversationId });
	});

	it.each([
		['[1, "two"]', [1, 'two']],
		['"shipped"', 'shipped'],
		['null', null],
		['={{ $json.found }}', { status: 'shipped' }],
		['={{ $json.found.status }}', 'shipped'],
		['={{ 7 }}', 7],
		['={{ false }}', false],
		['={{ [] }}', []],
		['={"status": "{{ $json.found.status }}"}', { status: 'shipped' }],
		['={{ "1e5" }}', '1e5'],
	])('is %s', async (output, sent) => {
		succeeded(await run({ output }, { input: [{ found: { status: 'shipped' } }] }));
		expect(testbed.sent[0]).toEqual(resultOf('c', 'call_1', sent));
	});

	it.each([
		[{ output: '' }, 'Output is empty'],
		[{ output: '={{ $json.missing }}' }, 'Output is empty'],
		[{ output: '={{ " " }}' }, 'Output is empty'],
		[{ output: 'shipped' }, 'Output is not valid JSON'],
		[{ output: '={"status": {{ $json.missing }}}' }, 'Output is not valid JSON'],
		[{ output: '={{ 0 / 0 }}' }, "Output has a value that JSON can't hold"],
		[{ output: '={{ ({ price: 1 / 0 }) }}' }, "Output has a value that JSON can't hold"],
		[{ output: '={{ "ü".repeat(10_240) }}' }, 'Output is too large'],
		[{ conversationId: '={{ $json.missing }}' }, 'Conversation ID is empty'],
		[{ toolCallId: ' ' }, 'Tool Call ID is empty'],
	])('is refused before any request: %j', async (parameters, title) => {
		const { error } = await run(parameters);
		expect(error?.message).toBe(title);
		expect(testbed.sent).toEqual([]);
	});

	it('may have 20,480 bytes', async () => {
		succeeded(await run({ output: '={{ "ü".repeat(10_239) }}' }));
	});

	it('waits until the call is known, right after a streamed answer', async () => {
		testbed.service.faults.add({
			when: { times: 2 },
			fault: {
				kind: 'status',
				status: 404,
				body: { error: { code: 'RESOURCE_TOOL_CALL_NOT_FOUND', message: 'No' } },
			},
		});
		const { items } = succeeded(await inSkippedTime(testbed.service, run));
		expect(items[0].json).toMatchObject({ text: 'It arrives on Monday.' });
		expect(testbed.sent).toHaveLength(4);
	});

	it('is refused if the chatbot waits for no such call', async () => {
		const { error } = await inSkippedTime(
			testbed.service,
			async () => await run({ toolCallId: 'call_9' }),
		);
		expect(error?.message).toBe('The chatbot does not wait for this tool call');
		expect(testbed.sent.at(-1)?.[0]).toMatch(/tool-result$/);
	});
});

describe('several results of one conversation', () => {
	const rows = [
		{ conversation: 'c', call: 'call_1', found: 1 },
		{ conversation: 'd', call: 'call_1', found: 2 },
		{ conversation: 'c', call: 'call_2', found: 3 },
	];
	const going = { nodeSettings: { onError: 'continueRegularOutput' } } as const;

	beforeEach(() => {
		waiting('c', 'call_1', 'call_2');
		waiting('d', 'call_1');
	});

	it('are all sent, then the chatbot goes on once, and each item has its answer', async () => {
		const { items } = await testbed.succeed(mapped, { input: rows });
		const ofC = testbed.sent.filter((request) => /"c"|\/c\//.test(JSON.stringify(request)));
		expect(ofC).toEqual([resultOf('c', 'call_1', 1), resultOf('c', 'call_2', 3), goesOn('c')]);
		expect(items.map(({ json }) => json.conversationId)).toEqual(['c', 'd', 'c']);
		expect(testbed.sent).toHaveLength(5);
	});

	it('let nobody go on if one is refused, and the recorded one says so', async () => {
		testbed.service.faults.add({
			when: { matches: ({ body }: { body: unknown }) => JSON.stringify(body).includes('call_2') },
			fault: { kind: 'status', status: 403, body: { error: { message: 'No' } } },
		});
		const { items } = await testbed.run(mapped, { input: rows, ...going });
		expect(items.map(({ json }) => json.error ?? json.text)).toEqual([
			expect.stringMatching(
				/^The chatbot waits for another result\. Item 0: The result of call_1 was recorded/,
			),
			'It arrives on Monday.',
			expect.stringMatching(/^Access denied/),
		]);
		expect(testbed.sent).not.toContainEqual(goesOn('c'));
	});

	it.each([
		['is not valid', { ...rows[2], found: '' }],
		['has the same call', { ...rows[2], call: 'call_1' }],
	])('are not sent at all if one %s', async (_, odd) => {
		const { items } = await testbed.run(mapped, { input: [rows[0], rows[1], odd], ...going });
		expect(items[0].json.error).toMatch(/Nothing of this conversation was sent/);
		expect(items[1].json.text).toBe('It arrives on Monday.');
		expect(testbed.sent.map(([address]) => address)).toEqual([
			`${path}/conversations/d/tool-result`,
			`${path}/chat`,
		]);
	});
});

describe('nothing is sent twice', () => {
	beforeEach(() => waiting('c', 'call_1'));

	it.each([
		['refused', 402, { error: { code: 'CHAT_CREDITS_EXHAUSTED', message: 'No' } }],
		['lost', 500, { error: { message: 'Oops' } }],
	])('if the answer is %s: the item says that the result was recorded', async (_, status, body) => {
		fail(/\/chat$/, status, body);
		const { error } = await run();
		expect(error?.description).toContain(
			'The result was recorded. To get the answer, send the next',
		);
		expect(error?.description).not.toContain('Try again');
		expect(testbed.sent).toHaveLength(2);
	});

	it('if the chatbot answers with nothing: a hint says so', async () => {
		testbed.service.behaviourV2.chatAnswer = 'emptyParts';
		const { items, hints } = succeeded(await run());
		expect(items[0].json.text).toBe('');
		expect(hints).toMatchObject([{ message: expect.stringMatching(/^The chatbot gave no text/) }]);
	});
});

it('gives an agent the text, and reads what the model found', async () => {
	waiting('c', 'call_1');
	const { records } = await testbed.callTool(
		{ conversationId: 'c', toolCallId: 'call_1', output: "={{ $fromAI('Output', '', 'json') }}" },
		{ Output: { status: 'shipped' } as never },
	);
	expect(testbed.sent[0]).toEqual(resultOf('c', 'call_1', { status: 'shipped' }));
	expect(records).toEqual([
		{ text: 'It arrives on Monday.', conversationId: 'c', finishReason: 'stop', toolCalls: [] },
	]);
});
