import { type INodeParameters, sleep, type StructuredChunk } from 'n8n-workflow';

import { unescapeHtml } from '../../../nodes/Chatbase/values/html';
import type { BehaviourV2 } from '../../../service';
import type { RunOptions } from '../harness';
import { heldDeadline } from '../heldDeadline';
import { inSkippedTime, skippedTime } from '../fastTime';
import { byId, succeeded, useTestbed } from '../testbed';

const answer = 'Grüße 🦊🦊\n\nتفضل, "so be it" \u2028 and\nthe end 👩‍👩‍👧. ';
const testbed = useTestbed(
	{ resource: 'chat', operation: 'sendWithMemory', chatbotId: byId('bot') },
	{ reply: () => answer },
);

const address = 'POST /api/v2/agents/bot/chat';
const bodies = () => testbed.service.requests.map(({ body }) => body);
const conversations = () => testbed.service.store.chatbot('bot').conversations;
const messagesOf = (id: string) =>
	conversations()
		.find((conversation) => conversation.id === id)!
		.messages.map(({ content }) => content);
const addConversation = (id: string, status: 'ongoing' | 'ended' | 'paused' = 'ongoing') =>
	testbed.service.store.addConversation('bot', { id, status });

const run = async (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	await testbed.run({ message: 'Hi', conversation: 'new', ...parameters }, options);

const inConversation = (conversationId: string, options: INodeParameters = {}) => ({
	conversation: 'id',
	conversationId,
	options,
});

/** Runs the node in a workflow whose trigger answers as a stream. */
const stream = async (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	await run(
		{ options: { stream: true }, ...parameters },
		{
			mode: 'webhook',
			streaming: true,
			...options,
		},
	);

const itemsOf = (chunks: StructuredChunk[]) => chunks.filter(({ type }) => type === 'item');
/** What an error says of a part of an answer. */
const quoting = (text: string) => new RegExp(`had arrived: .${text}. Unknown: item 0\\.$`, 'u');
const textOf = (chunks: StructuredChunk[]) => chunks.map(({ content }) => content ?? '').join('');

describe('a message', () => {
	it('begins a conversation, which the output names', async () => {
		const { items, hints } = succeeded(await run());
		expect(testbed.sent).toEqual([[address, { message: 'Hi', stream: false }]]);
		expect(testbed.illegal).toEqual([]);
		const [{ id }] = conversations();
		expect(items).toEqual([
			{
				json: {
					text: answer,
					conversationId: id,
					messageId: `${id}-2`,
					userId: null,
					finishReason: 'stop',
					credits: 1,
					parts: [{ type: 'text', text: answer }],
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(hints).toEqual([]);
	});

	it('continues a conversation', async () => {
		addConversation('c');
		const { items } = await run(inConversation('c'));
		expect(testbed.sent).toEqual([
			[address, { message: 'Hi', stream: false, conversationId: 'c' }],
		]);
		expect(testbed.illegal).toEqual([]);
		expect(items[0].json).toMatchObject({ text: answer, conversationId: 'c' });
		expect(items[0].json).not.toHaveProperty('startedNew');
		expect(messagesOf('c')).toEqual(['Hi', answer]);
	});

	it('names the user when a conversation begins', async () => {
		const userId = 'Customer_1.x-9'.padEnd(128, '0');
		const { items } = await run({ options: { userId } });
		expect(bodies()).toEqual([{ message: 'Hi', stream: false, userId }]);
		expect(items[0].json).toMatchObject({ userId });
		expect(items[0].json).not.toHaveProperty('startedNew');
	});

	it('arrives unharmed', async () => {
		const message = ' 🦊 “Grüße”\r\n\t<b>"&\\ \u2028 مرحبا ';
		await run({ message: '={{ $json.message }}' }, { input: [{ message }] });
		expect(bodies()).toEqual([{ message, stream: false }]);
	});

	it.each([
		[{ creditsValue: 'fraction' }, { credits: 0.5 }],
		[{ creditsValue: 'absent' }, { credits: null }],
		[{ chatAnswer: 'severalTexts' }, { text: answer }],
		[{ chatAnswer: 'emptyParts' }, { text: '', parts: [] }],
		[{ chatAnswer: 'nullUserMessageId' }, { text: answer }],
		[
			{ chatAnswer: 'toolCalls' },
			{
				text: answer,
				finishReason: 'tool-calls',
				parts: [
					{ type: 'text', text: answer },
					{
						type: 'tool-call',
						toolCallId: 'call_1',
						toolName: 'lookupOrder',
						input: { orderId: 'ORD-123' },
					},
				],
			},
		],
	] as Array<[Partial<BehaviourV2>, object]>)('has its answer with %j', async (behaviour, json) => {
		Object.assign(testbed.service.behaviourV2, behaviour);
		for (const ask of [run, stream]) {
			const { items, error } = await ask();
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject(json);
		}
	});
});

describe('a conversation that has ended', () => {
	const inOld = inConversation('old');
	const orNew = inConversation('old', { onEnded: 'startNew' });

	beforeEach(() => addConversation('old', 'ended'));

	it.each([400, 403, 409] as const)('fails the item in words, with status %d', async (status) => {
		testbed.service.behaviourV2.chatNotOngoing = status;
		const { error } = await run(inOld);
		expect(error?.message).toBe('The conversation has ended, is paused or was taken over');
		expect(error?.description).toContain('Conversation is not ongoing');
		expect(error?.description).toContain('or Start New');
		expect(testbed.sent).toHaveLength(1);
	});

	it.each([400, 403, 409] as const)(
		'is replaced with Start New, with status %d',
		async (status) => {
			testbed.service.behaviourV2.chatNotOngoing = status;
			const { items } = succeeded(await run(orNew));
			expect(bodies()).toEqual([
				{ message: 'Hi', stream: false, conversationId: 'old' },
				{ message: 'Hi', stream: false },
			]);
			expect(testbed.illegal).toEqual([]);
			expect(items[0].json).toMatchObject({
				text: answer,
				conversationId: conversations()[1].id,
				startedNew: true,
				previousConversationId: 'old',
			});
		},
	);

	it('is replaced if a stream says so, but not in the middle of an answer', async () => {
		const error = { code: 'CHAT_CONVERSATION_NOT_ONGOING', message: 'Taken over' };
		const failure = `data: ${JSON.stringify({ type: 'error', error })}\n\n`;
		const text = 'data: {"type":"text-delta","delta":"I will"}\n\n';
		for (const [body, requests] of [
			[failure, 2],
			[JSON.stringify({ error }), 2],
			[text + failure, 1],
		] as const) {
			testbed.service.clearRequests();
			testbed.service.faults.add({
				when: { times: 1 },
				fault: { kind: 'status', status: 200, body },
			});
			const result = await run(inConversation('old', { onEnded: 'startNew', stream: true }));
			expect(testbed.sent).toHaveLength(requests);
			expect(result.error?.message).toBe(
				requests === 2 ? undefined : 'The conversation has ended, is paused or was taken over',
			);
		}
	});

	it('is continued by the later items in the one that was begun', async () => {
		addConversation('other');
		const rows = [
			{ id: 'old', message: 'One' },
			{ id: 'other', message: 'Apart' },
			{ id: 'old', message: 'Two' },
			{ id: 'old', message: 'Three' },
		];
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 200 } });
		const parameters = {
			message: '={{ $json.message }}',
			...inConversation('={{ $json.id }}', { onEnded: 'startNew' }),
		};
		const { items } = await inSkippedTime(
			testbed.service,
			async () => await testbed.run(parameters, { input: rows }),
		);
		const { id } = conversations()[2];
		expect(messagesOf(id)).toEqual(['One', answer, 'Two', answer, 'Three', answer]);
		expect(items.map(({ json }) => [json.conversationId, json.startedNew])).toEqual([
			[id, true],
			['other', undefined],
			[id, undefined],
			[id, undefined],
		]);
		expect(testbed.sent).toHaveLength(5);
	});

	it('is asked once more only', async () => {
		const body = { error: { code: 'CHAT_CONVERSATION_NOT_ONGOING', message: 'No' } };
		testbed.service.faults.add({ fault: { kind: 'status', status: 403, body } });
		const { error } = await run(orNew);
		expect(error?.message).toBe('The conversation has ended, is paused or was taken over');
		expect(testbed.sent).toHaveLength(2);
		testbed.service.clearRequests();
		await run({ options: { onEnded: 'startNew' } });
		expect(testbed.sent).toHaveLength(1);
	});
});

it('goes out in the order of the items of one conversation, beside the others', async () => {
	addConversation('c');
	testbed.service.store.addChatbot({ id: 'other' });
	testbed.service.store.addConversation('other', { id: 'c' });
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 300 } });
	const rows = [
		{ bot: 'bot', id: 'c', message: 'One' },
		{ bot: 'bot', id: 'c', message: 'Two' },
		{ bot: 'other', id: 'c', message: 'Another chatbot' },
		{ bot: 'bot', id: '', message: 'New' },
		{ bot: 'bot', id: '', message: 'Another new' },
	];
	const parameters = {
		chatbotId: byId('={{ $json.bot }}'),
		message: '={{ $json.message }}',
		...inConversation('={{ $json.id }}'),
		conversation: '={{ $json.id ? "id" : "new" }}',
	};
	const { error } = await inSkippedTime(
		testbed.service,
		async () => await testbed.run(parameters, { input: rows }),
	);
	expect(error).toBeUndefined();
	expect(messagesOf('c')).toEqual(['One', answer, 'Two', answer]);
	expect(bodies().at(-1)).toMatchObject({ message: 'Two' });
	expect(conversations()).toHaveLength(3);
});

describe('an answer without the ID of its conversation', () => {
	const body = { data: { id: 'm', parts: [{ type: 'text', text: 'Hi' }], metadata: {} } };

	beforeEach(() => testbed.service.faults.add({ fault: { kind: 'otherShape', body } }));

	it('keeps the one that was sent', async () => {
		const { items, hints } = await run(inConversation('c'));
		expect(items[0].json).toMatchObject({ text: 'Hi', conversationId: 'c' });
		expect(hints).toEqual([]);
	});

	it('has none if none was sent, and a hint says so once', async () => {
		const { items, hints } = await run({}, { input: [{}, {}] });
		expect(items.map(({ json }) => json.conversationId)).toEqual([null, null]);
		expect(hints).toMatchObject([{ type: 'warning', message: expect.stringContaining('name') }]);
	});

	it('has none if a new one was begun', async () => {
		const ended = { error: { code: 'CHAT_CONVERSATION_NOT_ONGOING', message: 'No' } };
		testbed.service.faults.clear();
		testbed.service.faults.add({
			when: { nth: 1 },
			fault: { kind: 'status', status: 400, body: ended },
		});
		testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'otherShape', body } });
		const { items, hints } = await run(inConversation('c', { onEnded: 'startNew' }));
		expect(items[0].json).toMatchObject({
			conversationId: null,
			startedNew: true,
			previousConversationId: 'c',
		});
		expect(hints).toHaveLength(1);
	});
});

describe('the latest conversation of a user', () => {
	const ofUser = { conversation: 'user', userId: 'u-1' };
	const look = ['GET /api/v2/agents/bot/users/u-1/conversations?limit=100'];
	const post = (more: object) => [address, { message: 'Hi', stream: false, ...more }];
	/** Conversations of the user, the first one active last. */
	function add(...states: Array<'ongoing' | 'ended' | 'paused' | 'taken_over'>) {
		states.forEach((status, index) => {
			const lastMessageAt = new Date(Date.now() - (index + 1) * 60_000).toISOString();
			const fields = { id: `c${index + 1}`, userId: 'u-1', status, lastMessageAt };
			testbed.service.store.addConversation('bot', fields);
		});
	}

	it.each(['newestFirst', 'oldestFirst'] as const)(
		'is continued if it is ongoing, with the %s in the list',
		async (userConversationsOrder) => {
			testbed.service.behaviourV2.userConversationsOrder = userConversationsOrder;
			add('ongoing', 'ongoing', 'ended');
			conversations()[1].lastMessageAt = new Date(Date.now() + 60_000).toISOString();
			const { items } = succeeded(await run(ofUser));
			expect(testbed.sent).toEqual([look, post({ conversationId: 'c2' })]);
			expect(testbed.illegal).toEqual([]);
			expect(items[0].json).toMatchObject({ conversationId: 'c2' });
			expect(items[0].json).not.toHaveProperty('startedNew');
		},
	);

	it.each(['emptyList', 'notFound'] as const)(
		'is begun if there is none: %s',
		async (userUnknown) => {
			testbed.service.behaviourV2.userUnknown = userUnknown;
			const { items } = await run(ofUser);
			expect(testbed.sent).toEqual([look, post({ userId: 'u-1' })]);
			const [{ id }] = conversations();
			expect(items[0].json).toMatchObject({ conversationId: id, userId: 'u-1', startedNew: true });
			expect(items[0].json).not.toHaveProperty('previousConversationId');
		},
	);

	it('is replaced by a new one if it has ended', async () => {
		add('ended', 'ongoing');
		const { items } = await run(ofUser);
		expect(testbed.sent).toEqual([look, post({ userId: 'u-1' })]);
		expect(items[0].json).toMatchObject({ startedNew: true, previousConversationId: 'c1' });
	});

	it.each(['paused', 'taken_over'] as const)('fails the item if it is %s', async (status) => {
		add(status, 'ongoing');
		const { error } = await run(ofUser);
		expect(error?.message).toBe('The conversation is paused or was taken over');
		expect(testbed.sent).toEqual([look]);
	});

	it.each(['ignoresCase', 'everybody'] as const)(
		'is of exactly this user if the list has %s',
		async (userConversations) => {
			testbed.service.behaviourV2.userConversations = userConversations;
			testbed.service.store.addConversation('bot', { id: 'other', userId: 'U-1' });
			await run(ofUser);
			expect(testbed.sent).toEqual([look, post({ userId: 'u-1' })]);
		},
	);

	it('is found on any page', async () => {
		testbed.service.behaviourV2.userConversations = 'everybody';
		for (let number = 1; number <= 150; number++) addConversation(`other ${number}`);
		add('ongoing');
		await run(ofUser);
		expect(bodies().at(-1)).toMatchObject({ conversationId: 'c1' });
	});

	it.each([
		['ended', { userId: 'u-1' }, { startedNew: true, previousConversationId: 'c1' }],
		['ongoing', { conversationId: 'c2' }, { conversationId: 'c2' }],
	] as const)(
		'is looked up once more if it ends before the message, and the next one is %s',
		async (next, sent, output) => {
			add('ongoing');
			const stop = testbed.service.onRequest(({ number }) => {
				if (number !== 2) return;
				conversations()[0].status = 'ended';
				if (next === 'ended') return;
				const lastMessageAt = new Date(Date.now() + 60_000).toISOString();
				testbed.service.store.addConversation('bot', { id: 'c2', userId: 'u-1', lastMessageAt });
			});
			const { items } = succeeded(await run(ofUser));
			stop();
			expect(testbed.sent).toEqual([look, post({ conversationId: 'c1' }), look, post(sent)]);
			expect(items[0].json).toMatchObject(output);
		},
	);

	it('is looked up once more only', async () => {
		add('ongoing');
		const stop = testbed.service.onRequest(({ method }) => {
			conversations()[0].status = method === 'POST' ? 'ended' : 'ongoing';
		});
		const { error } = await run(ofUser);
		stop();
		expect(error?.message).toBe('The conversation has ended, is paused or was taken over');
		// That field is not shown for this choice.
		expect(error?.description).not.toContain('If the Conversation Has Ended');
		expect(testbed.sent).toHaveLength(4);
	});

	const at = '2026-07-01T09:00:00Z';
	const row = (more: object) => ({ id: 'c1', userId: 'u-1', status: 'ongoing', ...more });
	const listOf = (rows: object[], pagination = {}) => ({
		data: rows,
		pagination: { cursor: null, hasMore: false, total: rows.length, ...pagination },
	});

	it.each([
		['it lacks an ID', listOf([row({ id: undefined, updatedAt: at })]), 'no ID'],
		['its ID is empty', listOf([row({ id: ' ', updatedAt: at })]), 'no ID'],
		[
			'one of several has no time',
			listOf([row({ updatedAt: at }), row({ id: 'c2', updatedAt: undefined })]),
			'ID c2) has no readable updatedAt',
		],
		[
			'one of several has a time in words',
			listOf([row({ updatedAt: 'yesterday' }), row({ id: 'c2', updatedAt: at })]),
			'ID c1) has no readable updatedAt',
		],
	])('sends nothing if %s', async (_, body, reason) => {
		const when = { method: 'GET' } as const;
		testbed.service.faults.add({ when, fault: { kind: 'otherShape', body } });
		const { error } = await run(ofUser);
		expect(error?.message).toBe('The latest conversation could not be found');
		expect(error?.description).toContain(reason);
		expect(error?.description).toContain('Nothing was sent.');
		expect(bodies().filter(Boolean)).toEqual([]);
	});

	it('needs no time if it is the only one', async () => {
		const when = { method: 'GET' } as const;
		add('ongoing');
		const body = listOf([row({ updatedAt: undefined }), row({ id: 'x', userId: 'other' })]);
		testbed.service.faults.add({ when, fault: { kind: 'otherShape', body } });
		await run(ofUser);
		expect(bodies().at(-1)).toMatchObject({ conversationId: 'c1' });
	});

	it('sends nothing if the list is shorter than its total', async () => {
		const when = { method: 'GET' } as const;
		const body = listOf([row({ updatedAt: at })], { total: 7 });
		testbed.service.faults.add({ when, fault: { kind: 'otherShape', body } });
		const { error } = await run(ofUser);
		expect(error?.message).toBe('The conversations could not be read completely');
		expect(error?.description).toContain('1 of 7 conversations');
		expect(testbed.sent).toEqual([look, look, look]);
	});

	it.each([
		['AGENT_NOT_FOUND', 'Chatbot not found'],
		['SOMETHING_NOT_FOUND', 'Chatbot not found'],
	])('sends nothing if the look-up fails with 404 %s', async (code, title) => {
		const when = { method: 'GET' } as const;
		const body = { error: { code, message: 'Not found' } };
		testbed.service.faults.add({ when, fault: { kind: 'status', status: 404, body } });
		const { error } = await run(ofUser);
		expect(error?.message).toBe(title);
		expect(error?.description).not.toContain('Conversation ID');
		expect(error?.description).toContain('Chat: Send Message uses version 1.');
		expect(testbed.sent).toEqual([look]);
	});

	it.each(['user', 'new'])('tells nothing of IDs if the chatbot is unknown: %s', async (choice) => {
		const { error } = await run({ ...ofUser, conversation: choice, chatbotId: byId('none') });
		expect(error?.message).toBe('Chatbot not found');
		expect(error?.description).not.toContain('onversation ID');
		expect(error?.description).not.toContain('conversationId');
	});

	it.each([
		['notFound', 'The latest conversation of the user is gone'],
		['mismatch400', 'The latest conversation of the user is gone'],
		['mismatch403', 'The latest conversation of the user is gone'],
	] as const)('fails the item if it is gone after the look-up: %s', async (position, title) => {
		testbed.service.behaviourV2.chatUnknownConversation = position;
		add('ongoing');
		const stop = testbed.service.onRequest(({ number }) => {
			if (number === 2) conversations().pop();
		});
		const { error } = await run(ofUser);
		stop();
		expect(error?.message).toBe(title);
		expect(error?.description).not.toContain('onversationId');
		expect(error?.description).not.toContain('session ID');
		expect(testbed.sent).toHaveLength(2);
	});

	it('gets its messages in the order of the items, by user and by ID', async () => {
		add('ongoing');
		const input = ['user', 'id', 'user', 'id'].map((by, index) => ({ by, text: `${index}` }));
		// The look-up takes longer than a message by ID would.
		testbed.service.faults.add({ when: { method: 'GET' }, fault: { kind: 'delay', ms: 100 } });
		const byItem = {
			conversation: '={{ $json.by }}',
			userId: 'u-1',
			conversationId: 'c1',
			message: '={{ $json.text }}',
		};
		succeeded(await run(byItem, { input }));
		expect(bodies().flatMap((body) => (body as { message?: string })?.message ?? [])).toEqual([
			'0',
			'1',
			'2',
			'3',
		]);
	});

	it.each([400, 403, 422])(
		'sends nothing if a look-up is refused with %d and the code of a missing user',
		async (status) => {
			const body = { error: { code: 'RESOURCE_NOT_FOUND', message: 'No' } };
			testbed.service.faults.add({
				when: { method: 'GET' },
				fault: { kind: 'status', status, body },
			});
			const { error } = await run(ofUser);
			expect(error).toBeDefined();
			expect(bodies()).toEqual([undefined]);
		},
	);

	it('sends nothing if a later page of the look-up is missing', async () => {
		const first = listOf([row({ updatedAt: at })], { hasMore: true, cursor: 'next' });
		const body = { error: { code: 'RESOURCE_NOT_FOUND', message: 'No' } };
		const { faults } = testbed.service;
		faults.add({ when: { nth: 1 }, fault: { kind: 'otherShape', body: first } });
		faults.add({ when: { nth: 2 }, fault: { kind: 'status', status: 404, body } });
		const { error } = await run(ofUser);
		expect(error).toBeDefined();
		expect(bodies()).toEqual([undefined, undefined]);
	});

	it.each([403, 500])('is needed: nothing is sent if the look-up fails with %d', async (status) => {
		const when = { method: 'GET' } as const;
		testbed.service.faults.add({ when, fault: { kind: 'status', status } });
		const restore = skippedTime(testbed.service);
		const { error } = await run({ ...ofUser, requestOptions: { timeout: 30_000 } });
		restore();
		expect(error).toBeDefined();
		expect(bodies().filter(Boolean)).toEqual([]);
	});

	it('is used by later items without a look, in their order, beside other users', async () => {
		const input = [{ user: 'a' }, { user: 'b' }, { user: 'a' }, { user: 'a' }];
		const { items } = await run({ conversation: 'user', userId: '={{ $json.user }}' }, { input });
		const ids = items.map(({ json }) => json.conversationId);
		expect(new Set(ids).size).toBe(2);
		expect(ids[2]).toBe(ids[0]);
		expect(items.map(({ json }) => json.startedNew)).toEqual([true, true, undefined, undefined]);
		expect(testbed.sent.filter(([sent]) => String(sent).startsWith('GET'))).toHaveLength(2);
	});

	it('remembers three messages of a Chat Trigger without any field filled in', async () => {
		for (const chatInput of ['one', 'two', 'three']) {
			await testbed.run({}, { input: [{ sessionId: 'u-1', action: 'sendMessage', chatInput }] });
		}
		expect(bodies().at(-1)).toMatchObject({ message: 'three', conversationId: expect.anything() });
		expect(conversations()).toHaveLength(1);
		expect(messagesOf(conversations()[0].id)).toEqual(
			['one', 'two', 'three'].flatMap((message) => [message, answer]),
		);
	});
});

describe('a conversation that the service does not know', () => {
	it.each([
		['notFound', 'No conversation has this ID'],
		['mismatch400', 'The conversation belongs to another chatbot'],
		['mismatch403', 'The conversation belongs to another chatbot'],
	] as const)('fails the item: %s', async (position, title) => {
		testbed.service.behaviourV2.chatUnknownConversation = position;
		const { error } = await run(inConversation('none', { onEnded: 'startNew' }));
		expect(error?.message).toBe(title);
		expect(error?.description).toContain(
			'the conversationId of an earlier answer, not a session ID',
		);
		expect(testbed.sent).toHaveLength(1);
	});

	it('is told by the output if the service begins another one', async () => {
		testbed.service.behaviourV2.chatUnknownConversation = 'startsAnother';
		const { items } = await run(inConversation('none'), { input: [{}, {}] });
		const [{ id }] = conversations();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ conversationId: id, startedNew: true, previousConversationId: 'none' },
			{ conversationId: id },
		]);
		expect(conversations()).toHaveLength(1);
	});
});

describe('a streamed answer', () => {
	const positions: Partial<Record<keyof BehaviourV2, string[]>> = {
		streamFraming: ['dataLines', 'eventAndData', 'typeInEvent', 'jsonLines'],
		streamStart: ['message-start', 'none'],
		streamText: ['withoutId', 'text'],
		streamMetadata: ['message-metadata', 'flat', 'finish.metadata'],
		streamFinishReason: ['inside'],
		streamEnd: ['finish', 'silence'],
		streamChunks: ['bytes', 'whole', 'insideCharacters'],
		streamExtras: ['events'],
	};
	const cases = Object.entries(positions).flatMap(([name, values]) =>
		values.map((value) => ({ [name]: value })),
	);

	it.each(cases)('is the same as a whole one, and passed on: %j', async (behaviour) => {
		Object.assign(testbed.service.behaviourV2, { streamMetadata: 'finish', ...behaviour });
		if ('streamFinishReason' in behaviour) testbed.service.behaviourV2.streamMetadata = 'flat';
		const { chunks, items } = succeeded(await stream());
		expect(bodies()).toEqual([{ message: 'Hi', stream: true }]);
		const [{ id }] = conversations();
		const { parts, ...json } = items[0].json;
		expect(json).toEqual({
			text: answer,
			conversationId: id,
			messageId: `${id}-2`,
			userId: null,
			finishReason: 'stop',
			credits: 1,
		});
		expect(parts).toContainEqual({ type: 'text', text: answer });
		expect(textOf(itemsOf(chunks))).toBe(answer);
		expect([chunks[0].type, chunks.at(-1)!.type]).toEqual(['begin', 'end']);
	});

	it('has what the service says of it, and nothing else', async () => {
		Object.assign(testbed.service.behaviourV2, {
			streamMetadata: 'none',
			streamStart: 'none',
			streamFinishReason: 'none',
		});
		const { items, hints } = await stream();
		expect(items[0].json).toEqual({
			text: answer,
			conversationId: null,
			messageId: null,
			userId: null,
			finishReason: null,
			credits: null,
			parts: [{ type: 'text', text: answer }],
		});
		expect(hints).toHaveLength(1);
	});

	it('is passed on while the service is still writing', async () => {
		Object.assign(testbed.service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 20 });
		let wasWriting: boolean | undefined;
		const { items } = await stream(
			{},
			{ onChunk: () => (wasWriting ??= testbed.service.inFlight === 1) },
		);
		expect(wasWriting).toBe(true);
		expect(items[0].json.text).toBe(answer);
	});

	it('is read if nobody waits for it', async () => {
		const { chunks, items, hints } = await stream({}, { streaming: false });
		expect(items[0].json.text).toBe(answer);
		expect(itemsOf(chunks)).toEqual([]);
		expect(hints).toMatchObject([{ message: expect.stringContaining('Response Mode') }]);
	});

	it('reaches the caller as one piece if the service answers with JSON', async () => {
		const body = {
			data: {
				id: 'm-1',
				parts: [{ type: 'text', text: answer }],
				metadata: { conversationId: 'c-1', finishReason: 'stop' },
			},
		};
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { chunks, items } = succeeded(await stream());
		expect(items[0].json).toMatchObject({ text: answer, conversationId: 'c-1' });
		expect(itemsOf(chunks).map(({ content }) => content)).toEqual([answer]);
		expect([chunks[0].type, chunks.at(-1)!.type]).toEqual(['begin', 'end']);
	});

	it('reaches the caller as one piece if streaming is off', async () => {
		const { chunks } = await stream({ options: {} });
		expect(bodies()).toEqual([{ message: 'Hi', stream: false }]);
		expect(itemsOf(chunks).map(({ content }) => content)).toEqual([answer]);
	});

	it.each([
		[{ streamError: 'beforeText' }, 'The service failed during the answer', ''],
		[{ streamError: 'afterText' }, 'The service failed during the answer', answer],
		[{ streamError: 'oldForm' }, 'The service failed during the answer', answer],
		[{ streamError: 'abort' }, 'The service failed during the answer', answer],
		[{ streamError: 'json' }, "The service can't respond at the moment", ''],
		[{ chatAnswer: 'error' }, 'The service failed during the answer', ''],
		[{ streamEnd: 'unfinished' }, 'The connection to the service was lost', answer],
		[{ streamEnd: 'cut' }, 'The service returned an unexpected response', answer],
		[{ streamExtras: 'brokenJson' }, 'The service returned an unexpected response', ''],
	] as Array<[Partial<BehaviourV2>, string, string]>)(
		'is a failure that quotes what arrived: %j',
		async (behaviour, title, arrived) => {
			Object.assign(testbed.service.behaviourV2, behaviour);
			const { chunks, items, error } = await stream();
			expect(error?.message).toBe(title);
			expect(items).toEqual([]);
			expect(textOf(itemsOf(chunks))).toBe(arrived);
			const description = unescapeHtml(error?.description ?? '');
			if (arrived !== '') expect(description).toMatch(quoting(arrived));
			expect(testbed.sent).toHaveLength(1);
		},
	);

	it('is a failure if the service falls silent, and its connection is closed', async () => {
		Object.assign(testbed.service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 600_000 });
		const deadline = heldDeadline();
		const { chunks, error } = await stream({}, { onChunk: deadline.passAfterItem });
		deadline.restore();
		expect(error?.message).toBe('The service did not respond in time');
		const arrived = textOf(itemsOf(chunks));
		expect(arrived).not.toBe('');
		expect(unescapeHtml(error?.description ?? '')).toMatch(quoting(arrived));
		expect(testbed.sent).toHaveLength(1);
		while (testbed.service.inFlight > 0) await sleep(0);
	});

	it('is a failure that quotes its text if its reason to end is one', async () => {
		const message = {
			id: 'm',
			parts: [{ type: 'text', text: 'I am' }],
			metadata: { conversationId: 'c', finishReason: 'error' },
		};
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: { data: message } } });
		for (const ask of [run, stream]) {
			const { error } = await ask();
			expect(error?.message).toBe('The service failed during the answer');
			expect(error?.description).toContain('4 characters of the answer had arrived: ');
			expect(unescapeHtml(error?.description ?? '')).toMatch(quoting('I am'));
			expect(error?.description).toContain('did not send the request again');
		}
	});
});

describe('what is refused before any request', () => {
	const input = [{ blank: '', list: ['a'] }];

	it.each([
		['a message of spaces', { message: ' ' }, 'Message is not filled in'],
		['a message without a value', { message: '={{ $json.missing }}' }, 'Message is not filled in'],
		['a blank chatbot', { chatbotId: byId('={{ $json.blank }}') }, 'Chatbot is empty'],
		[
			'a conversation that is a list',
			inConversation('={{ $json.list }}'),
			'Conversation ID is not text',
		],
		['an empty user', { options: { userId: '={{ "" }}' } }, 'User ID is empty'],
		[
			'no chat input',
			{ message: '={{ $json.chatInput }}', conversation: 'user' },
			'Message is not filled in',
		],
		['a user with spaces', { options: { userId: 'Ada L' } }, 'User ID is not valid'],
		['an email as the user', { options: { userId: 'ada@example.com' } }, 'User ID is not valid'],
		['a user of 129 characters', { options: { userId: 'x'.repeat(129) } }, 'User ID is not valid'],
		['a user on two lines', { options: { userId: 'ada\n' } }, 'User ID is not valid'],
		['no user', { conversation: 'user', userId: '={{ $json.blank }}' }, 'User ID is empty'],
		['a path as the user', { conversation: 'user', userId: '..' }, 'User ID is not valid'],
		['a chat as the user', { conversation: 'user', userId: 'a/b' }, 'User ID is not valid'],
		['no conversation', inConversation('={{ $json.blank }}'), 'Conversation ID is empty'],
		[
			'a conversation that is missing',
			inConversation('={{ $json.missing }}'),
			'Conversation ID is empty',
		],
		[
			'streaming in words',
			{ options: { stream: '={{ "maybe" }}' } },
			'Enable Streaming is not true or false',
		],
		[
			'an unknown choice',
			inConversation('c', { onEnded: '={{ "later" }}' }),
			'If the Conversation Has Ended is not error or startNew',
		],
	] as Array<[string, INodeParameters, string]>)('%s', async (_, parameters, title) => {
		const { error } = await run(parameters, { input });
		expect(error?.message).toBe(title);
		expect(error?.description).toMatch(/^Item 0: /);
		expect(testbed.sent).toEqual([]);
	});

	it.each([{ options: { userId: '={{ "" }}' } }, { conversation: 'user', userId: '' }])(
		'an empty user, who is not told about characters: %j',
		async (parameters) => {
			const { error } = await run(parameters);
			expect(error?.message).toBe('User ID is empty');
			expect(error?.description).not.toContain('hash');
		},
	);

	it('an email as the user, without advice by which two people could become one', async () => {
		const { error } = await run({ options: { userId: 'ada@example.com' } });
		expect(error?.description).toContain('Use your own customer ID, or a hash of the email.');
		expect(error?.description).not.toMatch(/replace/i);
	});

	it('a user from an expression without a value, with what to do', async () => {
		const { error } = await run({ conversation: 'user', userId: '={{ $json.missing }}' });
		expect(error?.description).toMatch(
			/The expression in User ID returned nothing for this item\. Enter the ID of the person who chats/,
		);
	});

	it('a Base URL that does not lead to version 2', async () => {
		const { apiKey, origin } = testbed.service;
		const credentials = { chatbaseV1Api: { apiKey, baseUrl: `${origin}/api` } };
		const { error } = await run({}, { credentials });
		expect(error?.message).toBe('The Base URL of the credential does not end in v1');
		expect(testbed.sent).toEqual([]);
	});
});

describe('a message is never sent twice', () => {
	let restore: () => void;
	beforeEach(() => (restore = skippedTime(testbed.service)));
	afterEach(() => restore());

	it.each([
		['status 500', { kind: 'status', status: 500, handled: true }],
		[
			'status 503',
			{
				kind: 'status',
				status: 503,
				handled: true,
				body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable' } },
			},
		],
		['a reset before the response', { kind: 'resetAfter' }],
		['a reset in the response', { kind: 'resetMidBody' }],
		['no response in time', { kind: 'stall', handled: true }],
	] as const)('after %s', async (_, fault) => {
		testbed.service.faults.add({ when: { nth: 1 }, fault });
		const { error } = await run();
		expect(error?.description).toContain('the service may have done it');
		expect(testbed.sent).toHaveLength(1);
		expect(conversations()).toHaveLength(1);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'to an endpoint that is switched off: %s',
		async (onError) => {
			testbed.service.behaviourV2.disabledEndpoints = ['POST /agents/{agentId}/chat'];
			const { error, items } = await run({}, { nodeSettings: { onError } });
			const told = error?.message ?? items[0].json.error;
			expect(told).toMatch('The service has switched this function off for now');
			expect(testbed.sent).toHaveLength(1);
		},
	);

	it('but waits and is sent again after 429, under maintenance, or if nothing answers', async () => {
		testbed.service.faults.add({
			when: { times: 1 },
			fault: { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
		});
		testbed.service.behaviourV2.maintenance = 1;
		succeeded(await run());
		expect(testbed.service.requests.map(({ status }) => status)).toEqual([429, 503, 200]);
		expect(conversations()).toHaveLength(1);

		const { apiKey } = testbed.service;
		const credentials = { chatbaseV1Api: { apiKey, baseUrl: 'http://127.0.0.1:1/api/v1' } };
		const refused = await run({}, { credentials });
		expect(refused.error?.description).toContain('The node sent the request 4 times.');
	});
});

describe('a refusal', () => {
	it.each([
		[
			{ credits: 'CHAT_CREDITS_EXHAUSTED' },
			'The message credits of the workspace are used up',
			'Buy more credits',
		],
		[
			{ credits: 'CHAT_AGENT_CREDITS_EXHAUSTED' },
			'The message credits of this chatbot are used up',
			'Raise its credit limit',
		],
		[
			{ plan: 'SUBSCRIPTION_API_RESTRICTED_PLAN' },
			'The plan does not include this part of the API',
			'A Standard plan or higher',
		],
		[
			{ missingScopes: ['chatlogs:write'] },
			'The API key has no permission for this',
			'Create another key',
		],
		[{ agentId: 'own' }, 'Chatbot not found', 'Chat: Send Message uses version 1'],
	] as Array<[Partial<BehaviourV2>, string, string]>)(
		'says what to do: %j',
		async (behaviour, title, next) => {
			Object.assign(testbed.service.behaviourV2, behaviour);
			const { error } = await run();
			expect(error?.message).toBe(title);
			expect(error?.description).toContain(next);
			expect(testbed.sent).toHaveLength(1);
		},
	);

	it.each([
		['CHAT_CREDITS_EXHAUSTED', 'The message credits of the workspace are used up'],
		['SOMETHING_NEW', 'The service failed during the answer'],
	])('may come in a success: %s', async (code, title) => {
		const error = { code, message: 'Message limit reached' };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: { error } } });
		for (const ask of [run, stream]) {
			const result = await ask();
			expect(result.error?.message).toBe(title);
			expect(result.error?.description).toContain('Message limit reached');
		}
	});

	it.each([
		['a page', '<html>Sign in</html>'],
		['no message', { data: {} }],
		['parts that are text', { data: { parts: ['Hi'] } }],
		['a text part without text', { data: { parts: [{ type: 'text' }] } }],
		['an answer of version 1', { text: 'Hi' }],
	])('is also a response with %s', async (_, body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		for (const ask of [run, stream]) {
			const { error, chunks } = await ask();
			expect(error?.message).toBe('The service returned an unexpected response');
			const quoted = typeof body === 'string' ? body : JSON.stringify(body);
			expect(unescapeHtml(error?.description ?? '')).toContain(quoted);
			expect(error?.description).toContain('The message may have been received.');
			expect(itemsOf(chunks)).toEqual([]);
		}
	});
});

describe('as a tool', () => {
	const fromAi = (name: string) => `={{ $fromAI('${name}') }}`;

	it('answers with the text and the conversation, and does not stream', async () => {
		const { text, chunks } = await testbed.engine.callTool({
			parameters: {
				resource: 'chat',
				operation: 'sendWithMemory',
				chatbotId: byId('bot'),
				message: fromAi('message'),
				options: { conversationId: fromAi('conversation'), userId: fromAi('user'), stream: true },
			},
			arguments: { message: 'Do you ship?', conversation: '', user: '' },
			streaming: true,
		});
		const [{ id }] = conversations();
		expect(JSON.parse(text!)).toEqual([{ text: answer, conversationId: id }]);
		expect(bodies()).toEqual([{ message: 'Do you ship?', stream: false }]);
		expect(chunks).toEqual([]);
	});

	it('tells the agent what is wrong', async () => {
		const parameters = { message: fromAi('message'), options: { userId: fromAi('user') } };
		const { records } = await testbed.callTool(parameters, { message: 'Hi', user: 'Ada L' });
		expect(records).toEqual([
			{ error: expect.stringMatching(/^User ID is not valid\. It is the text "Ada L"/) as string },
		]);
	});
});
