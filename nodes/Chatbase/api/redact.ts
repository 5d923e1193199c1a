/** Replaces the key in text from outside. */
export function redact(text: string, apiKey: string): string {
	return apiKey === '' ? text : text.split(apiKey).join('[API key]');
}

/** Removes the key from a body, even if the key is split between chunks. Reading can stop before the end. */
export async function* withoutKey(
	stream: AsyncIterable<Uint8Array>,
	apiKey: string,
): AsyncGenerator<Uint8Array> {
	// One character per byte, so that no character is split.
	const key = Buffer.from(apiKey).toString('latin1');
	let held = '';
	// A `for` loop would wait for the stream to close.
	const chunks = stream[Symbol.asyncIterator]();
	for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
		const text = redact(held + Buffer.from(next.value).toString('latin1'), key);
		let start = Math.max(0, text.length - key.length + 1);
		while (!key.startsWith(text.slice(start))) start++;
		held = text.slice(start);
		yield Buffer.from(text.slice(0, start), 'latin1');
	}
	yield Buffer.from(held, 'latin1');
}
