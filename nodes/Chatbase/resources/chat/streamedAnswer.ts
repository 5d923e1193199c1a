import type { ResponseStream } from '../../api/response';
import { StreamedFailure } from '../../api/response';
import type { ChunkSender } from '../../execution/item';

interface ServerEvent {
	/** Empty if the event does not name it. */
	type: string;
	data: string;
}

/** Finds the server-sent events in text that arrives in pieces (HTML standard, 9.2.6). */
class EventReader {
	private waiting = '';

	/** The lines of data of the event that is arriving. */
	private data: string[] = [];

	private type = '';

	private completed = 0;

	/** The data of the event that is arriving. */
	get partial(): string {
		const line = /^(?:data: ?|(?=\{))(.*)/s.exec(this.waiting)?.slice(1) ?? [];
		return [...this.data, ...line].join('\n');
	}

	/** How many characters of data have arrived: comments and blank lines have none. */
	get received(): number {
		return this.completed + this.partial.length;
	}

	*take(text: string): Generator<ServerEvent> {
		this.waiting += text;
		if (!/[\r\n]/.test(text)) return;
		// A carriage return at the very end may be the first half of a line break.
		const lines = this.waiting.split(/\r\n|\n|\r(?!$)/);
		this.waiting = lines.pop()!;
		for (const line of lines) {
			const [, field, value] = /^(\w*):? ?(.*)/s.exec(line)!;
			// Older documents show a JSON object a line, without a field.
			const isBare = line.startsWith('{');
			if (field === 'data' || isBare) this.data.push(isBare ? line : value);
			if (field === 'event') this.type = value;
			if ((line === '' || isBare) && (this.type !== '' || this.data.length > 0)) {
				yield this.complete();
			}
		}
	}

	private complete(): ServerEvent {
		const event = { type: this.type, data: this.data.join('\n') };
		this.type = '';
		this.data = [];
		this.completed += event.data.length;
		return event;
	}
}

/** An answer on its way: read while it arrives, and passed on if the workflow streams its response. */
export abstract class StreamedAnswer {
	text = '';

	/** What can't be read yet: a beginning that doesn't tell the framing, or part of a whole body. */
	protected waiting = '';

	protected readonly events = new EventReader();

	/** Whether the service has said that the answer is complete. What breaks off after that is no loss. */
	protected isComplete = false;

	/** Whether nothing more is to be read. */
	protected hasEnded = false;

	/** @param sendChunk passes pieces on; undefined if nobody waits for them */
	constructor(private sendChunk?: ChunkSender) {}

	/** What has arrived so far: text of the answer, or of whatever came in its place. */
	abstract get arrived(): string;

	/**
	 * Reads the answer to its end.
	 *
	 * @returns the body that the response would have without streaming; text if it holds no answer; undefined if it is
	 *   empty
	 * @throws StreamedFailure if the service reports a failure in it
	 */
	async read(stream: ResponseStream, contentType: string): Promise<unknown> {
		try {
			const [reading] = await Promise.allSettled([this.readAll(stream, contentType)]);
			const failure: unknown = reading.status === 'rejected' ? reading.reason : undefined;
			if (failure && (!this.isComplete || failure instanceof StreamedFailure)) throw failure;
			return await this.finish();
		} finally {
			await this.end();
		}
	}

	async passWhole(text: string): Promise<void> {
		await this.pass(text);
		await this.end();
	}

	protected abstract take(text: string, contentType: string): Promise<void>;

	protected abstract readEvent(event: ServerEvent): Promise<void>;

	/** @returns what `read` does */
	protected abstract finish(): Promise<unknown>;

	protected async readEvents(text: string) {
		for (const event of this.events.take(text)) {
			if (!this.hasEnded) await this.readEvent(event);
		}
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
		// A byte order mark at the very start is no part of the text.
		const utf8 = new TextDecoder();
		for await (const bytes of stream) {
			const before = this.received;
			await this.take(utf8.decode(bytes, { stream: true }), contentType);
			if (this.received > before) stream.restartTimeout();
			if (this.hasEnded) return;
		}
		await this.take(utf8.decode(), contentType);
	}

	private get received(): number {
		return this.text.length + this.waiting.trimStart().length + this.events.received;
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
