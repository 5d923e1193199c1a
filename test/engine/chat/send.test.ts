import { sleep } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { inSkippedTime, skippedTime } from '../fastTime';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chat', operation: 'send', chatbotId: byId('bot') });

const address = 'POST /chat';
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const bodies = () => testbed.service.requests.map(({ body }) => body);
const savedConversations = () => testbed.service.store.chatbots.get('bot')!.conversations;

describe('a message', () => {
	it('is sent alone and returns the answer when nothing else is set', async () => {
		const { items } = await testbed.succeed({ message: 'Hello' });
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', messages: [user('Hello')] }]]);
		expect(testbed.service.requests[0].headers).toMatchObject({
			authorization: `Bearer ${testbed.service.apiKey}`,
			'content-type': 'application/json',
		});
		expect(items).toEqual([{ json: { text: 'You said: Hello' }, pairedItem: { item: 0 } }]);
		expect(savedConversations()).toEqual([]);
	});

	it.each([
		['emoji, quotes, line breaks and markup', '🦊 “Grüße”\r\n\t<b>"&\\ \u2028 مرحبا'],
		['spaces at both ends', '  two  spaces  '],
		['half an emoji', 'cut \ud83e'],
		['a million characters', '🦊'.repeat(500_000)],
	])('arrives unchanged: %s', async (_, message) => {
		const { items } = await testbed.succeed({ message });
		expect(bodies()).toEqual([{ chatbotId: 'bot', messages: [user(message)] }]);
		expect(items[0].json).toEqual({ text: `You said: ${message}` });
	});

	it('is sent with all added options', async () => {
		const { items } = await testbed.succeed({
			message: 'And to Norway?',
			history: {
				turns: [user('Do you ship to Sweden?'), { ...assistant('Yes.') }, assistant('')],
			},
			conversationId: 'conversation 1',
			options: {
				contactId: 'customer-1001',
				model: { __rl: true, mode: 'list', value: 'gpt-5-mini' },
				temperature: 0.7,
				stream: false,
				maxConcurrency: 1,
			},
		});
		const messages = [
			user('Do you ship to Sweden?'),
			assistant('Yes.'),
			assistant(''),
			user('And to Norway?'),
		];
		expect(bodies()).toEqual([
			{
				chatbotId: 'bot',
				messages,
				contactId: 'customer-1001',
				conversationId: 'conversation 1',
				model: 'gpt-5-mini',
				temperature: 0.7,
				stream: false,
			},
		]);
		const text = 'You said: And to Norway?';
		expect(items[0].json).toEqual({ text, conversationId: 'conversation 1' });
		expect(savedConversations()).toMatchObject([
			{
				id: 'conversation 1',
				contactId: 'customer-1001',
				messages: [...messages, assistant(text)],
			},
		]);
	});

	it.each(['', ' ', '={{ $json.missing }}'])(
		'is sent without a conversation when Conversation ID is %j',
		async (conversationId) => {
			await testbed.succeed({ message: 'Hi', conversationId });
			expect(bodies()).toEqual([{ chatbotId: 'bot', messages: [user('Hi')] }]);
		},
	);

	it.each([0, 1])('is sent with temperature %d', async (temperature) => {
		await testbed.run({ message: 'Hi', options: { temperature } });
		expect(bodies()).toEqual([{ chatbotId: 'bot', messages: [user('Hi')], temperature }]);
	});

	it.each(['gpt-4', 'a model of tomorrow'])(
		'is sent with the model that is typed as %s',
		async (model) => {
			await testbed.run({ message: 'Hi', options: { model: byId(model) } });
			expect(bodies()).toMatchObject([{ model }]);
		},
	);

	it('returns all other fields of the response', async () => {
		const body = { text: 'Hi', conversationId: 'theirs', usage: { credits: 2 }, sources: [null] };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { items } = await testbed.run({ message: 'Hi', conversationId: 'ours' });
		expect(items[0].json).toEqual(body);
	});

	it('accepts an empty answer', async () => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: { text: '' } } });
		expect((await testbed.run({ message: 'Hi' })).items[0].json).toEqual({ text: '' });
	});
});

it('is sent in the order of the items when they share a conversation', async () => {
	testbed.service.store.addChatbot({ id: 'other' });
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 300 } });
	const rows = [
		{ bot: 'bot', conversation: 'c', message: 'One' },
		{ bot: 'bot', conversation: 'c', message: 'Two' },
		{ bot: 'other', conversation: 'c', message: 'Another chatbot' },
		{ bot: 'bot', conversation: 'd', message: 'Another conversation' },
		{ bot: 'bot', message: 'No conversation' },
		{ bot: 'bot', conversation: 'c', message: 'Three' },
	];
	const parameters = {
		chatbotId: byId('={{ $json.bot }}'),
		message: '={{ $json.message }}',
		conversationId: '={{ $json.conversation }}',
	};
	const { items } = await inSkippedTime(
		testbed.service,
		async () => await testbed.run(parameters, { input: rows }),
	);
	expect(items.map(({ json }) => json.text)).toEqual(
		rows.map(({ message }) => `You said: ${message}`),
	);
	const saved = savedConversations().find(({ id }) => id === 'c')!.messages;
	expect(saved.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
		'One',
		'Two',
		'Three',
	]);
	// Other conversations don't wait for the slow one.
	expect(bodies().at(-2)).toMatchObject({ messages: [user('Two')] });
});

describe('Previous Messages JSON', () => {
	const turns = [user('Hi'), assistant('🦊')];
	const run = async (historyJson: unknown, history = {}) =>
		await testbed.run(
			{ message: 'Now', history, options: { historyJson: '={{ $json.turns }}' } },
			{ input: [{ turns: historyJson as string }] },
		);

	it.each([
		['text', JSON.stringify(turns)],
		['data', turns],
		['turns with more than the API knows', turns.map((turn) => ({ ...turn, name: 'x', id: 1 }))],
	])('accepts %s', async (_, historyJson) => {
		await run(historyJson);
		expect(bodies()).toEqual([{ chatbotId: 'bot', messages: [...turns, user('Now')] }]);
		expect(testbed.illegal).toEqual([]);
	});

	it('replaces the rows', async () => {
		await run('[]', { turns: [user('Row')] });
		expect(bodies()).toMatchObject([{ messages: [user('Now')] }]);
	});

	it.each([[''], [null], ['  ']])('keeps the rows when it is blank: %j', async (blank) => {
		await run(blank, { turns: [user('Row')] });
		expect(bodies()).toMatchObject([{ messages: [user('Row'), user('Now')] }]);
	});

	it('writes numbers as text', async () => {
		await run([{ role: 'user', content: 42 }]);
		expect(bodies()).toMatchObject([{ messages: [user('42'), user('Now')] }]);
	});

	it.each([
		['[{', 'Previous Messages JSON is not valid JSON', /quotes, commas and brackets/],
		['{"role":"user"}', 'Previous Messages JSON is not a list', /It is an object/],
		['7', 'Previous Messages JSON is not a list', /the number 7/],
		[['Hi'], 'Previous Messages JSON has an invalid message', /Message 0: it is the text "Hi/],
		[
			[user('Hi'), { role: 'system', content: 'Be nice' }],
			'Previous Messages JSON has an invalid message',
			/Message 1: its role is the text "system", .* It needs the role "user" or/,
		],
		[
			[{ role: 'user' }],
			'Previous Messages JSON has an invalid message',
			/Message 0: .* its content is empty\. .* a text as content/,
		],
		[
			[{ role: 'user', content: { text: 'Hi' } }],
			'Previous Messages JSON has an invalid message',
			/Message 0: its role is the text "user", and its content is an object/,
		],
	])('is refused before the request: %j', async (historyJson, title, description) => {
		const { error } = await run(historyJson);
		expect(error?.message).toBe(title);
		expect(error?.description).toMatch(/^Item 0: /);
		expect(error?.description).toMatch(description);
		expect(testbed.sent).toEqual([]);
	});

	it('refuses invalid rows too', async () => {
		const refusal = await testbed.refusal({
			message: 'Hi',
			history: { turns: [{ role: '={{ "system" }}', content: 'Be nice' }] },
		});
		expect(refusal).toBe('Previous Messages has an invalid message');
	});
});

describe('a refusal before any request', () => {
	const blank = { blank: '', list: ['a'] };

	it.each([
		['a blank message', { message: '={{ $json.blank }}' }, 'Message is empty'],
		['a message of spaces', { message: '={{ " \\n" }}' }, 'Message is empty'],
		['a message without a value', { message: '={{ $json.missing }}' }, 'Message is empty'],
		['a message that is a list', { message: '={{ $json.list }}' }, 'Message is not text'],
		['a list as Conversation ID', { conversationId: '={{ [1] }}' }, 'Conversation ID is not text'],
		['a blank contact', { options: { contactId: '={{ $json.blank }}' } }, 'External ID is empty'],
		['a blank model', { options: { model: byId('={{ $json.blank }}') } }, 'Model is empty'],
		[
			'a temperature above 1',
			{ options: { temperature: 1.1 } },
			'Temperature is not a number from 0 to 1',
		],
		[
			'a temperature as text',
			{ options: { temperature: '={{ "warm" }}' } },
			'Temperature is not a number from 0 to 1',
		],
		[
			'a stream in words',
			{ options: { stream: '={{ "maybe" }}' } },
			'Enable Streaming is not true or false',
		],
	])('%s', async (_, parameters, title) => {
		const { error } = await testbed.run({ message: 'Hi', ...parameters }, { input: [blank] });
		expect(error?.message).toBe(title);
		expect(error?.description).toMatch(/^Item 0: /);
		expect(testbed.sent).toEqual([]);
	});
});

it.each([
	{},
	{ onError: 'continueRegularOutput' as const },
	{ onError: 'continueErrorOutput' as const },
])('leaves no unhandled rejection with %j', async (nodeSettings) => {
	// Jest fails a test for every unhandled rejection.
	testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'resetAfter' } });
	testbed.service.faults.add({ when: { nth: 3 }, fault: { kind: 'status', status: 401 } });
	const messages = ['', 'a', 'b', 'c', 'd', '{{'];
	for (const stream of [true, false]) {
		for (const maxConcurrency of [1, 5]) {
			for (const input of [messages, messages.slice(1)]) {
				await testbed.run(
					{ message: '={{ $json.message }}', options: { stream, maxConcurrency } },
					{ input: input.map((message) => ({ message })), nodeSettings },
				);
			}
		}
	}
	await sleep(0);
});

describe('expressions', () => {
	it('are evaluated for each item and parameter', async () => {
		testbed.service.store.addChatbot({ id: 'other' });
		const { items } = await testbed.succeed(
			{
				chatbotId: byId('={{ $json.bot }}'),
				message: '={{ $json.message }}',
				history: { turns: [{ role: '={{ $json.role }}', content: '={{ $json.content }}' }] },
				conversationId: '={{ $json.conversation }}',
				options: {
					contactId: '={{ $json.contact }}',
					model: byId('={{ $json.model }}'),
					temperature: '={{ $json.temperature }}',
					stream: '={{ $json.stream }}',
					historyJson: '={{ $json.history }}',
				},
			},
			{
				input: [
					{
						bot: 'bot',
						message: 'One',
						role: 'assistant',
						content: 'Hello',
						conversation: 12,
						contact: 'c',
						model: 'grok-4',
						temperature: '0.5',
						stream: 'true',
					},
					{ bot: 'other', message: 2, role: 'user', content: '', history: [user('Hi')] },
				],
			},
		);
		expect(bodies()).toHaveLength(2);
		expect(bodies()).toEqual(
			expect.arrayContaining([
				{
					chatbotId: 'bot',
					messages: [assistant('Hello'), user('One')],
					conversationId: '12',
					contactId: 'c',
					model: 'grok-4',
					temperature: 0.5,
					stream: true,
				},
				{ chatbotId: 'other', messages: [user('Hi'), user('2')] },
			]),
		);
		expect(items).toEqual([
			{ json: { text: 'You said: One', conversationId: '12' }, pairedItem: { item: 0 } },
			{ json: { text: 'You said: 2' }, pairedItem: { item: 1 } },
		]);
	});
});

describe('a failure', () => {
	it('says that another model can be typed when the model is refused', async () => {
		const options = { model: byId('gpt-9') };
		const { error } = await testbed.run({ message: 'Hi', options });
		expect(error?.message).toBe('The service rejected the model');
		expect(error?.description).toMatch(/set Model to ID and type/);
		expect(error?.description).toContain('one of "gpt-4o"|"gpt-4o-mini"|"o4-mini"|…"');
		expect(error?.description).not.toContain('claude');
	});

	it.each([
		['no text', { answer: 'Hi' }],
		['text that is none', { text: { parts: [] } }],
		['a list', [{ text: 'Hi' }]],
	])('is also a response with %s', async (_, body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { error } = await testbed.run({ message: 'Hi' });
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
		expect(error?.description).toContain('The message may have been received.');
	});
});

describe('a message is never sent twice', () => {
	let restore: () => void;
	beforeEach(() => (restore = skippedTime(testbed.service)));
	afterEach(() => restore());

	it('is sent again when the connection is refused', async () => {
		const { apiKey } = testbed.service;
		const { error } = await testbed.run(
			{ message: 'Hi' },
			{ credentials: { chatbaseV1Api: { apiKey, baseUrl: 'http://127.0.0.1:1/api/v1' } } },
		);
		expect(error?.message).toBe('The Base URL refused the connection');
		expect(error?.description).toContain('The node sent the request 4 times.');
	});
});

it('waits for an answer for two minutes', async () => {
	testbed.service.faults.add({ when: { path: '/chat' }, fault: { kind: 'stall' } });
	let waited = 0;
	const { error } = await inSkippedTime(testbed.service, async () => {
		const startedAt = performance.now();
		const result = await testbed.run({ message: 'Hi' });
		waited = performance.now() - startedAt;
		return result;
	});
	expect(error?.message).toBe(titleOf('timeout'));
	expect(waited).toBeGreaterThanOrEqual(120_000);
	expect(waited).toBeLessThan(121_000);
});

describe('as a tool', () => {
	const fromAi = (name: string, type = 'string') => `={{ $fromAI('${name}', '', '${type}') }}`;

	it('leaves out fields that the model left blank', async () => {
		const { error, records } = await testbed.callTool(
			{
				message: fromAi('message'),
				history: { turns: [{ role: 'user', content: fromAi('before') }, user('Kept')] },
				conversationId: fromAi('conversation'),
				options: {
					contactId: fromAi('contact'),
					model: byId(fromAi('model')),
					historyJson: fromAi('history'),
					temperature: fromAi('temperature', 'number'),
				},
			},
			{
				message: 'Do you ship?',
				before: '',
				conversation: '',
				contact: ' ',
				model: '',
				history: '',
				temperature: 0,
			},
		);
		expect(error).toBeUndefined();
		expect(records).toEqual([{ text: 'You said: Do you ship?' }]);
		expect(bodies()).toEqual([
			{ chatbotId: 'bot', messages: [user('Kept'), user('Do you ship?')], temperature: 0 },
		]);
		expect(testbed.illegal).toEqual([]);
	});

	it('sends fields that the model filled in', async () => {
		const { records } = await testbed.callTool(
			{
				message: fromAi('message'),
				conversationId: fromAi('conversation'),
				options: { historyJson: fromAi('history') },
			},
			{ message: 'Hi', conversation: 'c', history: JSON.stringify([assistant('Hello')]) },
		);
		expect(records).toEqual([{ text: 'You said: Hi', conversationId: 'c' }]);
		expect(bodies()).toEqual([
			{ chatbotId: 'bot', messages: [assistant('Hello'), user('Hi')], conversationId: 'c' },
		]);
	});

	it('does not stream', async () => {
		const { text, chunks } = await testbed.engine.callTool({
			parameters: {
				resource: 'chat',
				operation: 'send',
				chatbotId: byId('bot'),
				message: 'Hi',
				options: { stream: true },
			},
			arguments: {},
			streaming: true,
		});
		expect(JSON.parse(text!)).toEqual([{ text: 'You said: Hi' }]);
		expect(bodies()).toEqual([{ chatbotId: 'bot', messages: [user('Hi')] }]);
		expect(chunks).toEqual([]);
	});

	it('has its action as its description', async () => {
		const { tools } = await testbed.engine.callTool({
			parameters: { resource: 'chat', operation: 'send', chatbotId: byId('bot'), message: 'Hi' },
			arguments: {},
		});
		expect(tools[0].description).toBe('Send message in Chatbase');
	});
});

describe('the list of models', () => {
	it('shows the current models, or those that match', async () => {
		const search = async (filter?: string) =>
			(await testbed.engine.listSearch('searchChatModels', { filter })).results;
		expect(await search()).toHaveLength(31);
		expect(await search('GPT-4O-')).toEqual([{ name: 'gpt-4o-mini', value: 'gpt-4o-mini' }]);
	});

	it('differs for settings', async () => {
		const { results } = await testbed.engine.listSearch('searchSettingsModels', {
			filter: 'gpt-5.',
		});
		const values = results.map(({ value }) => value);
		expect(values).toContain('gpt-5.6-luna');
		expect(values).not.toContain('gpt-5.1');
		expect(testbed.sent).toEqual([]);
	});

	it('has models for new chatbots, too', async () => {
		const { results } = await testbed.engine.listSearch('searchAgentModels', { filter: 'gpt' });
		expect(results.length).toBeGreaterThan(0);
		expect(testbed.sent).toEqual([]);
	});
});
