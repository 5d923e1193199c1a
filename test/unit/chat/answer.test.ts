import fc from 'fast-check';

import { StreamedFailure } from '../../../nodes/Chatbase/api/response';
import { TextStream } from '../../../nodes/Chatbase/resources/chat/textStream';
import { unicodeText } from '../unicode';
import { anyPlaces, cut, everyPlace, streamOf } from './bodies';

/** Reads an answer, and what was passed on of it. */
async function read(chunks: Uint8Array[], contentType: string, isEndless = false) {
	const pieces: string[] = [];
	const answer = new TextStream(async (type, content) => {
		if (type === 'item') pieces.push(content!);
	});
	const body = await answer.read(streamOf(chunks, isEndless).stream, contentType);
	return { body, pieces, passed: pieces.join('') };
}

const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const readWhole = async (body: string, contentType: string) => await read(bytes(body), contentType);

/** Text of all characters that Unicode has, half ones left out, which UTF-8 cannot carry. */
const anyText = fc.oneof(
	unicodeText,
	fc.string({ unit: 'grapheme' }),
	fc.string({
		unit: fc.constantFrom('\r', '\n', ' ', 'data:', '"', '🦊', 'é', '\uFEFF', '\u2028'),
	}),
);

const event = (piece: string) =>
	piece
		.split(/\r\n|\r|\n/)
		.map((line) => `data: ${line}\n`)
		.join('') + '\n';
const done = 'data: [DONE]\n\n';

/** The byte order mark of UTF-8. */
const mark = '\uFEFF';
const withoutMark = (text: string) => (text.startsWith(mark) ? text.slice(1) : text);
const events = 'text/event-stream; charset=utf-8';

describe('an answer as plain text', () => {
	it('is the same text in any splitting', async () => {
		const bareText = anyText.filter((text) => !text.trimStart().startsWith('data:'));
		await fc.assert(
			fc.asyncProperty(bareText, anyPlaces, async (text, places) => {
				const answer = withoutMark(text);
				const { body, passed } = await read(cut(text, places), 'text/plain; charset=utf-8');
				expect(passed).toBe(answer);
				expect(body).toEqual(answer === '' ? undefined : { text: answer });
			}),
		);
	});

	it('keeps a byte order mark that follows a first character in two pieces', async () => {
		const text = `é${mark}!`;
		expect((await read(cut(text, [1]), '')).passed).toBe(text);
	});

	it('is passed on as soon as its characters are complete', async () => {
		const fox = Buffer.from('🦊');
		const chunks = [Buffer.from('Hi '), fox.subarray(0, 3), fox.subarray(3), Buffer.from('!')];
		expect((await read(chunks, '')).pieces).toEqual(['Hi ', '🦊', '!']);
	});

	it.each(['d', 'data', ' dat', '\n'])('is kept when it is only %j', async (body) => {
		expect((await readWhole(body, 'text/plain')).body).toEqual({ text: body });
	});

	it('loses only the byte order mark at its start', async () => {
		const body = `${mark}Hi ${mark}!`;
		for (const places of [[], everyPlace(body)]) {
			expect((await read(cut(body, places), 'text/plain')).passed).toBe(`Hi ${mark}!`);
		}
	});

	it.each(['', 'application/octet-stream', 'text/html'])(
		'is read with the content type %j',
		async (contentType) => {
			const pieces = ['Identity: ', 'one'];
			expect((await read(bytes(...pieces), contentType)).pieces).toEqual(pieces);
		},
	);

	it('is plain text when the content type says so', async () => {
		for (const body of ['{"text":"Hi"}', '<!DOCTYPE html>']) {
			expect((await readWhole(body, 'text/plain')).body).toEqual({ text: body });
		}
	});

	it('shows invalid bytes as replacement characters', async () => {
		const { pieces } = await read([Buffer.from([0x41, 0xff, 0x42, 0xf0])], '');
		expect(pieces).toEqual(['A\uFFFDB', '\uFFFD']);
	});
});

describe('an answer as events', () => {
	const pieces = fc.array(
		anyText.map((text) => text.replaceAll('\r', '')).filter((text) => text.trim() !== '[DONE]'),
		{ minLength: 1, maxLength: 8 },
	);
	const types = fc.constantFrom(events, 'text/plain', 'application/json', '');

	it('is the same text in any splitting, and ends with [DONE]', async () => {
		await fc.assert(
			fc.asyncProperty(pieces, anyPlaces, types, async (texts, places, type) => {
				const chunks = cut(texts.map(event).join('') + done, places);
				const { body, passed } = await read(chunks, type, true);
				expect(body).toEqual({ text: texts.join('') });
				expect(passed).toBe(texts.join(''));
			}),
		);
	});

	it.each(['\n', '\r\n'])('ends its lines with %j', async (lineBreak) => {
		const body = `${event('one\ntwo ')}${event('three')}${done}`.replaceAll('\n', lineBreak);
		for (const places of [[], everyPlace(body)]) {
			expect((await read(cut(body, places), events)).passed).toBe('one\ntwo three');
		}
	});

	it('is passed on event by event', async () => {
		const chunks = bytes(event('Hello '), 'data: wor', 'ld\n\nda', 'ta: !\n\n');
		expect((await read(chunks, events)).pieces).toEqual(['Hello ', 'world', '!']);
	});

	it.each([
		['a byte order mark', '\uFEFFdata: one\n\n', 'one'],
		['blank lines before the first', '\n\ndata: one\n\n', 'one'],
		['no blank line at the end', 'data: one\n\ndata: two', 'onetwo'],
		['something after the end', 'data: one\n\ndata: [DONE]\n\ndata: two\n\n', 'one'],
		['quotes', 'data: "one"\n\ndata: "two"\n\n', '"one""two"'],
	])('may have %s', async (_, body, text) => {
		for (const places of [[], everyPlace(body)]) {
			expect((await read(cut(body, places), events)).body).toEqual({ text });
		}
	});

	it('may be empty when the service has ended it', async () => {
		expect((await readWhole(done, events)).body).toEqual({ text: '' });
	});

	it.each([': wait\n\n', 'id: 1\n', 'retry: 3000\n\n', 'event: message\n', 'id\n'])(
		'may begin with %j',
		async (first) => {
			const body = `${first}data: one\n\n${done}`;
			for (const places of [[], everyPlace(body)]) {
				expect((await read(cut(body, places), events)).body).toEqual({ text: 'one' });
			}
		},
	);

	it('is a failure when an event has another name than message', async () => {
		const failing = `data: one\n\nevent: error\ndata: Out of credits\n\n${done}`;
		const body = { message: 'Out of credits' };
		for (const places of [[], everyPlace(failing)]) {
			const answer = new TextStream();
			const reading = answer.read(streamOf(cut(failing, places)).stream, events);
			await expect(reading).rejects.toEqual(new StreamedFailure(body));
			await expect(reading).rejects.toMatchObject({ body });
			expect(answer.arrived).toBe('one');
		}
	});

	it('restarts the timeout only for lines of data', async () => {
		const restarts = async (body: string) => {
			const { stream, restarts: told } = streamOf(cut(body, everyPlace(body)));
			await new TextStream().read(stream, events);
			return told.count;
		};
		expect(await restarts(': still there\n\n\n\n: still there\n\n')).toBe(0);
		expect(await restarts('data: a\n\n: still there\n\ndata: b\n\n')).toBe(2);
	});
});

describe('a body that is not a stream', () => {
	it.each(['application/json', 'application/octet-stream', 'text/html', events, ''])(
		'has the answer when it is the object of the API, under %j',
		async (contentType) => {
			const body = ' {"text":"Hi","credits":1}\n';
			for (const places of [[], everyPlace(body)]) {
				const answer = await read(cut(body, places), contentType);
				expect(answer).toEqual({ body: { text: 'Hi', credits: 1 }, pieces: ['Hi'], passed: 'Hi' });
			}
		},
	);

	it.each([
		['application/json', '{"text":"Hel'],
		['application/json', 'Hi'],
		['text/html', '<!DOCTYPE html>'],
		['application/octet-stream', '\n <html>'],
		[events, 'Hi'],
	])('is returned unchanged when it has none: %s, %j', async (contentType, body) => {
		expect(await readWhole(body, contentType)).toEqual({ body, pieces: [], passed: '' });
	});
});

describe('when a stream breaks', () => {
	it.each([
		['text/plain', 'da', 'da'],
		['text/plain', 'one', 'one'],
		['application/json', '{"text":"Hel', '{"text":"Hel'],
		[events, 'data: one\n\ndata: two\ndata: thr', 'onetwo\nthr'],
		[events, 'data: one\n\neve', 'one'],
	])('the arrived text is known: %s, %j', async (contentType, body, arrived) => {
		const broken = Object.assign(
			(async function* () {
				yield Buffer.from(body);
				throw new Error('broken');
			})(),
			{ restartTimeout: () => {} },
		);
		const answer = new TextStream();
		await expect(answer.read(broken, contentType)).rejects.toThrow('broken');
		expect(answer.arrived).toBe(arrived);
	});
});
