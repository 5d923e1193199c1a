import type { IDataObject } from 'n8n-workflow';

import { parseBody, StreamedFailure } from '../../api/response';
import { isObject } from '../../values/json';
import { textIn } from '../../values/text';
import { AnswerStream, eventLine, type Framing, isStartOfField } from './answerStream';

/** A part that a block of text fills. */
interface TextPart {
	block: unknown;
	part: { type: string; text: string };
}

type ToolPartType = 'tool-call' | 'tool-result';

const toolFields = ['toolName', 'input', 'output', 'errorText'];

const metadataFields = ['messageId', 'conversationId', 'userId', 'finishReason', 'usage'];

/** An answer of version 2. It is a message, in each form that documents and clients show (reference of version 2). */
export class MessageStream extends AnswerStream {
	private readonly parts: IDataObject[] = [];

	/** The parts of tools, by their type and the ID of the call. */
	private readonly toolParts = new Map<string, IDataObject>();

	/** The part to which the next piece of the same block is added. */
	private textPart?: TextPart;

	private readonly metadata: IDataObject = {};

	/** The first event that can't be read, and may have held text. */
	private unreadable?: string;

	get arrived(): string {
		return this.framing === 'events' ? this.text : this.waiting.trim();
	}

	protected framingOf(start: string): Framing | undefined {
		if (eventLine.test(start)) return 'events';
		if (isStartOfField(start)) return undefined;
		if (!start.startsWith('{')) return 'whole';

		const lineEnd = start.indexOf('\n');
		if (lineEnd < 0) return undefined;

		const event = parseBody(start.slice(0, lineEnd));
		const isEvent = isObject(event) && typeof event.type === 'string';
		return isEvent ? 'events' : 'whole';
	}

	/** Older documents show one JSON object on each line, without a field name. */
	protected override async readLine(line: string): Promise<void> {
		if (!line.startsWith('{')) return await super.readLine(line);

		await super.readLine(`data: ${line}`);
		await super.readLine('');
	}

	protected async readEvent(name: string, data: string): Promise<void> {
		if (data.trim() === '[DONE]') {
			this.isComplete = true;
			this.hasEnded = true;
			return;
		}

		// An event without data was cut off at its start.
		if (data.trim() === '' && name !== 'error') return;

		const body = parseBody(data);
		const event = isObject(body) ? body : { message: data };
		const type = eventTypeOf(event, name);
		if (type === 'error' || type === 'abort') throw new StreamedFailure(failureIn(event));

		if (isObject(body)) await this.addEvent(type, event, data);
		else this.leaveOut(data);
	}

	private async addEvent(type: string, event: IDataObject, data: string) {
		if (type === 'text-delta') return await this.addDelta(event, data);
		if (type.startsWith('text-')) return this.endText();
		if (type.startsWith('tool-')) return this.addTool(type, event);

		this.addMetadata(event);
		this.isComplete ||= type === 'finish';
	}

	/** The other events are still read, since the answer has cost credits. */
	private leaveOut(data: string) {
		this.unreadable ??= data;
		this.leftOut++;
	}

	protected async finish(): Promise<unknown> {
		await this.take('\n\n');

		const hasContent = this.parts.length > 0 || this.unreadable === undefined;
		if (this.isComplete && hasContent) return this.body;
		if (this.unreadable !== undefined) return this.unreadable;
		if (this.framing !== 'events') return parseBody(this.waiting.trim());

		const code = 'ERR_STREAM_PREMATURE_CLOSE';
		throw Object.assign(new Error('The stream was cut off'), { code });
	}

	/** The body that the response would have without streaming. */
	private get body(): IDataObject {
		const { parts, metadata } = this;
		return { data: { id: metadata.messageId, parts, metadata } };
	}

	private async addDelta(event: IDataObject, data: string) {
		const piece = event.delta ?? event.text;
		if (typeof piece !== 'string') return this.leaveOut(data);

		if (this.textPart?.block !== event.id) this.endText();
		this.textPart ??= this.beginText(event.id);
		this.textPart.part.text += piece;
		await this.pass(piece);
	}

	private beginText(block: unknown): TextPart {
		const part = { type: 'text', text: '' };
		this.parts.push(part);
		return { block, part };
	}

	private endText() {
		this.textPart = undefined;
	}

	private addMetadata(event: IDataObject) {
		const sources = [event.metadata, event.messageMetadata, event].filter(isObject);

		for (const source of sources) {
			for (const name of metadataFields)
				this.metadata[name] = source[name] ?? this.metadata[name];
		}
	}

	private addTool(eventType: string, event: IDataObject) {
		const type = eventType.startsWith('tool-input') ? 'tool-call' : 'tool-result';
		const { toolCallId } = event;
		const part = this.toolPart(type, toolCallId) ?? this.beginTool(type, toolCallId);

		for (const name of toolFields) {
			if (event[name] !== undefined) part[name] = event[name];
		}
	}

	private toolPart(type: ToolPartType, toolCallId: unknown): IDataObject | undefined {
		return this.toolParts.get(toolKey(type, toolCallId));
	}

	private beginTool(type: ToolPartType, toolCallId: IDataObject[string]): IDataObject {
		// Only the first event of a call may have the name of the tool.
		const toolName = this.toolPart('tool-call', toolCallId)?.toolName;
		const part = { type, toolCallId, toolName };

		this.toolParts.set(toolKey(type, toolCallId), part);
		this.parts.push(part);
		this.endText();
		return part;
	}
}

function toolKey(type: ToolPartType, toolCallId: unknown): string {
	return JSON.stringify([type, toolCallId]);
}

/** The type in the data of the event, or else the one in its line. An error may have neither. */
function eventTypeOf(event: IDataObject, name: string): string {
	const type = textIn(event.type) || name;
	if (type === '' && 'error' in event) return 'error';
	return type;
}

/** What an event says of a failure, as the body of a failed response says it. */
function failureIn(event: IDataObject): IDataObject {
	const { error, errorText, message, reason } = event;
	if (isObject(error)) return { error };

	const words = [errorText, message, reason].find((text) => typeof text === 'string');
	return { error: { message: words ?? JSON.stringify(event) } };
}
