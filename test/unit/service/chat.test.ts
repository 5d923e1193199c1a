/** Chatting: the request, what is saved, and the framing of a stream. */
import fc from 'fast-check';

import { contract, type Behaviour, type SimulatedService } from '../../service';
import { chatbotId, chunksOf, clientOf, serviceWithChatbot } from './client';

let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

beforeEach(async () => {
	service = await serviceWithChatbot();
	ask = clientOf(service);
});
afterEach(async () => await service.close());

const set = (behaviour: Partial<Behaviour>) => Object.assign(service.behaviour, behaviour);
const say = async (content: string, more: object = {}) =>
	await ask('POST', '/chat', { chatbotId, messages: [{ role: 'user', content }], ...more });

describe('a message', () => {
	it.each([
		[{ messages: 'Hi' }, 'messages'],
		[{ messages: [{ role: 'system', content: 'Hi' }] }, 'messages.0.role'],
		[{ messages: [{ role: 'user' }] }, 'messages.0.content'],
		[{ temperature: 1.1 }, 'temperature'],
		[{ temperature: -0.1 }, 'temperature'],
		[{ temperature: '1' }, 'temperature'],
		[{ model: 'auto' }, 'model'],
		[{ stream: 'true' }, 'stream'],
		[{ chatbotId: '' }, 'chatbotId'],
		[{ chatId: chatbotId }, 'chatId'],
	])('refuses %j', async (more, field) => {
		set({ issues: 'everywhere' });
		expect(await say('Hi', more)).toMatchObject({ status: 400, body: { issues: [{ field }] } });
	});

	it('names the field in the message when the service has no issues', async () => {
		const { body } = await say('Hi', { temperature: 2 });
		expect(Object.keys(body)).toEqual(['message']);
		expect(body.message).toContain('temperature');
	});

	it.each([0, 0.5, 1])('accepts the temperature %d', async (temperature) => {
		expect((await say('Hi', { temperature })).status).toBe(200);
	});

	it.each([400, 403, 404] as const)('to an unknown chatbot: %d', async (chatUnknownChatbot) => {
		set({ chatUnknownChatbot });
		expect((await say('Hi', { chatbotId: 'x' })).status).toBe(chatUnknownChatbot);
	});

	it('accepts every model, and the earlier ones by default', async () => {
		for (const model of contract.chatModels) expect((await say('Hi', { model })).status).toBe(200);
		const [model] = contract.earlierChatModels;
		expect((await say('Hi', { model })).status).toBe(200);
		set({ earlierChatModels: 'refused' });
		expect((await say('Hi', { model })).status).toBe(400);
	});

	it('accepts chatId instead of chatbotId when switched', async () => {
		set({ chatIdAlias: 'accepted' });
		expect((await say('Hi', { chatbotId: undefined, chatId: chatbotId })).status).toBe(200);
	});

	it('is refused when it exceeds the set length', async () => {
		set({ maximumMessageLength: 3 });
		expect((await say('1234')).status).toBe(400);
		expect((await say('123')).status).toBe(200);
	});

	it('is answered by the given function', async () => {
		const own = await serviceWithChatbot({ reply: (messages) => `${messages.length} messages` });
		const messages = [{ role: 'user', content: 'a' }];
		const answer = await clientOf(own)('POST', '/chat', { chatbotId, messages });
		await own.close();
		expect(answer.body).toEqual({ text: '1 messages' });
	});
});

describe('a conversation', () => {
	const saved = () => service.store.chatbot(chatbotId).conversations;
	const contents = () => saved()[0].messages.map(({ content }) => content);

	it('is saved only when it has an ID', async () => {
		await say('Hi');
		expect(saved()).toEqual([]);
		await say('Hi', { conversationId: 'c', contactId: 'a' });
		expect(saved()).toMatchObject([
			{
				id: 'c',
				contactId: 'a',
				source: 'API',
				messages: [
					{ role: 'user', content: 'Hi' },
					{ role: 'assistant', content: 'You said: Hi' },
				],
			},
		]);
	});

	it.each([
		['append', ['1', 'You said: 1', '2', 'You said: 2']],
		['override', ['2', 'You said: 2']],
	] as const)('continues: %s', async (conversationHistory, expected) => {
		set({ conversationHistory });
		await say('1', { conversationId: 'c' });
		await say('2', { conversationId: 'c' });
		expect(contents()).toEqual(expected);
	});

	it('must exist when switched', async () => {
		set({ unknownConversation: 'badRequest' });
		expect((await say('Hi', { conversationId: 'c' })).status).toBe(400);
		service.store.addConversation(chatbotId, { id: 'c' });
		expect((await say('Hi', { conversationId: 'c' })).status).toBe(200);
	});
});

describe('a stream', () => {
	it('is the text of the response in any splitting', async () => {
		const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, streamChunkBytes) => {
				set({ streamChunkBytes });
				const answer = await say(text, { stream: true });
				expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
				expect(answer.text).toBe(`You said: ${text}`);
			}),
			{ numRuns: 25 },
		);
	});

	it('arrives in pieces that split characters', async () => {
		set({ streamChunkBytes: 1 });
		const response = await fetch(`${service.baseUrl}/chat`, {
			method: 'POST',
			headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({
				chatbotId,
				stream: true,
				messages: [{ role: 'user', content: '👋' }],
			}),
		});
		let chunks = 0;
		for await (const chunk of chunksOf(response)) chunks += chunk.length > 0 ? 1 : 0;
		expect(chunks).toBeGreaterThan(1);
	});

	it.each([
		['text', 'data: You \n\ndata: said: \n\ndata: a\ndata: \n\ndata: b\n\ndata: [DONE]\n\n'],
		['json', 'data: "You "\n\ndata: "said: "\n\ndata: "a\\n"\n\ndata: "b"\n\ndata: [DONE]\n\n'],
	] as const)('of events that hold %s', async (streamEventData, expected) => {
		set({ streamFraming: 'events', streamEventData });
		const answer = await say('a\nb', { stream: true });
		expect(answer.headers.get('content-type')).toMatch('text/event-stream');
		expect(answer.text).toBe(expected);
	});

	it('of events may come as plain text', async () => {
		set({ streamFraming: 'eventsAsPlainText' });
		const answer = await say('a', { stream: true });
		expect(answer.headers.get('content-type')).toMatch('text/plain');
		expect(answer.text).toMatch(/^data: .*\[DONE\]\n\n$/s);
	});

	it('is an ordinary error before it starts', async () => {
		const answer = await say('a', { stream: true, temperature: 9 });
		expect(answer.status).toBe(400);
		expect(answer.headers.get('content-type')).toMatch('application/json');
	});
});
