/** Chatting in version 2: the history that the service keeps, and each form of a stream. */
import { contractV2 } from '../../../service';
import { chunksOf } from '../client';
import { agent, errorOf, start } from './client';

let v2: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
	v2 = await start();
});
beforeEach(() => v2.reset());
afterAll(async () => await v2.service.close());

const say = async (body: object) =>
	await v2.ask('POST', `${agent}/chat`, { message: 'Grüße!', stream: false, ...body });
const open = (id: string, status: 'ongoing' | 'ended' | 'paused' | 'taken_over' = 'ongoing') =>
	v2.store.addConversation('bot', { id, status });

describe('a message', () => {
	it('begins a conversation, and the next one continues it with its user', async () => {
		const first = await say({ userId: 'u.1' });
		const { metadata } = contractV2.chatReply.parse(first.body).data;
		expect(metadata).toMatchObject({ userId: 'u.1', finishReason: 'stop', usage: { credits: 1 } });
		const second = await say({ conversationId: metadata.conversationId, userId: 'other' });
		expect(second.body.data.metadata.userId).toBe('u.1');
		const [saved] = v2.store.chatbot('bot').conversations;
		expect(saved).toMatchObject({ source: 'API', title: 'Grüße!', status: 'ongoing' });
		expect(saved.messages.map(({ role }) => role)).toEqual([
			'user',
			'assistant',
			'user',
			'assistant',
		]);
		const path = `${agent}/conversations/export?conversationId=${saved.id}`;
		const { messages } = (await v2.ask('GET', path)).body.data[0];
		expect(messages.at(-1).id).toBe(second.body.data.id);
		expect((await v2.ask('GET', agent)).body.creditsUsed).toBe(2);
	});

	it.each([
		{ message: '' },
		{ message: undefined },
		{ userId: 'a b' },
		{ userId: 'a'.repeat(129) },
		{ stream: 'false' },
		{ model: 'gpt-5' },
	])('is refused: %j', async (body) => {
		expect(errorOf(await say(body))).toEqual([400, 'VALIDATION_INVALID_BODY']);
	});

	it.each(['CHAT_CREDITS_EXHAUSTED', 'CHAT_AGENT_CREDITS_EXHAUSTED'] as const)(
		'without credits: %s',
		async (credits) => {
			v2.set({ credits });
			expect(errorOf(await say({}))).toEqual([402, credits]);
		},
	);

	it.each([
		['integer', { credits: 1 }],
		['fraction', { credits: 0.5 }],
		['absent', undefined],
	] as const)('costs credits: %s', async (creditsValue, usage) => {
		v2.set({ creditsValue });
		expect((await say({})).body.data.metadata.usage).toEqual(usage);
	});

	it.each([
		['notFound', 404, 'RESOURCE_NOT_FOUND'],
		['mismatch403', 403, 'CHAT_CONVERSATION_MISMATCH'],
		['mismatch400', 400, 'CHAT_CONVERSATION_MISMATCH'],
		['startsAnother', 200, undefined],
	] as const)('to a conversation that is none: %s', async (position, status, code) => {
		v2.set({ chatUnknownConversation: position });
		const answer = await say({ conversationId: 'x' });
		expect(errorOf(answer)).toEqual([status, code]);
		if (status === 200) expect(answer.body.data.metadata.conversationId).not.toBe('x');
	});

	it.each([403, 400, 409] as const)('to one that is over: %d', async (chatNotOngoing) => {
		v2.set({ chatNotOngoing });
		for (const status of ['ended', 'taken_over', 'paused'] as const) {
			open(status, status);
			expect(errorOf(await say({ conversationId: status }))).toEqual([
				chatNotOngoing,
				'CHAT_CONVERSATION_NOT_ONGOING',
			]);
		}
		expect(v2.store.chatbot('bot').conversations.flatMap(({ messages }) => messages)).toEqual([]);
	});

	it('to a paused one can be recorded without an answer', async () => {
		v2.set({ chatPaused: 'recorded' });
		const paused = open('c', 'paused');
		expect((await say({ conversationId: 'c' })).body.data.parts).toEqual([]);
		expect(paused.messages.map(({ role }) => role)).toEqual(['user']);
	});

	const text = 'You said: Grüße!';
	it.each([
		['text', 'stop', text, 1],
		['severalTexts', 'stop', text, 2],
		['emptyParts', 'stop', '', 0],
		['toolCalls', 'tool-calls', text, 2],
		['error', 'error', '', 0],
		['nullUserMessageId', 'stop', text, 1],
	] as const)('is answered by %s', async (chatAnswer, finishReason, said, count) => {
		v2.set({ chatAnswer });
		const { parts, metadata } = contractV2.chatReply.parse((await say({})).body).data;
		expect(parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(said);
		expect(parts).toHaveLength(count);
		expect(metadata.finishReason).toBe(finishReason);
		expect(metadata.userMessageId === null).toBe(chatAnswer === 'nullUserMessageId');
	});

	it('is streamed unless told otherwise, by the request or by a switch', async () => {
		const isStream = async (body: object) =>
			(await say(body)).headers.get('content-type') === 'text/event-stream';
		expect([await isStream({ stream: undefined }), await isStream({})]).toEqual([true, false]);
		v2.set({ answerKind: 'json' });
		expect(await isStream({ stream: true })).toBe(false);
		v2.set({ answerKind: 'stream' });
		expect(await isStream({})).toBe(true);
	});
});

describe('a stream', () => {
	const streamed = async () => (await say({ stream: true })).text;
	/** The events of a stream in the newest framing. */
	const events = async () =>
		(await streamed())
			.split('\n\n')
			.filter((event) => event.startsWith('data: {'))
			.map((event) => JSON.parse(event.slice(6)));
	const typesOf = async () => (await events()).map(({ type }) => type);

	it('has the newest form by default', async () => {
		const [first, ...others] = await events();
		expect(first).toEqual({ type: 'start', messageId: expect.any(String) });
		expect(others.map(({ type }) => type)).toEqual([
			'start-step',
			'text-start',
			...['text-delta', 'text-delta', 'text-delta'],
			'text-end',
			'finish-step',
			'finish',
		]);
		expect(others.map(({ delta = '' }) => delta).join('')).toBe('You said: Grüße!');
		expect(others.at(-1)).toEqual({
			type: 'finish',
			finishReason: 'stop',
			messageMetadata: {
				messageId: first.messageId,
				userMessageId: expect.any(String),
				conversationId: expect.any(String),
				userId: null,
				usage: { credits: 1 },
			},
		});
		expect(await streamed()).toMatch(/data: \[DONE\]\n\n$/);
	});

	it.each([
		['eventAndData', /^event: start\ndata: \{"type":"start"/],
		['typeInEvent', /^event: start\ndata: \{"messageId"/],
		['jsonLines', /^\{"type":"start".*\}\n\{.*\}\n$/s],
		['withoutSpace', /^data:\{"type":"start"/],
		['crlf', /^data: \{.*\}\r\n\r\n.*\r\n\r\n$/s],
		['comments', /^: keep-alive\n\n: data\ndata: \{"type"/],
		['severalDataLines', /^data: \{\ndata: {2}"type": "start",\n/],
	] as const)('is framed as %s', async (streamFraming, form) => {
		v2.set({ streamFraming });
		expect(await streamed()).toMatch(form);
	});

	it.each([
		['message-start', 'message-start'],
		['none', 'text-start'],
	] as const)('begins with %s', async (streamStart, type) => {
		v2.set({ streamStart });
		expect((await typesOf())[0]).toBe(type);
	});

	it.each([
		['withoutId', ['type', 'delta']],
		['text', ['type', 'id', 'text']],
	] as const)('has text %s', async (streamText, names) => {
		v2.set({ streamText });
		const piece = (await events()).find(({ type }) => type === 'text-delta');
		expect(Object.keys(piece)).toEqual(names);
	});

	it.each([
		['message-metadata', ['message-metadata', 'messageMetadata', 'conversationId']],
		['flat', ['message-metadata', 'conversationId']],
		['finish.metadata', ['finish', 'metadata', 'conversationId']],
	] as const)('has its metadata in %s', async (streamMetadata, [type, ...path]) => {
		v2.set({ streamMetadata });
		const event = (await events()).find((one) => one.type === type);
		expect(event).toHaveProperty(path, expect.any(String));
		expect(event).not.toHaveProperty('messageMetadata.finishReason');
	});

	it('can have no metadata, and its finish reason elsewhere', async () => {
		v2.set({ streamMetadata: 'none', streamFinishReason: 'none' });
		expect((await events()).at(-1)).toEqual({ type: 'finish' });
		v2.set({ streamMetadata: 'finish', streamFinishReason: 'inside' });
		const finish = (await events()).at(-1);
		expect(finish.messageMetadata.finishReason).toBe('stop');
		expect(finish).not.toHaveProperty('finishReason');
	});

	it.each([
		['afterText', true, { type: 'error', errorText: expect.any(String) }],
		['beforeText', false, { type: 'error', errorText: expect.any(String) }],
		['oldForm', true, { error: { code: 'CHAT_STREAMING_ERROR' } }],
		['abort', true, { type: 'abort' }],
	] as const)('can fail: %s', async (streamError, hasText, last) => {
		v2.set({ streamError });
		const all = await events();
		expect(all.some(({ type }) => type === 'text-delta')).toBe(hasText);
		expect(all.at(-1)).toMatchObject(last);
	});

	it('can fail before it begins', async () => {
		v2.set({ streamError: 'json' });
		expect(errorOf(await say({ stream: true }))).toEqual([500, 'CHAT_STREAMING_ERROR']);
	});

	it.each([
		['finish', /"usage":\{"credits":1\}\}\}\n\n$/],
		['unfinished', /"finish-step"\}\n\n$/],
		['cut', /data: \{[^\n]*$/],
		['silence', /\[DONE\]\n\n$/],
	] as const)('ends with %s', async (streamEnd, form) => {
		v2.set({ streamEnd, streamSilenceMs: 50 });
		const before = performance.now();
		expect(await streamed()).toMatch(form);
		if (streamEnd === 'silence') expect(performance.now() - before).toBeGreaterThan(45);
	});

	it.each(['events', 'bytes', 'whole', 'insideCharacters'] as const)(
		'is cut by %s',
		async (streamChunks) => {
			const expected = (await streamed()).length;
			v2.set({ streamChunks });
			const response = await fetch(`${v2.base}${agent}/chat`, {
				method: 'POST',
				headers: {
					authorization: `Bearer ${v2.service.apiKey}`,
					'content-type': 'application/json',
				},
				body: JSON.stringify({ message: 'Grüße!' }),
			});
			const chunks = [];
			for await (const chunk of chunksOf(response)) chunks.push(chunk);
			expect(Buffer.concat(chunks).toString()).toHaveLength(expected);
			const splits = chunks.some(([first]) => (first & 0xc0) === 0x80);
			expect(splits).toBe(streamChunks === 'bytes' || streamChunks === 'insideCharacters');
			if (streamChunks === 'whole') expect(chunks).toHaveLength(1);
		},
	);

	it('can hold events of other kinds, and one that is no JSON', async () => {
		v2.set({ streamExtras: 'events', chatAnswer: 'toolCalls' });
		expect(await typesOf()).toEqual(
			expect.arrayContaining(['reasoning-delta', 'some-new-event', 'tool-input-available']),
		);
		v2.set({ streamExtras: 'brokenJson' });
		expect(await streamed()).toContain('data: {"type":"text-del\n\n');
	});

	it('can break after any byte', async () => {
		v2.service.faults.add({ fault: { kind: 'streamBreak', afterBytes: 20 } });
		await expect(streamed()).rejects.toThrow('terminated');
	});
});
