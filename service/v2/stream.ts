/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** A streamed answer: its events, how they are framed, and how the network cuts them. Reference of version 2. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { BehaviourV2 } from './behaviour';
import type { ChatAnswer } from './chatAnswer';
import type { Part } from './state';

export type StreamEvent = { type: string } & Record<string, unknown>;

const failure = 'An error occurred while generating the response';

interface StreamForm {
	framing: 'dataLines' | 'eventAndData' | 'typeInEvent' | 'jsonLines';
	start?: 'start' | 'message-start';
	/** Whether the pieces of a text have its ID. */
	hasTextIds: boolean;
	piece: 'delta' | 'text';
	/** Where the metadata stands. */
	metadata: 'finish' | 'finish.metadata' | 'message-metadata' | 'flat';
	/** Whether the reason to end stands in the metadata, else in the event `finish`. */
	isReasonInside: boolean;
}

/** The forms that documents and the vendor's tests show. */
const forms: Record<BehaviourV2['streamForm'], StreamForm> = {
	newest: {
		framing: 'dataLines',
		start: 'start',
		hasTextIds: true,
		piece: 'delta',
		metadata: 'finish',
		isReasonInside: false,
	},
	specification: {
		framing: 'eventAndData',
		start: 'message-start',
		hasTextIds: true,
		piece: 'delta',
		metadata: 'flat',
		isReasonInside: true,
	},
	olderPage: {
		framing: 'jsonLines',
		start: 'start',
		hasTextIds: false,
		piece: 'delta',
		metadata: 'finish.metadata',
		isReasonInside: false,
	},
	clientTests: {
		framing: 'dataLines',
		hasTextIds: false,
		piece: 'delta',
		metadata: 'message-metadata',
		isReasonInside: true,
	},
	sdkTests: {
		framing: 'typeInEvent',
		start: 'start',
		hasTextIds: true,
		piece: 'text',
		metadata: 'finish',
		isReasonInside: false,
	},
};

/** The events of an answer, up to the one that ends it. */
export function eventsOf(answer: ChatAnswer, behaviour: BehaviourV2): StreamEvent[] {
	const { streamForm, streamError, streamExtras } = behaviour;
	const form = forms[streamForm];
	const start = form.start
		? [{ type: form.start, messageId: answer.id }, { type: 'start-step' }]
		: [];
	const content = answer.parts.flatMap((part, index) => eventsOfPart(part, index, form));
	const error =
		streamForm === 'olderPage'
			? { type: 'error', error: { code: 'CHAT_STREAMING_ERROR', message: failure } }
			: { type: 'error', errorText: failure };

	switch (streamError) {
		case 'beforeText':
			return [...start, error];
		case 'afterText':
			return [...start, ...content, error];
		case 'abort':
			return [...start, ...content, { type: 'abort', reason: 'The user stopped it' }];
		default:
			return [
				...start,
				...(streamExtras === 'events' ? extras : []),
				...content,
				{ type: 'finish-step' },
				...endOf(answer, form),
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

function eventsOfPart(part: Part, index: number, form: StreamForm): StreamEvent[] {
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

	const id = form.hasTextIds ? { id: `text_${index + 1}` } : {};
	const words = part.text.match(/\S+\s*|\s+/g) ?? [];
	return [
		{ type: 'text-start', ...id },
		...words.map((word) => ({
			type: 'text-delta',
			...id,
			[form.piece]: word,
		})),
		{ type: 'text-end', ...id },
	];
}

function endOf(answer: ChatAnswer, { metadata: place, isReasonInside }: StreamForm): StreamEvent[] {
	const { id: messageId, userMessageId, conversationId, userId, usage, finishReason } = answer;
	const known = { messageId, userMessageId, conversationId, userId, usage };
	const metadata = isReasonInside ? { ...known, finishReason } : known;
	const own = {
		'message-metadata': [{ type: 'message-metadata', messageMetadata: metadata }],
		flat: [{ type: 'message-metadata', ...metadata }],
		finish: [],
		'finish.metadata': [],
	}[place];

	return [
		...own,
		{
			type: 'finish',
			...(!isReasonInside && { finishReason }),
			...(place === 'finish' && { messageMetadata: metadata }),
			...(place === 'finish.metadata' && { metadata }),
		},
	];
}

/** The text of each event, and what ends the stream. */
export function framed(events: StreamEvent[], behaviour: BehaviourV2): string[] {
	const { streamForm, streamEnd, streamExtras } = behaviour;
	const { framing } = forms[streamForm];
	const frames = events.map((event) => frameOf(event, framing));
	const isBroken = streamExtras === 'brokenJson';
	if (isBroken) frames.splice(1, 0, frames[0].replace(/\{.*\}/s, '{"type":"text-del'));

	const end = frames.pop()!;
	if (streamEnd === 'unfinished') return frames;
	if (streamEnd === 'cut') return [...frames, end.slice(0, end.length / 2)];
	// No page shows how bare lines of JSON end, so the finish event ends them.
	if (streamEnd === 'finish' || framing === 'jsonLines') return [...frames, end];
	return [...frames, end, 'data: [DONE]\n\n'];
}

function frameOf(event: StreamEvent, framing: StreamForm['framing']): string {
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
