import type { ChunkSender } from '../../execution/runContext';
import { readBody } from '../../transport/stream';
import { isObject } from '../../values/object';
import { AnswerDecoder } from './answerDecoder';

/** An answer that is read while it arrives, and passed on where the trigger answers as a stream. */
export class AnswerStream {
	/** The text that has arrived so far. */
	text = '';

	/** @param sendChunk passes pieces on; undefined where nobody waits for them */
	constructor(private readonly sendChunk?: ChunkSender) {}

	/**
	 * Reads the answer to its end.
	 *
	 * @param stream body of the response
	 * @param contentType of the response
	 * @returns the body that the response would have without streaming; undefined when it is empty
	 */
	async read(stream: AsyncIterable<Uint8Array>, contentType: string): Promise<unknown> {
		try {
			return /\b(json|html)\b/i.test(contentType)
				? await this.readWhole(stream)
				: await this.readPieces(stream, contentType);
		} finally {
			if (this.text !== '') await this.sendChunk?.('end');
		}
	}

	/** A service that does not stream answers as if it had not been asked to; a proxy, with a page. */
	private async readWhole(stream: AsyncIterable<Uint8Array>): Promise<unknown> {
		const body = await readBody(stream);
		if (isObject(body) && typeof body.text === 'string') await this.pass(body.text);
		return body;
	}

	private async readPieces(stream: AsyncIterable<Uint8Array>, contentType: string) {
		const decoder = new AnswerDecoder(contentType);
		let isEmpty = true;
		for await (const bytes of stream) {
			isEmpty = false;
			await this.pass(decoder.push(bytes));
			if (decoder.ended) break;
		}
		await this.pass(decoder.finish());
		return isEmpty ? undefined : { text: this.text };
	}

	private async pass(piece: string) {
		if (piece === '') return;
		if (this.text === '') await this.sendChunk?.('begin');
		this.text += piece;
		await this.sendChunk?.('item', piece);
	}
}
