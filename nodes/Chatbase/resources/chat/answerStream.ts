import { type ResponseStream, StreamedFailure } from '../../api/response';
import type { ChunkSender } from '../../execution/item';

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
	private eventName = '';

	/** The lines of data of the event that is arriving. */
	private data: string[] = [];

	/** Whether the service has said that the answer is complete. What breaks off after that is no loss. */
	protected isComplete = false;

	protected hasEnded = false;

	constructor(private sendChunk?: ChunkSender) {}

	/** What has arrived so far: text of the answer, or of whatever came in its place. */
	abstract get arrived(): string;

	/** Undefined if the start of the body doesn't show its format. */
	protected abstract framingOf(start: string, contentType: string): Framing | undefined;

	protected abstract readEvent(name: string, data: string): Promise<void>;

	protected abstract finish(): Promise<unknown>;

	/**
	 * Returns the body that the response would have without streaming; text if it holds no answer; undefined if it is
	 * empty. Throws StreamedFailure if the service reports a failure in it.
	 */
	readonly read = async (
		stream: ResponseStream,
		contentType: string,
	): Promise<unknown> => {
		try {
			await this.readToEnd(stream, contentType);
			return await this.finish();
		} finally {
			await this.end();
		}
	};

	async passWhole(text: string): Promise<void> {
		await this.pass(text);
		await this.end();
	}

	private async readToEnd(stream: ResponseStream, contentType: string) {
		await this.readPieces(stream, contentType).catch((failure: unknown) => {
			const isLoss = !this.isComplete || failure instanceof StreamedFailure;
			if (isLoss) throw failure;
		});
	}

	private async readPieces(stream: ResponseStream, contentType: string) {
		for await (const piece of textOf(stream)) {
			const hasNews = await this.take(piece, contentType);
			if (this.hasEnded) return;
			if (hasNews) stream.restartTimeout();
		}
	}

	/** Returns whether the answer goes on. Proxies send blank lines and comments while a service is silent. */
	protected async take(piece: string, contentType = ''): Promise<boolean> {
		this.waiting += piece;
		if (!this.framing && this.canShowFraming(piece)) this.findFraming(contentType);

		if (this.framing === 'text') {
			await this.pass(this.takeWaiting());
			return /\S/.test(piece);
		}

		const hasLines = this.framing === 'events' && piece.includes('\n');
		return hasLines && (await this.readLines());
	}

	/** Looking at all that waits after every piece would take the square of its length. */
	private canShowFraming(piece: string): boolean {
		const before = this.startLength;
		const added = before === 0 ? piece.trimStart() : piece;
		this.startLength += added.length;

		if (added === '') return false;
		return before <= longestFieldName || added.includes('\n');
	}

	private findFraming(contentType: string) {
		const start = this.waiting.trimStart();
		this.framing = this.framingOf(start, contentType);
		if (this.framing === 'events') this.waiting = start;
	}

	private async readLines(): Promise<boolean> {
		const lines = this.waiting.split(/\r?\n/);
		this.waiting = lines.pop()!;

		for (const line of lines) await this.readLine(line);
		return lines.some((line) => line !== '' && !line.startsWith(':'));
	}

	/** A line of a server-sent event, or the blank one that ends it (HTML standard, 9.2.6). */
	protected async readLine(line: string): Promise<void> {
		if (line === '') return await this.endEvent();

		const [, field, value] = /^(\w*):? ?(.*)/s.exec(line)!;
		if (field === 'data') this.data.push(value);
		if (field === 'event') this.eventName = value;
	}

	private async endEvent() {
		const { eventName, data } = this;
		this.eventName = '';
		this.data = [];

		const isEmpty = eventName === '' && data.length === 0;
		if (isEmpty || this.hasEnded) return;
		await this.readEvent(eventName, data.join('\n'));
	}

	/** The data of the event that is arriving. */
	protected get partialData(): string {
		const line = /^data: ?(.*)/s.exec(this.waiting)?.slice(1) ?? [];
		return [...this.data, ...line].join('\n');
	}

	protected takeWaiting(): string {
		const text = this.waiting;
		this.waiting = '';
		return text;
	}

	protected async pass(piece: string): Promise<void> {
		if (piece === '') return;

		if (this.text === '') await this.send('begin');
		this.text += piece;
		await this.send('item', piece);
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

/** The text of a body, piece by piece, without a byte order mark at its very start. */
async function* textOf(stream: ResponseStream): AsyncGenerator<string> {
	// The decoder of Node.js 26 would also drop a mark that follows a first character in two pieces.
	const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
	let isStart = true;

	for await (const bytes of stream) {
		const text = utf8.decode(bytes, { stream: true });
		yield isStart ? text.replace(/^\uFEFF/, '') : text;
		isStart &&= text === '';
	}

	yield utf8.decode();
}
