/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** A streamed answer: its events, how they are framed, and how the network cuts them. Reference of version 2. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { BehaviourV2 } from './behaviour';
import type { ChatAnswer } from './chatAnswer';
import type { Part } from './state';

export type StreamEvent = { type: string } & Record<string, unknown>;

const failure = 'An error occurred while generating the response';

/** The events of an answer, up to the one that ends it. */
export function eventsOf(answer: ChatAnswer, behaviour: BehaviourV2): StreamEvent[] {
	const { streamStart, streamError, streamExtras } = behaviour;
	const start =
		streamStart === 'none'
			? []
			: [{ type: streamStart, messageId: answer.id }, { type: 'start-step' }];
	const content = answer.parts.flatMap((part, index) => eventsOfPart(part, index, behaviour));
	const error = { type: 'error', errorText: failure };

	switch (streamError) {
		case 'beforeText':
			return [...start, error];
		case 'afterText':
			return [...start, ...content, error];
		case 'oldForm':
			return [
				...start,
				...content,
				{ type: 'error', error: { code: 'CHAT_STREAMING_ERROR', message: failure } },
			];
		case 'abort':
			return [...start, ...content, { type: 'abort', reason: 'The user stopped it' }];
		default:
			return [
				...start,
				...(streamExtras === 'events' ? extras : []),
				...content,
				{ type: 'finish-step' },
				...endOf(answer, behaviour),
			];
	}
}

/** Events that a reader of text passes over. */
const extras: StreamEvent[] = [
	{ type: 'reasoning-start', id: 'reason_1' },
	{ type: 'reasoning-delta', id: 'reason_1', delta: 'The user greets me.' },
	{ type: 'reasoning-end', id: 'reason_1' },
	{ type: 'tool-input-start', toolCallId: 'call_0', toolName: 'search' },
	{ type: 'tool-input-available', toolCallId: 'call_0', toolName: 'search', input: {} },
	{ type: 'tool-output-available', toolCallId: 'call_0', output: { found: 3 } },
	{ type: 'source-url', sourceId: 's1', url: 'https://shop.example/faq' },
	{ type: 'data-weather', data: { text: 'sunny', delta: 'warm' } },
	{ type: 'some-new-event', text: 'not for you', delta: 'nor this' },
];

function eventsOfPart(part: Part, index: number, { streamText }: BehaviourV2): StreamEvent[] {
	if (part.type === 'tool-call') {
		const { toolCallId, toolName, input } = part;
		return [
			{ type: 'tool-input-start', toolCallId, toolName },
			{ type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(input) },
			{ type: 'tool-input-available', toolCallId, toolName, input },
		];
	}
	if (part.type === 'tool-result') {
		return [{ type: 'tool-output-available', toolCallId: part.toolCallId, output: part.output }];
	}

	const id = streamText === 'withoutId' ? {} : { id: `text_${index + 1}` };
	const words = part.text.match(/\S+\s*|\s+/g) ?? [];
	return [
		{ type: 'text-start', ...id },
		...words.map((word) => ({
			type: 'text-delta',
			...id,
			[streamText === 'text' ? 'text' : 'delta']: word,
		})),
		{ type: 'text-end', ...id },
	];
}

function endOf(
	answer: ChatAnswer,
	{ streamMetadata, streamFinishReason }: BehaviourV2,
): StreamEvent[] {
	const { id: messageId, userMessageId, conversationId, userId, usage, finishReason } = answer;
	const known = { messageId, userMessageId, conversationId, userId, usage };
	const metadata = streamFinishReason === 'inside' ? { ...known, finishReason } : known;
	const own = {
		'message-metadata': [{ type: 'message-metadata', messageMetadata: metadata }],
		flat: [{ type: 'message-metadata', ...metadata }],
		finish: [],
		'finish.metadata': [],
		none: [],
	}[streamMetadata];

	return [
		...own,
		{
			type: 'finish',
			...(streamFinishReason === 'top' && { finishReason }),
			...(streamMetadata === 'finish' && { messageMetadata: metadata }),
			...(streamMetadata === 'finish.metadata' && { metadata }),
		},
	];
}

/** The text of each event, and what ends the stream. */
export function framed(events: StreamEvent[], behaviour: BehaviourV2): string[] {
	const { streamFraming, streamEnd, streamExtras } = behaviour;
	const frames = events.map((event) => frameOf(event, streamFraming));
	const isBroken = streamExtras === 'brokenJson';
	if (isBroken) frames.splice(1, 0, frames[0].replace(/\{.*\}/s, '{"type":"text-del'));

	const end = frames.pop()!;
	if (streamEnd === 'unfinished') return frames;
	if (streamEnd === 'cut') return [...frames, end.slice(0, end.length / 2)];
	// No page shows how bare lines of JSON end, so the finish event ends them.
	if (streamEnd === 'finish' || streamFraming === 'jsonLines') return [...frames, end];
	return [...frames, end, 'data: [DONE]\n\n'];
}

function frameOf(event: StreamEvent, framing: BehaviourV2['streamFraming']): string {
	const json = JSON.stringify(event);
	const { type, ...untyped } = event;

	switch (framing) {
		case 'dataLines':
			return `data: ${json}\n\n`;
		case 'eventAndData':
			return `event: ${type}\ndata: ${json}\n\n`;
		case 'typeInEvent':
			return `event: ${type}\ndata: ${JSON.stringify(untyped)}\n\n`;
		case 'jsonLines':
			return `${json}\n`;
	}
}

/** The stream in the pieces in which it arrives. A turn of the event loop keeps them apart. */
export async function* chunksOf(
	frames: string[],
	{ streamChunks, streamEnd, streamSilenceMs }: BehaviourV2,
): AsyncGenerator<Buffer> {
	const pieces = streamChunks === 'whole' ? [frames.join('')] : frames;
	for (const [index, piece] of pieces.entries()) {
		if (streamEnd === 'silence' && index === Math.floor(pieces.length / 2)) {
			// A silence that nobody waits for any more keeps no process alive.
			await setTimeout(streamSilenceMs, undefined, { ref: false });
		}

		const bytes = Buffer.from(piece);
		let start = 0;
		for (let end = 1; end <= bytes.length; end++) {
			// Bytes 10xxxxxx continue a character.
			const isInside = (bytes[end] & 0xc0) === 0x80;
			const isCut = streamChunks === 'bytes' || (streamChunks === 'insideCharacters' && isInside);
			if (end < bytes.length && !isCut) continue;

			yield bytes.subarray(start, end);
			await setImmediate();
			start = end;
		}
	}
}
