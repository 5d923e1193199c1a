import fc from 'fast-check';

import { readWholeAnswer } from '../../../nodes/Chatbase/resources/chat/wholeAnswer';

const json = 'application/json';
const bytes = 'application/octet-stream';

it.each([
	[
		'the object that the API promises',
		'{"text":"Hi","credits":1}',
		json,
		{ text: 'Hi', credits: 1 },
	],
	['the object under another content type', ' {"text":"Hi"}\n', bytes, { text: 'Hi' }],
	['an object without text', '{"answer":"Hi"}', json, { answer: 'Hi' }],
	['a JSON string', '"Hi"', json, { text: 'Hi' }],
	['bare text', 'Hi', json, { text: 'Hi' }],
	['a number', '42', json, { text: '42' }],
	['quoted words', '"Hi" is what I say', json, { text: '"Hi" is what I say' }],
	['a link', '[Prices](https://example.com)', json, { text: '[Prices](https://example.com)' }],
	['code', '{ x = 1 }', bytes, { text: '{ x = 1 }' }],
	['a tag', '<3 <b>you</b>', bytes, { text: '<3 <b>you</b>' }],
])('finds the answer in %s', (_, body, contentType, answer) => {
	expect(readWholeAnswer(body, contentType)).toEqual(answer);
});

it.each([
	['half an object', '{"text":"Hel', json],
	['half a list', '[{"text":"Hel', json],
	['an open brace', '{', json],
	['a page', '<!DOCTYPE html><title>Sign in</title>', bytes],
	['a page behind blanks', '\n <html>', json],
	['part of a page', '<h1>502 Bad Gateway</h1>', 'text/html'],
])('finds none in %s', (_, body, contentType) => {
	expect(readWholeAnswer(body, contentType)).toBe(body);
});

it('loses no answer, however it is written as JSON', () => {
	fc.assert(
		fc.property(fc.string(), fc.constantFrom(json, bytes, 'text/html', ''), (text, contentType) => {
			expect(readWholeAnswer(JSON.stringify({ text }), contentType)).toEqual({ text });
			expect(readWholeAnswer(JSON.stringify(text), contentType)).toEqual({ text });
		}),
	);
});
