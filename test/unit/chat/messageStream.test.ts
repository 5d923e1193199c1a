import fc from 'fast-check';

import { StreamedFailure } from '../../../nodes/Chatbase/api/response';
import { messageIn } from '../../../nodes/Chatbase/resources/chat/message';
import { MessageStream } from '../../../nodes/Chatbase/resources/chat/messageStream';
import { unicodeText } from '../unicode';
import { anyPlaces, cut, everyPlace, streamOf } from './bodies';

interface Event {
	type: string;
	[field: string]: unknown;
}

/** Reads an answer, and what was passed on of it. */
async function read(chunks: Uint8Array[]) {
	const pieces: string[] = [];
	const answer = new MessageStream(async (type, content) => {
		if (type === 'item') pieces.push(content!);
	});
	const reading = answer.read(streamOf(chunks).stream, 'text/event-stream');
	const [result] = await Promise.allSettled([reading]);
	return { answer, result, message: valueOf(result), pieces, passed: pieces.join('') };
}

const valueOf = (result: PromiseSettledResult<unknown>) =>
	result.status === 'fulfilled' ? messageIn(result.value) : undefined;

const readWhole = async (body: string) => await read([Buffer.from(body)]);

const start = { type: 'start', messageId: 'm' };
const delta = (text: string, id = 't') => ({ type: 'text-delta', id, delta: text });
const ids = { messageId: 'm', conversationId: 'c', usage: { credits: 1.5 } };
const finish = { type: 'finish', finishReason: 'stop', messageMetadata: ids };
const done = 'data: [DONE]\n\n';

const framings: Record<string, (events: Event[]) => string> = {
	'lines of data': (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
	'an event line before the data': (events) =>
		events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
	'the type in the event line only': (events) =>
		events.map(({ type, ...rest }) => `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`).join(''),
	'a JSON object a line': (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
	'carriage returns': (events) =>
		events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''),
};
const framingNames = fc.constantFrom(...Object.keys(framings));
const asData = framings['lines of data'];

/** All that a stream says besides the text, in each form that the documents of the service show. */
const forms: Record<string, { first: Event[]; last: Event[] }> = {
	'metadata in the finish event': { first: [start], last: [finish] },
	'metadata in an event of its own': {
		first: [{ type: 'message-start', messageId: 'm' }],
		last: [
			{
				type: 'message-metadata',
				messageMetadata: { ...ids, messageId: undefined, finishReason: 'stop' },
			},
			{ type: 'finish' },
		],
	},
	'flat metadata': {
		first: [{ type: 'message-start' }],
		last: [{ type: 'message-metadata', ...ids, finishReason: 'stop' }, { type: 'finish' }],
	},
	'metadata under another name': {
		first: [],
		last: [{ type: 'finish', metadata: { ...ids, finishReason: 'stop' } }],
	},
	'metadata behind the finish event': {
		first: [start],
		last: [
			{ type: 'finish', finishReason: 'stop' },
			{ type: 'message-metadata', messageMetadata: ids },
		],
	},
	'null beside a value': {
		first: [start],
		last: [{ ...finish, conversationId: null, messageMetadata: { ...ids, userId: null } }],
	},
};

describe('a streamed message', () => {
	it('is the text, its parts and what the service says of it', async () => {
		const body =
			asData([
				start,
				{ type: 'start-step' },
				{ type: 'text-start', id: 't' },
				delta('Quantum computing '),
				delta('is …'),
				{ type: 'text-end', id: 't' },
				{ type: 'finish-step' },
				finish,
			]) + done;
		const { result, pieces } = await readWhole(body);
		expect(result).toEqual({
			status: 'fulfilled',
			value: {
				data: {
					id: 'm',
					parts: [{ type: 'text', text: 'Quantum computing is …' }],
					metadata: { ...ids, finishReason: 'stop' },
				},
			},
		});
		expect(pieces).toEqual(['Quantum computing ', 'is …']);
	});

	it("is read as the service's own client reads it", async () => {
		const body = `${asData([
			{ type: 'text-delta', delta: 'Hel' },
			{ type: 'text-delta', delta: 'lo' },
			{
				type: 'message-metadata',
				messageMetadata: { conversationId: 'c_9', finishReason: 'stop' },
			},
		])}${done}`;
		expect((await readWhole(body)).message).toMatchObject({
			text: 'Hello',
			metadata: { conversationId: 'c_9', finishReason: 'stop' },
		});
	});

	it('is the same in every framing and form, wherever it is cut', async () => {
		const texts = fc.array(unicodeText, { minLength: 1, maxLength: 6 });
		const form = fc.constantFrom(...Object.values(forms));
		await fc.assert(
			fc.asyncProperty(
				texts,
				framingNames,
				form,
				fc.boolean(),
				anyPlaces,
				async (pieces, framing, { first, last }, isOlder, places) => {
					const deltas = pieces.map((text) =>
						isOlder ? { type: 'text-delta', text } : delta(text),
					);
					const body = framings[framing]([...first, ...deltas, ...last]) + done;
					const { message, passed } = await read(cut(body, places));
					expect(passed).toBe(pieces.join(''));
					expect(message?.text).toBe(passed);
					expect(message?.metadata).toMatchObject({ ...ids, finishReason: 'stop' });
					expect(message?.id).toBe('m');
				},
			),
		);
	});

	it('is never taken for whole if it is cut off before its end', async () => {
		const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(texts, framingNames, fc.nat(), async (pieces, framing, place) => {
				const events = [start, ...pieces.map((text) => delta(text))];
				const [body, end] = [framings[framing](events), framings[framing]([finish])];
				// A JSON object that has arrived as a whole needs no line break behind it.
				const whole = Buffer.from(body + end.trimEnd());
				const { message, result } = await read([whole.subarray(0, place % whole.length)]);
				expect({ message, result }).toEqual({ message: undefined, result });
				expect((await read([whole])).message?.text).toBe(pieces.join(''));
			}),
		);
	});

	it.each(Object.keys(framings))(
		'is whole up to each byte that is missing: %s',
		async (framing) => {
			const whole = Buffer.from(framings[framing]([start, delta('Grüße 🦊'), finish]).trimEnd());
			for (let length = 0; length < whole.length; length++) {
				expect((await read([whole.subarray(0, length)])).message).toBeUndefined();
			}
			expect((await read([whole])).message?.text).toBe('Grüße 🦊');
		},
	);

	it('is cut off without a finish event and [DONE]', async () => {
		const { result, answer } = await readWhole(asData([start, delta('Hi')]));
		expect(result).toMatchObject({ reason: { code: 'ERR_STREAM_PREMATURE_CLOSE' } });
		expect(answer.arrived).toBe('Hi');
	});

	it('joins its texts without a separator, and keeps blocks and tools apart', async () => {
		const call = { toolCallId: '1', toolName: 'lookupOrder' };
		const { message, passed } = await readWhole(
			asData([
				{ type: 'text-start', id: 'a' },
				delta('One.', 'a'),
				{ type: 'text-end', id: 'a' },
				{ type: 'text-start', id: 'a' },
				delta('Two.', 'a'),
				delta(' Three.', 'b'),
				{ type: 'tool-input-start', ...call },
				{ type: 'tool-input-delta', toolCallId: '1', inputTextDelta: '{"ord' },
				{ type: 'tool-input-available', ...call, input: { order: 7 } },
				{ type: 'tool-output-available', toolCallId: '1', output: { status: 'sent' } },
				{ type: 'tool-input-start', toolCallId: '2', toolName: 'refund' },
				{ type: 'tool-output-error', toolCallId: '2', errorText: 'Too late' },
				delta(' Four.', 'b'),
				finish,
			]),
		);
		expect(passed).toBe('One.Two. Three. Four.');
		expect(message?.text).toBe(passed);
		expect(message?.parts).toEqual([
			{ type: 'text', text: 'One.' },
			{ type: 'text', text: 'Two.' },
			{ type: 'text', text: ' Three.' },
			{ type: 'tool-call', ...call, input: { order: 7 } },
			{ type: 'tool-result', ...call, output: { status: 'sent' } },
			{ type: 'tool-call', toolCallId: '2', toolName: 'refund' },
			{ type: 'tool-result', toolCallId: '2', toolName: 'refund', errorText: 'Too late' },
			{ type: 'text', text: ' Four.' },
		]);
	});

	it('leaves out events of other types', async () => {
		const { message } = await readWhole(
			asData([
				{ type: 'reasoning-delta', id: 'r', delta: 'Hm' },
				{ type: 'source-url', url: 'https://example.com' },
				{ type: 'data-anything', data: 1 },
				{ type: 'constructor' },
				{ type: 'file', text: 'no text' },
				delta('Hi'),
				finish,
			]) + 'event: ping\ndata:\n\n',
		);
		expect(message).toMatchObject({ text: 'Hi', parts: [{ text: 'Hi' }] });
	});

	it.each([
		'\n\n',
		' ',
		'\r\n \r\n',
		': wait\n\n',
		':\r\n',
		'id: 1\n',
		'retry: 3000\n\n',
		'event: message\n',
	])('may begin with %j', async (first) => {
		const body = first + asData([start, delta('Hi'), finish]);
		for (const places of [[], everyPlace(body)]) {
			expect((await read(cut(body, places))).message?.text).toBe('Hi');
		}
	});

	it('may have no text', async () => {
		expect((await readWhole(asData([finish]))).message).toMatchObject({ text: '', parts: [] });
		expect((await readWhole(done)).message).toMatchObject({ text: '', parts: [] });
	});
});

describe('a failure in a stream', () => {
	const error = { code: 'CHAT_STREAMING_ERROR', message: 'Model is down' };

	it.each([
		['errorText', { type: 'error', errorText: error.message }, { message: error.message }],
		['an object', { type: 'error', error }, error],
		['no type', { error }, error],
		['nothing', { type: 'error' }, { message: '{"type":"error"}' }],
		['an abort', { type: 'abort', reason: 'Too long' }, { message: 'Too long' }],
		['an abort without a reason', { type: 'abort' }, { message: '{"type":"abort"}' }],
	])('ends it: %s', async (_, event, body) => {
		for (const before of [[start], [start, delta('Hi')], [start, delta('Hi'), finish]]) {
			const stream = asData([...before, event as Event, finish]) + done;
			for (const places of [[], everyPlace(stream)]) {
				const { result, answer, passed } = await read(cut(stream, places));
				expect(result).toMatchObject({ status: 'rejected', reason: { body: { error: body } } });
				expect((result as PromiseRejectedResult).reason).toBeInstanceOf(StreamedFailure);
				expect(answer.arrived).toBe(before.length > 1 ? 'Hi' : '');
				expect(passed).toBe(answer.arrived);
			}
		}
	});

	it('may be told by the event line', async () => {
		for (const data of ['data: Out of credits\n', 'data: {"message":"Out of credits"}\n']) {
			const { result } = await readWhole(`event: error\n${data}\n${done}`);
			expect(result).toMatchObject({ reason: { body: { error: { message: 'Out of credits' } } } });
		}
	});
});

describe('an event that cannot be read', () => {
	const unreadable = [
		'data: {"type":"text-delta","delta":"lo\n\n',
		'data: lo\n\n',
		'data: "lo"\n\n',
		'event: text-delta\ndata: {"delta":"lo\n\n',
		'data: {"type":"text-delta"}\n\n',
		'data: {"type":"text-delta","delta":7}\n\n',
	];

	it.each(unreadable)('is left out of an answer, and counted: %j', async (event) => {
		const body = asData([start, delta('Hel')]) + event + asData([delta('p'), finish]) + done;
		const { message, answer } = await readWhole(body);
		expect(message).toMatchObject({ text: 'Help', id: 'm' });
		expect(answer.leftOut).toBe(1);
	});

	it.each(unreadable)('is what arrived if nothing else did: %j', async (event) => {
		const { result, message } = await readWhole(asData([start]) + event + asData([finish]));
		expect(message).toBeUndefined();
		expect(result).toMatchObject({ value: /data: (.*)/.exec(event)![1] });
	});
});

describe('the end of a stream', () => {
	const breakingAfter = (body: string) =>
		Object.assign(
			(async function* () {
				yield Buffer.from(body);
				throw new Error('broken');
			})(),
			{ restartTimeout: () => {} },
		);

	it('may break off behind the finish event', async () => {
		const body = asData([start, delta('Hi'), finish]);
		for (const rest of ['', 'data: [DO', 'data: {"type"']) {
			const answer = new MessageStream();
			const value = await answer.read(breakingAfter(body + rest), '');
			expect(messageIn(value)?.text).toBe('Hi');
		}
	});

	it('may not break off before it', async () => {
		const answer = new MessageStream();
		const reading = answer.read(breakingAfter(asData([start, delta('Hi')])), '');
		await expect(reading).rejects.toThrow('broken');
		expect(answer.arrived).toBe('Hi');
	});

	it('is [DONE], even if the connection stays open', async () => {
		const chunks = [Buffer.from(asData([delta('Hi'), finish]) + done + asData([delta('!')]))];
		const value = await new MessageStream().read(streamOf(chunks, true).stream, '');
		expect(messageIn(value)?.text).toBe('Hi');
	});

	it('is put off by whatever happens, and not by comments and blank lines', async () => {
		const restarts = async (body: string) => {
			const { stream, restarts: told } = streamOf(cut(body, everyPlace(body)));
			await new MessageStream().read(stream, '').catch(() => undefined);
			return told.count;
		};
		expect(await restarts(': still there\n\n\n\n: still there\n\n')).toBe(0);
		expect(await restarts('\n\n\n')).toBe(0);
		const thinking = asData([{ type: 'reasoning-delta', delta: 'Hm' }]);
		expect(await restarts(`${thinking}: still there\n\n${thinking}`)).toBe(2);
	});
});

describe('a body that is no stream', () => {
	const data = {
		id: 'm',
		role: 'assistant',
		parts: [{ type: 'text', text: 'Hel' }, { type: 'image' }, { type: 'text', text: 'lo' }],
		metadata: { conversationId: 'c' },
	};

	it.each([
		['in one line', JSON.stringify({ data })],
		['in several lines', JSON.stringify({ data }, undefined, '\t')],
		['with blank lines around it', `\n\r\n ${JSON.stringify({ data })}\n`],
	])('is the message that it holds: %s', async (_, body) => {
		for (const places of [[], everyPlace(body)]) {
			const { message, pieces } = await read(cut(body, places));
			expect(message).toEqual({ ...data, role: undefined, text: 'Hello' });
			// The operation passes it on as a whole.
			expect(pieces).toEqual([]);
		}
	});

	it.each([
		'',
		'<html>Sign in</html>',
		'{"data":{"parts":[{"type":"te',
		'{"data":{"parts":[{"type":"text"}]}}',
		'{"data":{"parts":["Hi"]}}',
		'{"data":{}}',
		'{"error":{"code":"X","message":"No"}}',
		'[1]',
		'null',
	])('is no message if it holds none, and returned as it came: %j', async (body) => {
		for (const places of [[], everyPlace(body)]) {
			const { message, result, passed } = await read(cut(body, places));
			expect(message).toBeUndefined();
			expect(passed).toBe('');
			const { value } = result as PromiseFulfilledResult<unknown>;
			expect(typeof value === 'string' ? value : JSON.stringify(value)).toBe(body);
		}
	});
});
