import { parseBody, type ResponseStream, StreamedFailure } from '../../api/response';
import type { ChunkSender } from '../../execution/item';
import { isObject } from '../../values/json';

/** The format of a body; anything but plain text and events is read as a whole. */
export type Framing = 'text' | 'events' | 'whole';

/** A beginning that is longer shows its format, or it does so when its first line ends. */
const longestFieldName = 'event:'.length;

/** An answer on its way: read while it arrives, and passed on if the workflow streams its response. */
export abstract class AnswerStream {
	text = '';

	protected framing?: Framing;

	/** What can't be read yet: a beginning that doesn't tell the framing, part of a line or of a whole body. */
	protected waiting = '';

	/** How many characters have arrived since the first one that isn't blank. */
	private startLength = 0;

	/** The name of the event that is arriving; empty if it has none. */
	private type = '';

	/** The lines of data of the event that is arriving. */
	private data: string[] = [];

	/** Whether the service has said that the answer is complete. What breaks off after that is no loss. */
	protected isComplete = false;

	protected hasEnded = false;

	constructor(private sendChunk?: ChunkSender) {}

	/** What has arrived so far: text of the answer, or of whatever came in its place. */
	abstract get arrived(): string;

	/**
	 * Returns the body that the response would have without streaming; text if it holds no answer; undefined if it is
	 * empty. Throws StreamedFailure if the service reports a failure in it.
	 */
	readonly read = async (
		stream: ResponseStream,
		contentType: string,
	): Promise<unknown> => {
		try {
			await this.readAll(stream, contentType).catch((failure: unknown) => {
				if (!this.isComplete || failure instanceof StreamedFailure) throw failure;
			});
			return await this.finish();
		} finally {
			await this.end();
		}
	};

	async passWhole(text: string): Promise<void> {
		await this.pass(text);
		await this.end();
	}

	/** Undefined if the start of the body doesn't show its format. */
	protected abstract framingOf(start: string, contentType: string): Framing | undefined;

	protected abstract readEvent(type: string, data: string): Promise<void>;

	protected abstract finish(): Promise<unknown>;

	protected async take(text: string, contentType = '') {
		this.waiting += text;

		if (!this.framing && this.canShowFraming(text)) {
			const start = this.waiting.trimStart();
			this.framing = this.framingOf(start, contentType);
			if (this.framing === 'events') this.waiting = start;
		}

		if (this.framing === 'text') await this.pass(this.takeWaiting());
		if (this.framing === 'events' && /[\r\n]/.test(text)) await this.readLines();
	}

	/** Looking at all that waits after every piece would take the square of its length. */
	private canShowFraming(piece: string): boolean {
		const before = this.startLength;
		const added = before === 0 ? piece.trimStart() : piece;
		this.startLength += added.length;

		if (added === '') return false;
		return before <= longestFieldName || /[\r\n]/.test(added);
	}

	/** Finds the server-sent events (HTML standard, 9.2.6). */
	private async readLines() {
		// A carriage return at the very end may be the first half of a line break.
		const lines = this.waiting.split(/\r\n|\n|\r(?!$)/);
		this.waiting = lines.pop()!;
		for (const line of lines) await this.readLine(line);
	}

	private async readLine(line: string) {
		const [, field, value] = /^(\w*):? ?(.*)/s.exec(line)!;
		// Older documents show a JSON object a line, without a field.
		const isBare = line.startsWith('{');

		if (isBare) this.data.push(line);
		else if (field === 'data') this.data.push(value);
		else if (field === 'event') this.type = value;

		const isEnd = line === '' || isBare;
		const hasEvent = this.type !== '' || this.data.length > 0;
		if (!isEnd || !hasEvent) return;

		const { type, data } = this;
		this.type = '';
		this.data = [];
		if (!this.hasEnded) await this.readEvent(type, data.join('\n'));
	}

	/** The data of the event that is arriving. */
	protected get partialData(): string {
		const line = /^(?:data: ?|(?=\{))(.*)/s.exec(this.waiting)?.slice(1) ?? [];
		return [...this.data, ...line].join('\n');
	}

	protected takeWaiting(): string {
		const text = this.waiting;
		this.waiting = '';
		return text;
	}

	protected async pass(piece: string) {
		if (piece === '') return;
		if (this.text === '') await this.send('begin');
		this.text += piece;
		await this.send('item', piece);
	}

	private async readAll(stream: ResponseStream, contentType: string) {
		// The decoder of Node.js 26 would also drop a mark that follows a first character in two pieces.
		const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
		let isStart = true;
		let line = '';

		for await (const bytes of stream) {
			const decoded = utf8.decode(bytes, { stream: true });

			// A byte order mark at the very start is no part of the text.
			const text = isStart ? decoded.replace(/^\uFEFF/, '') : decoded;
			isStart &&= decoded === '';
			await this.take(text, contentType);

			// Proxies send comments and blank lines while a service is silent.
			line += text;
			const news = this.framing === 'events' ? /^[^:\s]/m : /\S/;
			if (news.test(line)) stream.restartTimeout();

			// A line is a comment by its first character.
			const lastLine = line.split(/[\r\n]/).pop()!;
			line = lastLine.slice(0, 1);

			if (this.hasEnded) return;
		}

		await this.take(utf8.decode(), contentType);
	}

	private async end() {
		if (this.text !== '') await this.send('end');
	}

	/** An answer that can't be passed on is no less an answer, and has been paid for. */
	private async send(...chunk: Parameters<ChunkSender>) {
		try {
			await this.sendChunk?.(...chunk);
		} catch {
			this.sendChunk = undefined;
		}
	}
}

/** How lines of server-sent events begin, apart from data (HTML standard, 9.2.6). The last one is a comment. */
const otherFields = ['event:', 'id:', 'retry:', ':'];

/** An answer of version 1, which is a text. */
export class TextStream extends AnswerStream {
	get arrived(): string {
		if (this.framing === undefined) return this.waiting.trim();
		return this.text + (this.framing === 'events' ? this.partialData : this.waiting);
	}

	/** The contract leaves the format open. Public pages name plain text, and events of data alone up to `[DONE]`. */
	protected framingOf(start: string, contentType: string): Framing | undefined {
		if (start.startsWith('data:')) return 'events';
		if ('data:'.startsWith(start)) return undefined;

		if (/^text\/plain\b/i.test(contentType)) return 'text';
		if (/\bjson\b/i.test(contentType) || /^[{<]/.test(start)) return 'whole';
		if (!/^text\/event-stream\b/i.test(contentType)) return 'text';

		if (otherFields.some((field) => start.startsWith(field))) return 'events';
		return otherFields.some((field) => field.startsWith(start)) ? undefined : 'text';
	}

	protected async readEvent(type: string, data: string) {
		if (type === 'error') throw new StreamedFailure(failureIn(data));
		this.hasEnded = data.trim() === '[DONE]';
		if (!this.hasEnded) await this.pass(data);
	}

	protected async finish(): Promise<unknown> {
		if (this.framing === 'events') await this.take('\n\n');

		if (this.framing === 'whole') {
			const body = parseBody(this.waiting);
			if (!isObject(body)) return this.waiting;
			if (typeof body.text === 'string') await this.pass(body.text);
			return body;
		}

		await this.pass(this.takeWaiting());
		return this.text !== '' || this.hasEnded ? { text: this.text } : undefined;
	}
}

/** The data of an error event, in the form of a failed response's body. */
function failureIn(data: string): unknown {
	const body = parseBody(data);
	return isObject(body) && typeof body.message === 'string' ? body : { message: data };
}
