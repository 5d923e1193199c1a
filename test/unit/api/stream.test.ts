import { readBody, whileArriving } from '../../../nodes/Chatbase/api/stream';

/** Gives the chunks and then nothing more, without an end. */
async function* chunksWithoutEnd(...texts: string[]): AsyncGenerator<Uint8Array> {
	for (const text of texts) yield Buffer.from(text);
	await new Promise(() => {});
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
	for (const text of texts) yield Buffer.from(text);
}

let closed: number;
const close = () => closed++;
beforeEach(() => (closed = 0));

const read = async (stream: AsyncIterable<Uint8Array>) => {
	const texts: string[] = [];
	for await (const chunk of stream) texts.push(Buffer.from(chunk).toString());
	return texts;
};

describe('a stream', () => {
	it('is passed on to its end', async () => {
		expect(await read(whileArriving(chunks('a', 'b'), 1000, close))).toEqual(['a', 'b']);
		expect(await read(whileArriving(chunks(), 1000, close))).toEqual([]);
		expect(closed).toBe(2);
	});

	it('is given up as a response that came too late when it falls silent', async () => {
		const seen: string[] = [];
		const reading = (async () => {
			for await (const chunk of whileArriving(chunksWithoutEnd('a'), 20, close)) {
				seen.push(Buffer.from(chunk).toString());
			}
		})();
		await expect(reading).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect(seen).toEqual(['a']);
		expect(closed).toBe(1);
	});

	it('can be left before its end, even if that never comes', async () => {
		for await (const chunk of whileArriving(chunksWithoutEnd('a'), 60_000, close)) {
			expect(Buffer.from(chunk).toString()).toBe('a');
			break;
		}
		expect(closed).toBe(1);
	});

	it('ends with the error that it ends with', async () => {
		const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
		const broken = (async function* () {
			yield Buffer.from('a');
			throw reset;
		})();
		await expect(read(whileArriving(broken, 1000, close))).rejects.toBe(reset);
		expect(closed).toBe(1);
	});
});

describe('a body', () => {
	it('is parsed where it is JSON, wherever it is cut, and text otherwise', async () => {
		const [start, end] = [Buffer.from('"🦊"').subarray(0, 3), Buffer.from('"🦊"').subarray(3)];
		const cut = (async function* () {
			yield start;
			yield end;
		})();
		expect(await readBody(cut)).toBe('🦊');
		expect(await readBody(chunks('{"message":', ' "no"}'))).toEqual({ message: 'no' });
		expect(await readBody(chunks('<html>'))).toBe('<html>');
		expect(await readBody(chunks())).toBe('');
		expect(await readBody(chunks('\uFEFF{"message":"no"}'))).toEqual({ message: 'no' });
	});
});
