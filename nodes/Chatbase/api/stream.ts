/** A stream on which nothing arrives any more. It carries the code of a response that came too late. */
class SilentStream extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Passes on what arrives, and gives up when nothing does for too long: n8n's HTTP client stops its
 * clock when it has the headers (n8n 2.41). The connection is closed as soon as nobody reads on.
 *
 * @param stream body of a response
 * @param timeout longest pause in milliseconds
 * @param close lets go of the connection
 */
export async function* whileArriving(
	stream: AsyncIterable<Uint8Array>,
	timeout: number,
	close: () => void,
): AsyncGenerator<Uint8Array> {
	const chunks = stream[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = await within(timeout, chunks.next());
			if (next.done) return;
			yield next.value;
		}
	} finally {
		close();
	}
}

async function within<Result>(timeout: number, pending: Promise<Result>): Promise<Result> {
	const signal = AbortSignal.timeout(timeout);
	let giveUp = () => {};
	const silence = new Promise<never>((_, reject) => {
		giveUp = () => reject(new SilentStream());
		signal.addEventListener('abort', giveUp, { once: true });
	});
	try {
		return await Promise.race([pending, silence]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/**
 * Reads a body to its end, without the byte order mark that it may begin with.
 *
 * @returns parsed JSON, or the text where it is none
 */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<unknown> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	const text = new TextDecoder().decode(Buffer.concat(chunks));
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
