import type { ChunkSender } from '../../execution/item';
import { AnswerDecoder } from './answerDecoder';
import { readWholeAnswer } from './wholeAnswer';
import { isObject } from '../../values/object';

/** An answer on its way: read while it arrives, and passed on where the workflow streams its response. */
export class AnswerStream {
	/** What has been passed on so far. */
	private text = '';

	private decoder?: AnswerDecoder;

	/** @param sendChunk passes pieces on; undefined where nobody waits for them */
	constructor(private sendChunk?: ChunkSender) {}

	/** What has arrived so far: text of the answer, or of whatever came in its place. */
	get arrived(): string {
		return this.text + (this.decoder?.unfinished ?? '');
	}

	/**
	 * Reads the answer to its end.
	 *
	 * @param stream body of the response
	 * @param contentType of the response
	 * @returns the body that the response would have without streaming; text where it holds no answer; undefined when it is empty
	 */
	async read(stream: AsyncIterable<Uint8Array>, contentType: string): Promise<unknown> {
		const decoder = new AnswerDecoder(contentType);
		this.decoder = decoder;
		try {
			for await (const bytes of stream) {
				await this.pass(decoder.push(bytes));
				if (decoder.ended) break;
			}
			await this.pass(decoder.finish());
			if (decoder.whole === '') {
				return this.text !== '' || decoder.ended ? { text: this.text } : undefined;
			}
			const body = readWholeAnswer(decoder.whole, contentType);
			if (isObject(body) && typeof body.text === 'string') await this.pass(body.text);
			return body;
		} finally {
			await this.end();
		}
	}

	/** Passes on an answer that has arrived as a whole. */
	async passWhole(text: string): Promise<void> {
		await this.pass(text);
		await this.end();
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

	/** An answer that cannot be passed on is no less an answer, and has been paid for. */
	private async send(...chunk: Parameters<ChunkSender>) {
		try {
			await this.sendChunk?.(...chunk);
		} catch {
			this.sendChunk = undefined;
		}
	}
}
