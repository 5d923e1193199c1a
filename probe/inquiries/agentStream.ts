/** The events of a streamed answer of version 2. */
import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import type { Session } from '../session';
import { firstOf, isObject, objectOf, jsonOf, type JsonObject } from '../shapes';

/** An event: its JSON; undefined if it is none. */
type StreamEvent = JsonObject | undefined;

const plainTypes =
	/^(start|message-start|(start|finish)-step|text-(start|delta|end)|finish|message-metadata)$/;

/** What came in the stream, without `[DONE]`. */
export function eventsIn(text: string): StreamEvent[] {
	const isBare = text.trimStart().startsWith('{');
	const blocks = text.split(isBare ? /\r\n|\n|\r/ : /(?:\r\n|\n|\r){2}/);
	return blocks
		.map((block) => block.split(/\r\n|\n|\r/))
		.map((lines) => ({
			type: fieldsIn(lines, 'event').join(''),
			data: isBare ? lines.join('') : fieldsIn(lines, 'data').join('\n'),
		}))
		.filter(({ data }) => data !== '' && data !== '[DONE]')
		.map(({ type, data }) => eventIn(data, type));
}

function fieldsIn(lines: string[], name: string): string[] {
	return lines
		.filter((line) => line.startsWith(`${name}:`))
		.map((line) => line.slice(name.length + 1).trim());
}

function eventIn(data: string, type: string): StreamEvent {
	const value = jsonOf(data);
	return isObject(value) ? { ...(type !== '' && { type }), ...value } : undefined;
}

/** The places where an answer's metadata can stand. */
function metadataPlaces(events: StreamEvent[]) {
	const finish = events.find((event) => event?.type === 'finish');
	const own = events.find((event) => event?.type === 'message-metadata');
	return {
		finish: finish?.messageMetadata,
		'finish.metadata': finish?.metadata,
		'message-metadata': own?.messageMetadata,
		flat: own && 'conversationId' in own ? own : undefined,
	};
}

export function metadataIn(events: StreamEvent[]): JsonObject {
	return objectOf(Object.values(metadataPlaces(events)).find(isObject));
}

export function lookAtEvents({ findings }: Session, { text, isComplete }: ServiceResponse): void {
	const events = eventsIn(text);
	const otherwise = text === '' ? 'the answer was empty' : differs('another framing');
	findings.set('v2StreamFraming', framingOf(text), otherwise);
	const types = events.map((event) => event?.type);
	const broken = events.indexOf(undefined);
	const isCut = broken >= 0 && broken === events.length - 1;
	const hasOther = types.some((type) => type !== undefined && !plainTypes.test(String(type)));
	const extras = hasOther ? 'events' : 'none';
	findings.set('v2StreamExtras', broken >= 0 && !isCut ? 'brokenJson' : extras);
	if (types.includes('error') || types.includes('abort')) {
		return findings.leave('the answer failed', 'v2StreamEnd');
	}

	const finish = events.find((event) => event?.type === 'finish');
	const end = firstOf([
		['broken', !isComplete],
		['cut', isCut],
		['done', /\[DONE\]\s*$/.test(text)],
		['finish', finish !== undefined],
	]);
	findings.set('v2StreamEnd', end ?? 'unfinished');
}

/** Undefined for a framing that no document shows, such as one with comments. */
function framingOf(text: string) {
	if (text.trimStart().startsWith('{')) return 'jsonLines';

	const lines = text.split('\n');
	if (!lines.every((line) => /^$|^(data|event): /.test(line))) return undefined;

	const isNamed = lines.some((line) => line.startsWith('event:'));
	const isTyped = fieldsIn(lines, 'data').some((data) => eventIn(data, '')?.type !== undefined);
	return firstOf([
		['typeInEvent', isNamed && !isTyped],
		['eventAndData', isNamed],
		['dataLines', lines.some((line) => line.startsWith('data: '))],
	]);
}
