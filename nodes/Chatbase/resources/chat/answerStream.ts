import { type ResponseStream, StreamedFailure } from '../../api/response';
import type { ChunkSender } from '../../execution/item';

/** The format of a body; anything but plain text and events is read as a whole. */
export type Framing = 'text' | 'events' | 'whole';

/** A start of this length shows the format of the body. A shorter first line shows it too, when it ends. */
const longestFieldName = 'event:'.length;

/** The first line of server-sent events. One without a name is a comment, as proxies send them (HTML standard, 9.2.6). */
export const eventLine = /^(:|(data|event|id|retry)[:\r\n])/;

/** Whether a start may become the first field of an event. */
export const isStartOfField = (start: string): boolean => /^[a-z]{0,5}$/.test(start);

/** An answer that is read while it arrives. It is passed on at once if the workflow streams its response. */
export abstract class AnswerStream {
	text = '';

	protected framing?: Framing;

	/**
	 * Text that can't be read yet: a start that does not show the framing, a part of a line, or a part of a body that is read
	 * as a whole.
	 */
	protected waiting = '';

	/** How many characters have arrived since the first one that isn't blank. */
	private startLength = 0;

	/** The name of the event that is arriving; empty if it has none. */
	private eventName = '';

	/** The lines of data of the event that is arriving. */
	private data: string[] = [];

	/** How many events could not be read and may have held a part of the answer. */
	leftOut = 0;

	/** Whether the service has said that the answer is complete. If the connection breaks after that, nothing is lost. */
	protected isComplete = false;

	protected hasEnded = false;

	constructor(private sendChunk?: ChunkSender) {}

	/** The text that has arrived so far: of the answer, or of what the service sent instead. */
	abstract get arrived(): string;

	/** The format of the body, by its start. Undefined if the start does not show it yet. */
	protected abstract framingOf(start: string, contentType: string): Framing | undefined;

	protected abstract readEvent(name: string, data: string): Promise<void>;

	protected abstract finish(): Promise<unknown>;

	/**
	 * Returns the body that the response would have without streaming. Returns text if the body holds no answer, and undefined
	 * if it is empty. Throws StreamedFailure if the service reports a failure in it.
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
		for await (const piece of textPiecesOf(stream)) {
			const hasNews = await this.take(piece, contentType);
			if (this.hasEnded) return;
			if (hasNews) stream.restartTimeout();
		}
	}

	/**
	 * Returns whether the piece has something of the answer: proxies send blank lines and comments while a service is silent.
	 */
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

	/** Whether to look at the start again. To look after every piece would take time with the square of the length. */
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

	/** Reads a line of a server-sent event, or the blank line that ends it (HTML standard, 9.2.6). */
	protected async readLine(line: string): Promise<void> {
		if (line === '') return await this.endEvent();

		const [, field, value = ''] = /^(\w*):? ?(.*)/s.exec(line)!;
		if (field === 'data') this.data.push(value);
		// It is the name of an event that states none.
		if (field === 'event') this.eventName = value === 'message' ? '' : value;
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

	/** If the answer can't be passed on, the item still returns it, since it has cost credits. */
	private async send(...chunk: Parameters<ChunkSender>) {
		try {
			await this.sendChunk?.(...chunk);
		} catch {
			this.sendChunk = undefined;
		}
	}
}

/** The text of a body, piece by piece, without a byte order mark at its very start. */
async function* textPiecesOf(stream: ResponseStream): AsyncGenerator<string> {
	// Without `ignoreBOM`, Node.js 26 also drops a byte order mark that comes right after a first character whose bytes arrive
	// in two pieces.
	const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
	let isStart = true;

	for await (const bytes of stream) {
		const text = utf8.decode(bytes, { stream: true });
		yield isStart ? text.replace(/^\uFEFF/, '') : text;
		isStart &&= text === '';
	}

	yield utf8.decode();
}
