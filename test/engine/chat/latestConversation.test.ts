import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { byId, succeeded } from '../testbed';
import { address, answer, useMemory } from './memory';

const { testbed, bodies, conversations, messagesOf, addConversation, run } = useMemory();

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

	it.each([{ id: undefined }, { id: ' ' }, { updatedAt: undefined }, { updatedAt: 'yesterday' }])(
		'is another one than a row with %j',
		async (odd) => {
			const when = { method: 'GET' } as const;
			add('ongoing');
			const body = listOf([row({ id: 'odd', updatedAt: at, ...odd }), row({ updatedAt: at })]);
			testbed.service.faults.add({ when, fault: { kind: 'otherShape', body } });
			await run(ofUser);
			expect(bodies().at(-1)).toMatchObject({ conversationId: 'c1' });
		},
	);

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
		// To run all items again would send the messages of the others twice.
		expect(error?.description).toMatch(
			/Nothing was sent\. Choose By ID or New under Conversation\.$/,
		);
		expect(error?.description).toContain('1 of 7 conversations');
		expect(testbed.sent).toEqual([look, look, look]);
	});

	it.each([
		['AGENT_NOT_FOUND', titleOf('404')],
		['SOMETHING_NOT_FOUND', titleOf('404')],
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
		expect(error?.message).toBe(titleOf('404'));
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
