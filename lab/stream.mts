import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type ReadableStream } from 'node:stream/web';

/** One line of a streamed answer of n8n. */
export interface Chunk {
	type: 'begin' | 'item' | 'end' | 'error';
	content?: string;
	metadata: { nodeName: string; itemIndex: number; runIndex: number; timestamp: number };
}

/**
 * Asks a published workflow whose trigger has the response mode Streaming, and gives each chunk as
 * it arrives. A public Chat Trigger answers at `/webhook/<webhook id>/chat` to
 * `{ action: 'sendMessage', sessionId, chatInput }`, a Webhook node at `/webhook/<path>`.
 *
 * @param cookie says who is asking, where the trigger wants to know
 */
export async function* streamAnswer(
	url: string,
	body: unknown,
	cookie = '',
): AsyncGenerator<Chunk> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', cookie },
		body: JSON.stringify(body),
	});
	if (!response.ok || !response.body) {
		throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
	}
	// The same class, declared once for browsers and once for Node.js.
	const bytes = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
	for await (const line of createInterface(bytes)) {
		if (line !== '') yield JSON.parse(line) as Chunk;
	}
}
