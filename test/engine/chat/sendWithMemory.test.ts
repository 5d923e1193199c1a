import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { unescapeHtml } from '../../../nodes/Chatbase/values/text';
import type { BehaviourV2 } from '../../../service';
import { inSkippedTime, skippedTime } from '../fastTime';
import { byId, succeeded } from '../testbed';
import { address, answer, inConversation, itemsOf, outputIn, useMemory } from './memory';

const { testbed, bodies, conversations, messagesOf, addConversation, run, stream } = useMemory();

describe('a message', () => {
	it('begins a conversation, which the output names', async () => {
		const { items, hints } = succeeded(await run());
		expect(testbed.sent).toEqual([[address, { message: 'Hi', stream: false }]]);
		expect(testbed.illegal).toEqual([]);
		const [{ id }] = conversations();
		expect(items).toEqual([
			{
				json: { ...outputIn(id), parts: [{ type: 'text', text: answer }] },
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
		[{ chatAnswer: 'severalTexts' }, { text: answer }],
		[{ chatAnswer: 'nullUserMessageId' }, { text: answer }],
	] as Array<[Partial<BehaviourV2>, object]>)('has its answer with %j', async (behaviour, json) => {
		Object.assign(testbed.service.behaviourV2, behaviour);
		for (const ask of [run, stream]) {
			const { items, error } = await ask();
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject(json);
		}
	});
});

describe('an answer that nobody gave', () => {
	const call = { toolCallId: 'call_1', toolName: 'lookupOrder', input: { orderId: 'ORD-123' } };
	const cases = [
		['emptyParts', { text: '', parts: [], toolCalls: [] }, /^The chatbot gave no text\./],
		[
			'toolCalls',
			{
				text: answer,
				finishReason: 'tool-calls',
				toolCalls: [call],
				parts: [
					{ type: 'text', text: answer },
					{ type: 'tool-call', ...call },
				],
			},
			/waits for its result\. Send it with Chat: Send Tool Result\./,
		],
	] as const;

	it.each(cases)('is in the output, and a hint says so: %s', async (chatAnswer, json, hint) => {
		testbed.service.behaviourV2.chatAnswer = chatAnswer;
		for (const ask of [run, stream]) {
			const { items, hints } = succeeded(await ask());
			expect(items[0].json).toMatchObject(json);
			expect(hints).toMatchObject([{ message: expect.stringMatching(hint), type: 'warning' }]);
		}
	});

	it.each(cases)('is told to an agent: %s', async (chatAnswer, { text, toolCalls }, hint) => {
		testbed.service.behaviourV2.chatAnswer = chatAnswer;
		const { records } = await testbed.callTool({ message: 'Hi', conversation: 'new' }, {});
		const [{ id }] = conversations();
		const finishReason = chatAnswer === 'toolCalls' ? 'tool-calls' : 'stop';
		expect(records).toEqual([
			{ text, conversationId: id, finishReason, toolCalls },
			{ message: expect.stringMatching(hint) as string },
		]);
	});

	it('has no open call if the service has answered it', async () => {
		const { input, ...named } = call;
		const parts = [
			{ type: 'tool-call', ...named, input },
			{ type: 'tool-result', ...named, output: { status: 'shipped' } },
			{ type: 'text', text: 'It is on its way.' },
		];
		const body = { data: { id: 'm', parts, metadata: { finishReason: 'stop' } } };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { items } = await run();
		expect(items[0].json).toMatchObject({ toolCalls: [], parts });
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

	it('has none if none was sent', async () => {
		const { items } = await run();
		expect(items.map(({ json }) => json.conversationId)).toEqual([null]);
	});

	it('has none if a new one was begun', async () => {
		const ended = { error: { code: 'CHAT_CONVERSATION_NOT_ONGOING', message: 'No' } };
		testbed.service.faults.clear();
		testbed.service.faults.add({
			when: { nth: 1 },
			fault: { kind: 'status', status: 400, body: ended },
		});
		testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'otherShape', body } });
		const { items } = await run(inConversation('c', { onEnded: 'startNew' }));
		expect(items[0].json).toMatchObject({
			conversationId: null,
			startedNew: true,
			previousConversationId: 'c',
		});
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

describe('what is refused before any request', () => {
	const input = [{ blank: '', list: ['a'] }];

	it.each([
		['a message of spaces', { message: ' ' }, 'Message is empty'],
		['a message without a value', { message: '={{ $json.missing }}' }, 'Message is empty'],
		[
			'a conversation that is a list',
			inConversation('={{ $json.list }}'),
			'Conversation ID is not text',
		],
		['an empty user', { options: { userId: '={{ "" }}' } }, 'User ID is empty'],
		[
			'no chat input',
			{ message: '={{ $json.chatInput }}', conversation: 'user' },
			'Message is empty',
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

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'to an endpoint that is switched off: %s',
		async (onError) => {
			testbed.service.behaviourV2.disabledEndpoints = ['POST /agents/{agentId}/chat'];
			const { error, items } = await run({}, { nodeSettings: { onError } });
			const told = error?.message ?? items[0].json.error;
			expect(told).toMatch(titleOf('disabled'));
			expect(testbed.sent).toHaveLength(1);
		},
	);
});

describe('a refusal', () => {
	it.each([
		[{ credits: 'CHAT_CREDITS_EXHAUSTED' }, 'The message credits are used up', 'Buy more credits'],
		[
			{ credits: 'CHAT_AGENT_CREDITS_EXHAUSTED' },
			'The message credits of this chatbot are used up',
			'Raise its Credit Limit',
		],
		[
			{ plan: 'SUBSCRIPTION_API_RESTRICTED_PLAN' },
			'The plan does not include this part of the API',
			'A Standard plan or higher',
		],
		[
			{ missingScopes: ['chatlogs:write'] },
			titleOf('AUTH_INSUFFICIENT_PERMISSIONS'),
			'Create another key',
		],
		[{ agentId: 'own' }, titleOf('404'), 'Chat: Send Message uses version 1'],
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
		['CHAT_CREDITS_EXHAUSTED', 'The message credits are used up'],
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
			expect(error?.message).toBe(titleOf('unexpectedResponse'));
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
		expect(JSON.parse(text!)).toEqual([
			{ text: answer, conversationId: id, finishReason: 'stop', toolCalls: [] },
		]);
		expect(bodies()).toEqual([{ message: 'Do you ship?', stream: false }]);
		expect(chunks).toEqual([]);
	});

	it('works when it is connected and only the chatbot was chosen', async () => {
		const { text } = await testbed.engine.callTool({
			parameters: { resource: 'chat', operation: 'sendWithMemory', chatbotId: byId('bot') },
			arguments: { Message: 'Do you ship?' },
		});
		expect(JSON.parse(text!)).toMatchObject([{ text: answer }]);
		expect(bodies()).toEqual([{ message: 'Do you ship?', stream: false }]);
	});

	it('tells the agent what is wrong', async () => {
		const parameters = { message: fromAi('message'), options: { userId: fromAi('user') } };
		const { records } = await testbed.callTool(parameters, { message: 'Hi', user: 'Ada L' });
		expect(records).toEqual([
			{ error: expect.stringMatching(/^User ID is not valid\. It is the text "Ada L"/) as string },
		]);
	});
});
