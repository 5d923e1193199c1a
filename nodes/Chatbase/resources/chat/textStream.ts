import { parseBody, StreamedFailure } from '../../api/response';
import { isObject } from '../../values/json';
import { AnswerStream, type Framing } from './answerStream';

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
