import fc from 'fast-check';

import { transcriptOf } from '../../../nodes/Chatbase/resources/conversation/transcript';

const at = (content: string, createdAt?: unknown) => ({ role: 'user', content, createdAt });

it('says who said what, in the order in which it was said', () => {
	const messages = [
		{ role: 'assistant', content: 'How can I help?', type: 'text' },
		{ role: 'user', content: 'Where is my parcel?\nI wait.' },
		{ role: 'assistant', content: 'On its way 🚚\n' },
	];
	expect(transcriptOf(messages, 'UTC')).toBe(
		'Assistant: How can I help?\nUser: Where is my parcel?\nI wait.\nAssistant: On its way 🚚',
	);
});

it.each([
	['text', '2026-07-01T23:30:05.123Z'],
	['text with an offset', '2026-07-02T01:30:05+02:00'],
	['seconds', 1_782_948_605],
	['milliseconds', 1_782_948_605_000],
])('says when, in the time zone of the workflow, from %s', (_, createdAt) => {
	expect(transcriptOf([at('Hi', createdAt)], 'Asia/Tokyo')).toBe('[2026-07-02 08:30:05] User: Hi');
	expect(transcriptOf([{ role: 'user', content: 'Hi', created_at: createdAt }], 'UTC')).toBe(
		'[2026-07-01 23:30:05] User: Hi',
	);
});

it('follows the times where all are known, and else the list', () => {
	const [early, late] = ['2026-07-01T08:00:00Z', '2026-07-01T09:00:00Z'];
	const words = (text: string) => text.split('\n').map((line) => line.split(': ')[1]);
	expect(words(transcriptOf([at('b', late), at('a', early)], 'UTC'))).toEqual(['a', 'b']);
	expect(words(transcriptOf([at('b', late), at('?'), at('a', early)], 'UTC'))).toEqual([
		'b',
		'?',
		'a',
	]);
});

it.each([
	[{ role: 'user' }, 'User: (no text)'],
	[{ role: 'user', content: null, type: 'text' }, 'User: (no text)'],
	[{ role: 'user', content: ' \n', type: '' }, 'User: (no text)'],
	[{ role: 'user', type: 'image' }, 'User: (image)'],
	[{ role: 'user', content: 42 }, 'User: 42'],
	[{ role: 'user', content: [{ text: 'Hi' }] }, 'User: [{"text":"Hi"}]'],
	[{ content: 'Hi' }, 'Unknown: Hi'],
	[{ role: ' ', content: 'Hi' }, 'Unknown: Hi'],
	[{ role: 7, content: 'Hi', createdAt: 'yesterday' }, 'Unknown: Hi'],
	[{ role: 'human agent', content: 'Hi' }, 'Human agent: Hi'],
])('keeps a message that is not complete: %j', (message, line) => {
	expect(transcriptOf([message], 'UTC')).toBe(line);
});

it.each([
	[[{ type: 'text', text: ' Hi ' }], 'Hi'],
	[
		[
			{ type: 'text', text: 'Hel' },
			{ type: 'text', text: 'lo' },
		],
		'Hello',
	],
	[
		[
			{ type: 'text', text: 'Let me look.' },
			{ type: 'tool-call', toolName: 'lookupOrder' },
			{ type: 'tool-result', toolName: 'lookupOrder' },
			{ type: 'text', text: 'Yes.' },
		],
		'Let me look.\nYes.',
	],
	[
		[{ type: 'tool-call', toolName: 'lookupOrder' }, { type: 'image' }],
		'(tool-call lookupOrder, image)',
	],
	[[{ type: 'text' }], '(text)'],
	[[{}, null, 'Hi'], '(no text)'],
	[[], '(no text)'],
])('reads the parts of a message of version 2: %j', (parts, words) => {
	expect(transcriptOf([{ role: 'user', parts }], 'UTC')).toBe(`User: ${words}`);
});

it.each([[undefined], [null], [[]], ['Hi'], [{ role: 'user', content: 'Hi' }], [[null, 'Hi', 1]]])(
	'is empty where there are no messages: %j',
	(messages) => {
		expect(transcriptOf(messages, 'UTC')).toBe('');
	},
);

it('loses no word of any message, and needs no form of it', () => {
	const message = fc.record(
		{
			role: fc.oneof(fc.constantFrom('user', 'assistant'), fc.jsonValue()),
			content: fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
			type: fc.jsonValue(),
			createdAt: fc.oneof(fc.jsonValue(), fc.integer(), fc.constant('2026-07-01T08:00:00Z')),
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(fc.array(fc.oneof(message, fc.jsonValue())), (messages) => {
			const transcript = transcriptOf(messages, 'Europe/Berlin');
			for (const one of messages) {
				const content = (one as { content?: unknown } | null)?.content;
				if (typeof content === 'string') expect(transcript).toContain(content.trim());
			}
		}),
	);
});
