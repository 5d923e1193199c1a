/** How the pieces of an answer lie in the body of a response. */
type Framing = 'text' | 'events' | 'whole';

/** With one of these a line of server-sent events begins (HTML standard, 9.2.5); the last one is a comment. */
const eventFields = ['data:', 'event:', 'id:', 'retry:', ':'];

/**
 * Turns the bytes of a streamed answer into its text, whatever bytes arrive together.
 *
 * The framing of the stream is not in the contract. The public pages name two: bare text, and
 * server-sent events that hold nothing but data and end with `[DONE]`. First bytes and content type
 * tell them apart. Something else may be behind any other content type, and is collected to be read as a whole.
 */
export class AnswerDecoder {
	/** Whether the service has said that the answer is complete. */
	ended = false;

	/** A body that is no stream of pieces, as far as it has arrived. */
	whole = '';

	/** A byte order mark at the very start is no part of the text. */
	private readonly utf8 = new TextDecoder('utf-8');

	private framing?: Framing;

	/** What cannot be passed on yet: a beginning that does not tell the framing, or part of a line. */
	private waiting = '';

	/** The lines of data of the event that is arriving. */
	private data: string[] = [];

	/** Whether each event holds a JSON string instead of bare text, which the first one tells. */
	private isJson?: boolean;

	/** @param contentType of the response */
	constructor(private readonly contentType: string) {}

	/** What has arrived of the piece that is not complete yet. */
	get unfinished(): string {
		if (this.framing !== 'events') return this.whole + this.waiting;
		const line = /^data: ?(.*)/.exec(this.waiting)?.slice(1) ?? [];
		return [...this.data, ...line].join('\n');
	}

	/** @returns the text that has become complete with these bytes */
	push(bytes: Uint8Array): string {
		return this.take(this.utf8.decode(bytes, { stream: true }));
	}

	/** @returns the text that is left when no more bytes come */
	finish(): string {
		const text = this.take(this.utf8.decode());
		const rest = this.waiting;
		this.waiting = '';
		return this.framing === 'events' ? text + this.readLine(rest) + this.readLine('') : text + rest;
	}

	private take(text: string): string {
		this.waiting += text;
		this.framing ??= this.recogniseFraming();
		if (this.framing === 'events') return /[\r\n]/.test(text) ? this.readLines() : '';
		if (this.framing === undefined) return '';
		const complete = this.waiting;
		this.waiting = '';
		if (this.framing === 'text') return complete;
		this.whole += complete;
		return '';
	}

	private recogniseFraming(): Framing | undefined {
		const start = this.waiting.trimStart();
		const fields = /^text\/event-stream\b/i.test(this.contentType) ? eventFields : ['data:'];
		if (fields.some((field) => start.startsWith(field))) {
			this.waiting = start;
			return 'events';
		}
		if (fields.some((field) => field.startsWith(start))) return undefined;
		if (/^text\/plain\b/i.test(this.contentType)) return 'text';
		return /\bjson\b/i.test(this.contentType) || /^[{<]/.test(start) ? 'whole' : 'text';
	}

	private readLines(): string {
		// A carriage return at the very end may be the first half of a line break.
		const lines = this.waiting.split(/\r\n|\n|\r(?!$)/);
		this.waiting = lines.pop()!;
		return lines.map((line) => this.readLine(line)).join('');
	}

	/** Takes a line of an event; a blank one completes it. */
	private readLine(line: string): string {
		if (this.ended) return '';
		if (/^data(:|$)/.test(line)) this.data.push(line.replace(/^data:? ?/, ''));
		if (line !== '' || this.data.length === 0) return '';
		const data = this.data.join('\n');
		this.data = [];
		this.ended = data.trim() === '[DONE]';
		return this.ended ? '' : this.textOf(data);
	}

	private textOf(data: string): string {
		const text = readJsonString(data);
		this.isJson ??= text !== undefined;
		return (this.isJson ? text : undefined) ?? data;
	}
}

function readJsonString(data: string): string | undefined {
	if (!/^".*"$/s.test(data)) return undefined;
	try {
		return JSON.parse(data) as string;
	} catch {
		return undefined;
	}
}
