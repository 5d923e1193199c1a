import type { ResponseStream } from '../../api/response';
import { parseBody, StreamedFailure } from '../../api/response';
import type { ChunkSender } from '../../execution/item';
import { isObject } from '../../values/object';

/** Reads an answer while it arrives, and streams it to the caller of the workflow. */
export class AnswerStream {
	private text = '';

	/**
	 * The format of the body. The contract leaves it open. Public pages name plain text, and server-sent events that have
	 * only data and end with `[DONE]`. Anything else is read as a whole.
	 */
	private framing?: 'text' | 'events' | 'whole';

	/** What can't be streamed yet: a start that doesn't show the format, part of a line, or part of a whole body. */
	private waiting = '';

	/** The lines of data of the event that is arriving. */
	private data: string[] = [];

	private eventType = '';

	/** Whether the service has said that the answer is complete. */
	private hasEnded = false;

	/** @param sendChunk streams a piece; undefined if the workflow does not stream */
	constructor(private sendChunk?: ChunkSender) {}

	/** The text so far, of the answer or of another response. */
	get arrived(): string {
		if (this.framing === undefined) return this.waiting.trim();
		if (this.framing !== 'events') return this.text + this.waiting;
		const line = /^data: ?(.*)/s.exec(this.waiting)?.slice(1) ?? [];
		return this.text + [...this.data, ...line].join('\n');
	}

	/**
	 * Reads the answer to its end.
	 *
	 * @returns the body of the same response without streaming; text if it has no answer; undefined if it is empty
	 * @throws StreamedFailure if the service reports a failure in it
	 */
	async read(stream: ResponseStream, contentType: string): Promise<unknown> {
		const utf8 = new TextDecoder();
		try {
			for await (const bytes of stream) {
				const before = this.arrived.length;
				await this.take(utf8.decode(bytes, { stream: true }), contentType);
				if (this.arrived.length > before) stream.restartTimeout();
				if (this.hasEnded) break;
			}
			await this.take(utf8.decode(), contentType);
			return await this.finish();
		} finally {
			await this.end();
		}
	}

	async passWhole(text: string): Promise<void> {
		await this.pass(text);
		await this.end();
	}

	private async take(text: string, contentType: string) {
		this.waiting += text;
		if (!this.framing) {
			const start = this.waiting.trimStart();
			this.framing = framingOf(start, contentType);
			if (this.framing === 'events') this.waiting = start;
		}
		if (this.framing === 'text') await this.pass(this.takeWaiting());
		if (this.framing === 'events' && /[\r\n]/.test(text)) await this.readLines();
	}

	private takeWaiting(): string {
		const text = this.waiting;
		this.waiting = '';
		return text;
	}

	private async finish(): Promise<unknown> {
		if (this.framing === 'events') await this.take('\n\n', '');
		if (this.framing === 'whole') {
			const body = parseBody(this.waiting);
			if (!isObject(body)) return this.waiting;
			if (typeof body.text === 'string') await this.pass(body.text);
			return body;
		}
		await this.pass(this.takeWaiting());
		return this.text !== '' || this.hasEnded ? { text: this.text } : undefined;
	}

	private async readLines() {
		// A carriage return at the end may be the first half of a line break.
		const lines = this.takeWaiting().split(/\r\n|\n|\r(?!$)/);
		this.waiting = lines.pop()!;
		for (const line of lines) await this.readLine(line);
	}

	/** An empty line completes an event (HTML standard, 9.2.6). */
	private async readLine(line: string) {
		if (this.hasEnded) return;
		const [, field, value] = /^(\w*):? ?(.*)/s.exec(line)!;
		if (field === 'data') this.data.push(value);
		if (field === 'event') this.eventType = value;
		if (line !== '') return;
		const data = this.data.splice(0).join('\n');
		if (this.eventType === 'error') throw new StreamedFailure(failureIn(data));
		this.eventType = '';
		this.hasEnded = data.trim() === '[DONE]';
		if (!this.hasEnded) await this.pass(data);
	}

	private async pass(piece: string) {
		if (piece === '') return;
		if (this.text === '') await this.send('begin');
		this.text += piece;
		await this.send('item', piece);
	}

	private async end() {
		if (this.text !== '') await this.send('end');
	}

	/** The answer cost credits, so it is kept even if it can't be streamed. */
	private async send(...chunk: Parameters<ChunkSender>) {
		try {
			await this.sendChunk?.(...chunk);
		} catch {
			this.sendChunk = undefined;
		}
	}
}

/** @returns undefined if the start of the body doesn't show the format */
function framingOf(start: string, contentType: string) {
	if (start.startsWith('data:')) return 'events';
	if ('data:'.startsWith(start)) return undefined;
	if (/^text\/plain\b/i.test(contentType)) return 'text';
	if (/\bjson\b/i.test(contentType) || /^[{<]/.test(start)) return 'whole';
	if (!/^text\/event-stream\b/i.test(contentType)) return 'text';
	if (/^(event|id|retry)?:/.test(start)) return 'events';
	return /[:\r\n]/.test(start) ? 'text' : undefined;
}

/** The data of an error event, in the form of a failed response's body. */
function failureIn(data: string): unknown {
	const body = parseBody(data);
	return isObject(body) && typeof body.message === 'string' ? body : { message: data };
}
