import type { IDataObject } from 'n8n-workflow';

import { parseBody, StreamedFailure } from '../../api/response';
import { asObjects, isObject, textIn } from '../../values/json';
import { AnswerStream, type Framing } from './answerStream';

/** What a chatbot says (reference of version 2, 4). */
export interface Message {
	id?: IDataObject[string];
	/** Texts, tool calls and tool results, in their order. */
	parts: IDataObject[];
	/** The texts joined, as a stream has them. */
	text: string;
	metadata: IDataObject;
}

/** Undefined if the body of a response holds no message. */
export function messageIn(body: unknown): Message | undefined {
	const data = isObject(body) && isObject(body.data) ? body.data : {};
	const parts = asObjects(data.parts);
	const texts = parts?.filter(({ type }) => type === 'text').map(({ text }) => text);
	if (!parts || !texts?.every((text) => typeof text === 'string')) return undefined;
	const metadata = isObject(data.metadata) ? data.metadata : {};
	return { id: data.id, parts, text: texts.join(''), metadata };
}

const toolFields = ['toolName', 'input', 'output', 'errorText'];

const metadataFields = ['messageId', 'conversationId', 'userId', 'finishReason', 'usage'];

/** An answer of version 2, which is a message, in each form that documents and clients show (reference of version 2, 4.1). */
export class MessageStream extends AnswerStream {
	private readonly parts: IDataObject[] = [];

	/** The parts of tools, by their type and the ID of the call. */
	private readonly toolParts = new Map<string, IDataObject>();

	/** The part that the next piece of the same block belongs to. */
	private textPart?: { block: unknown; part: { type: string; text: string } };

	private readonly metadata: IDataObject = {};

	/** An event that can't be read, and may have held text. */
	private unreadable?: string;

	get arrived(): string {
		return this.framing === 'events' ? this.text : this.waiting.trim();
	}

	protected framingOf(start: string): Framing | undefined {
		if (/^(data|event|id|retry)?:/.test(start)) return 'events';
		if (/^\w{0,5}$/.test(start)) return undefined;
		if (!start.startsWith('{')) return 'whole';

		const [line, end] = start.split(/([\r\n])/, 2);
		if (end === undefined) return undefined;

		const event = parseBody(line);
		return isObject(event) && typeof event.type === 'string' ? 'events' : 'whole';
	}

	protected async readEvent(named: string, data: string) {
		if (data.trim() === '[DONE]') {
			this.isComplete = true;
			this.hasEnded = true;
		}
		if (this.hasEnded) return;
		// Without data, it is the beginning of an event that was cut off.
		if (data.trim() === '' && named !== 'error') return;

		const body = parseBody(data);
		const event = isObject(body) ? body : { message: data };
		const unnamed = 'error' in event ? 'error' : '';
		const type = textIn(event.type) || named || unnamed;
		if (type === 'error' || type === 'abort') throw new StreamedFailure(failureIn(event));

		const piece = type === 'text-delta' ? (event.delta ?? event.text) : '';
		if (isObject(body) && typeof piece === 'string') {
			await this.addEvent(type, event, piece);
		} else {
			this.unreadable = data;
			this.hasEnded = true;
		}
	}

	private async addEvent(type: string, event: IDataObject, piece: string) {
		if (type === 'text-delta') {
			await this.addText(event.id, piece);
		} else if (type.startsWith('text-')) {
			this.textPart = undefined;
		} else if (type.startsWith('tool-')) {
			this.addTool(type, event);
		} else {
			this.addMetadata(event);
			this.isComplete ||= type === 'finish';
		}
	}

	protected async finish(): Promise<unknown> {
		await this.take('\n\n');

		if (this.isComplete) {
			const { parts, metadata } = this;
			return { data: { id: metadata.messageId, parts, metadata } };
		}

		if (this.unreadable !== undefined) return this.unreadable;

		if (this.framing === 'events') {
			const code = 'ERR_STREAM_PREMATURE_CLOSE';
			throw Object.assign(new Error('The stream was cut off'), { code });
		}

		return parseBody(this.waiting.trim());
	}

	private async addText(block: unknown, piece: string) {
		if (this.textPart?.block !== block) this.textPart = undefined;

		if (!this.textPart) {
			this.textPart = { block, part: { type: 'text', text: '' } };
			this.parts.push(this.textPart.part);
		}

		this.textPart.part.text += piece;
		await this.pass(piece);
	}

	private addMetadata(event: IDataObject) {
		for (const source of [event.metadata, event.messageMetadata, event].filter(
			isObject,
		)) {
			for (const name of metadataFields)
				this.metadata[name] = source[name] ?? this.metadata[name];
		}
	}

	private addTool(event: string, { toolCallId, ...said }: IDataObject) {
		const type = event.startsWith('tool-input') ? 'tool-call' : 'tool-result';
		const keyOf = (part: string) => JSON.stringify([part, toolCallId]);
		let part = this.toolParts.get(keyOf(type));

		if (!part) {
			// Only the first event may have the name of the tool.
			const { toolName } = this.toolParts.get(keyOf('tool-call')) ?? {};
			part = { type, toolCallId, toolName };
			this.toolParts.set(keyOf(type), part);
			this.parts.push(part);
			this.textPart = undefined;
		}

		for (const name of toolFields) {
			if (said[name] !== undefined) part[name] = said[name];
		}
	}
}

/** What an event says of a failure, as the body of a failed response says it. */
function failureIn(event: IDataObject): IDataObject {
	const { error, errorText, message, reason, code } = event;
	if (isObject(error)) return { error };
	const words = [errorText, error, message, reason].find(
		(text) => typeof text === 'string',
	);
	return { error: { code, message: words ?? JSON.stringify(event) } };
}
