import fc from 'fast-check';

import { AnswerDecoder } from '../../../nodes/Chatbase/resources/chat/answerDecoder';

/** Decodes a body that arrives in the given chunks. */
function decode(chunks: Uint8Array[], contentType: string) {
	const decoder = new AnswerDecoder(contentType);
	const pieces = chunks.map((chunk) => decoder.push(chunk));
	return { pieces: [...pieces, decoder.finish()], ended: decoder.ended };
}

function decodeWhole(body: string, contentType = 'text/plain') {
	return decode([Buffer.from(body)], contentType).pieces.join('');
}

/** Cuts a body into chunks at the given places, wherever characters end. */
function cut(body: string, places: number[]): Uint8Array[] {
	const bytes = Buffer.from(body);
	const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
		(one, other) => one - other,
	);
	return [...ends, bytes.length].map((end, index) =>
		bytes.subarray(index === 0 ? 0 : ends[index - 1], end),
	);
}

/** Text of all characters that Unicode has, half ones left out, which UTF-8 cannot carry. */
const anyText = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: fc.constantFrom('\r', '\n', ' ', 'data:', '"', '🦊', 'é', '\uFEFF') }),
);
const anyPlaces = fc.array(fc.nat({ max: 5000 }), { maxLength: 30 });
const everyPlace = (body: string) => Array.from(Buffer.from(body), (_, index) => index);

const event = (piece: string) =>
	piece
		.split(/\r\n|\r|\n/)
		.map((line) => `data: ${line}\n`)
		.join('') + '\n';

/** What UTF-8 has at the start of a file to say that it is UTF-8. */
const mark = '\uFEFF';
const withoutMark = (text: string) => (text.startsWith(mark) ? text.slice(1) : text);

const isJsonText = (piece: string) => {
	try {
		return typeof JSON.parse(piece) === 'string';
	} catch {
		return false;
	}
};

describe('an answer as bare text', () => {
	it('is the same text wherever it is cut', () => {
		const bareText = anyText.filter((text) => !text.trimStart().startsWith('data:'));
		fc.assert(
			fc.property(bareText, anyPlaces, (text, places) => {
				const { pieces, ended } = decode(cut(text, places), 'text/plain; charset=utf-8');
				expect(pieces.join('')).toBe(withoutMark(text));
				expect(ended).toBe(false);
			}),
		);
	});

	it('is passed on as soon as its characters are complete', () => {
		const fox = Buffer.from('🦊');
		const chunks = [Buffer.from('Hi '), fox.subarray(0, 3), fox.subarray(3), Buffer.from('!')];
		expect(decode(chunks, '').pieces).toEqual(['Hi ', '', '🦊', '!', '']);
	});

	it.each(['d', 'data', ' dat', '\n', ''])('keeps a body that never tells more: %j', (body) => {
		expect(decodeWhole(body)).toBe(body);
	});

	it('loses the byte order mark at its start, and no other', () => {
		const body = `${mark}Hi ${mark}!`;
		for (const places of [[], everyPlace(body)]) {
			expect(decode(cut(body, places), 'text/plain').pieces.join('')).toBe(`Hi ${mark}!`);
		}
	});

	it.each(['', 'application/octet-stream', 'text/html', 'text/event-stream'])(
		'is passed on piece by piece under the content type %j, too',
		(contentType) => {
			const pieces = ['Identity: ', 'one'];
			expect(
				decode(
					pieces.map((piece) => Buffer.from(piece)),
					contentType,
				).pieces,
			).toEqual([...pieces, '']);
		},
	);

	it('shows where bytes are no text', () => {
		expect(decode([Buffer.from([0x41, 0xff, 0x42, 0xf0])], '').pieces).toEqual([
			'A\uFFFDB',
			'\uFFFD',
		]);
	});
});

describe('an answer as events', () => {
	const pieces = fc.array(
		anyText.map((text) => text.replaceAll('\r', '')).filter((text) => text.trim() !== '[DONE]'),
		{ minLength: 1, maxLength: 8 },
	);
	const types = fc.constantFrom('text/event-stream; charset=utf-8', 'text/plain', '');

	it('is the same text wherever it is cut', () => {
		fc.assert(
			fc.property(pieces, anyPlaces, types, (texts, places, contentType) => {
				fc.pre(!isJsonText(texts[0]));
				const { pieces: read, ended } = decode(
					cut(texts.map(event).join('') + 'data: [DONE]\n\n', places),
					contentType,
				);
				expect(read.join('')).toBe(texts.join(''));
				expect(ended).toBe(true);
			}),
		);
	});

	it('is the same text when the events hold JSON, line breaks of every kind included', () => {
		fc.assert(
			fc.property(fc.array(anyText, { minLength: 1 }), anyPlaces, types, (texts, places, type) => {
				const body = texts.map((text) => `data: ${JSON.stringify(text)}\n\n`).join('');
				const { pieces: read } = decode(cut(`${body}data: [DONE]\n\n`, places), type);
				expect(read.join('')).toBe(texts.join(''));
			}),
		);
	});

	it.each(['\n', '\r\n', '\r'])('ends its lines with %j', (lineBreak) => {
		const body = `${event('one\ntwo ')}${event('three')}data: [DONE]\n\n`.replaceAll(
			'\n',
			lineBreak,
		);
		for (const places of [[], everyPlace(body)]) {
			expect(decode(cut(body, places), 'text/event-stream').pieces.join('')).toBe('one\ntwo three');
		}
	});

	it('is passed on event by event', () => {
		const chunks = [event('Hello '), 'data: wor', 'ld\n\nda', 'ta: !\n\n'].map((text) =>
			Buffer.from(text),
		);
		expect(decode(chunks, 'text/event-stream').pieces).toEqual(['Hello ', '', 'world', '!', '']);
	});

	it.each([
		['no space after the colon', 'data:one\n\ndata:two\n\n', 'onetwo'],
		['other fields and comments', ': hi\nevent: message\nid: 1\ndata: one\nretry: 5\n\n', 'one'],
		['a byte order mark', '\uFEFFdata: one\n\n', 'one'],
		['blank lines before the first', '\n\ndata: one\n\n', 'one'],
		['an empty line of data', 'data: one\ndata\n\n', 'one\n'],
		['no blank line at the end', 'data: one\n\ndata: two', 'onetwo'],
		['something after the end', 'data: one\n\ndata: [DONE]\n\ndata: two\n\n', 'one'],
		['nothing but the end', 'data: [DONE]\n\n', ''],
	])('may have %s', (_, body, text) => {
		expect(decodeWhole(body, 'text/event-stream')).toBe(text);
	});

	it.each(['application/json', 'text/html', 'application/octet-stream', ''])(
		'is recognised under the content type %j, too',
		(contentType) => {
			expect(decodeWhole(event('one') + event('two'), contentType)).toBe('onetwo');
		},
	);

	it.each(['event: message\ndata: one\n\n', ': hello\n\ndata: one\n\n', 'id: 1\ndata: one\n\n'])(
		'may begin with any line that events have: %j',
		(body) => {
			for (const places of [[], everyPlace(body)]) {
				expect(decode(cut(body, places), 'text/event-stream').pieces.join('')).toBe('one');
			}
		},
	);

	it('takes quotes for a part of the text unless the first event is a JSON string', () => {
		expect(decodeWhole(event('He said ') + event('"yes"'))).toBe('He said "yes"');
		expect(decodeWhole(event('"yes"') + event('"no"'))).toBe('yesno');
		expect(decodeWhole(event('"yes" he') + event('"'))).toBe('"yes" he"');
	});
});

describe('a body that is no stream of pieces', () => {
	it.each([
		['application/json; charset=utf-8', '{"text":"Hi"}'],
		['application/json', 'Hi'],
		['text/html', '<!DOCTYPE html>'],
		['application/octet-stream', ' {"text":"Hi"}'],
		['text/event-stream', '{"text":"Hi"}'],
	])('is collected: %s with %j', (contentType, body) => {
		const decoder = new AnswerDecoder(contentType);
		const pieces = cut(body, everyPlace(body)).map((bytes) => decoder.push(bytes));
		expect([...pieces, decoder.finish()].join('')).toBe('');
		expect(decoder.whole).toBe(body);
	});

	it('is text under the content type for text, whatever it looks like', () => {
		for (const body of ['{"text":"Hi"}', '<!DOCTYPE html>']) {
			expect(decodeWhole(body, 'text/plain')).toBe(body);
		}
	});
});

describe('what is not complete yet', () => {
	it.each([
		['text/plain', 'da', 'da'],
		['application/json', '{"text":"Hel', '{"text":"Hel'],
		['text/event-stream', 'data: one\n\ndata: two\ndata: thr', 'two\nthr'],
		['text/event-stream', 'data: one\n\neve', ''],
	])('can be told: %s with %j', (contentType, body, unfinished) => {
		const decoder = new AnswerDecoder(contentType);
		decoder.push(Buffer.from(body));
		expect(decoder.unfinished).toBe(unfinished);
	});
});
