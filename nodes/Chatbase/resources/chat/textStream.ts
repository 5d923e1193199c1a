import { parseBody, StreamedFailure } from '../../api/response';
import { isObject } from '../../values/json';
import { AnswerStream, eventLine, type Framing, isStartOfField } from './answerStream';

/**
 * An answer of version 1, which is a text. The contract leaves the format open. Public documents show plain text, and events
 * that have only data and end with `[DONE]`.
 */
export class TextStream extends AnswerStream {
	get arrived(): string {
		if (this.framing === undefined) return this.waiting.trim();
		if (this.framing === 'events') return this.text + this.partialData;
		return this.text + this.waiting;
	}

	protected framingOf(start: string, contentType: string): Framing | undefined {
		if (start.startsWith('data:')) return 'events';
		if ('data:'.startsWith(start)) return undefined;
		if (/^text\/event-stream\b/i.test(contentType)) return framingOfEvents(start);
		if (/^text\/plain\b/i.test(contentType)) return 'text';

		// JSON or a web page is no text of an answer.
		const isOther = /\bjson\b/i.test(contentType) || /^[{<]/.test(start);
		return isOther ? 'whole' : 'text';
	}

	protected async readEvent(name: string, data: string): Promise<void> {
		// Events of the answer have no name.
		if (name !== '') throw new StreamedFailure({ message: data });

		this.hasEnded = data.trim() === '[DONE]';
		if (!this.hasEnded) await this.pass(data);
	}

	protected async finish(): Promise<unknown> {
		if (this.framing === 'whole') return await this.finishWhole();
		if (this.framing === 'events') await this.take('\n\n');

		await this.pass(this.takeWaiting());
		const isNothing = this.text === '' && !this.hasEnded;
		return isNothing ? undefined : { text: this.text };
	}

	private async finishWhole(): Promise<unknown> {
		const body = parseBody(this.waiting);
		if (!isObject(body)) return this.waiting;

		if (typeof body.text === 'string') await this.pass(body.text);
		return body;
	}
}

/** The framing of what is said to be events. Other text, such as JSON, is no answer in events. */
function framingOfEvents(start: string): Framing | undefined {
	if (eventLine.test(start)) return 'events';
	return isStartOfField(start) ? undefined : 'whole';
}
