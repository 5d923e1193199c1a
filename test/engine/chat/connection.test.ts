/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The connection of a streamed answer, seen from the service. */
import { clearInterval, setInterval } from 'node:timers';
import { gzipSync } from 'node:zlib';

import { titleOf } from '../../errorTexts';
import type { RunOptions } from '../harness';
import { heldDeadline } from '../heldDeadline';
import { useOwnServer } from '../ownServer';
import { byId } from '../testbed';
import { unescapeHtml } from '../../../nodes/Chatbase/values/text';
import { defaultApiKey } from '../../../service';

/** The key that the service repeats. The node holds back text that may begin the key, so no answer here ends with its first letter. */
const theKey = defaultApiKey;

const own = useOwnServer();

const ask = async (options: Partial<RunOptions> = {}, timeout = 60_000) =>
	await own.engine.run({
		mode: 'webhook',
		streaming: true,
		...options,
		parameters: {
			resource: 'chat',
			operation: 'send',
			chatbotId: byId('bot'),
			message: 'Hi',
			options: { stream: true },
			requestOptions: { timeout },
		},
	});

/** Sends some bytes, then nothing. */
function silentAfter(bytes: string | Buffer, headers: Record<string, string> = {}) {
	own.answer = (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
		response.write(bytes);
	};
}

describe('the connection of a streamed answer is closed', () => {
	it('when the service has ended the answer and keeps the connection open', async () => {
		silentAfter('data: Hello\n\ndata: [DONE]\n\n');
		const { items } = await ask();
		await own.closed;
		expect(items[0].json).toEqual({ text: 'Hello' });
	});

	it('when no further data arrives', async () => {
		silentAfter('data: Hello\n\n');
		const deadline = heldDeadline();
		const { error } = await ask({ onChunk: deadline.passAfterItem });
		deadline.restore();
		await own.closed;
		expect(error?.message).toBe(titleOf('timeout'));
		expect(error?.description).toContain('"Hello"');
	});

	it('when no data follows the headers', async () => {
		own.answer = (response) => response.flushHeaders();
		const { error } = await ask({}, 100);
		await own.closed;
		expect(error?.message).toBe(titleOf('timeout'));
	});

	it('when only comments arrive', async () => {
		let timer: NodeJS.Timeout;
		own.answer = (response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('data: Hello\n\n');
			timer = setInterval(() => response.write(': still there\n\n'), 40);
			response.on('close', () => clearInterval(timer));
		};
		const { error } = await ask({}, 1_000);
		await own.closed;
		expect(error?.message).toBe(titleOf('timeout'));
		expect(error?.description).toContain('"Hello"');
	});

	it('when its bytes cannot be decompressed', async () => {
		const packed = gzipSync('data: Hello\n\n'.repeat(500));
		silentAfter(Buffer.concat([packed.subarray(0, 20), Buffer.alloc(200, 7)]), {
			'content-encoding': 'gzip',
		});
		const { error } = await ask();
		await own.closed;
		expect(error?.message).toBe(titleOf('broken'));
	});

	it('when the execution is canceled', async () => {
		silentAfter('data: Hello\n\n');
		const stop = new AbortController();
		const { run } = await ask({ signal: stop.signal, onChunk: () => stop.abort() });
		await own.closed;
		expect(run?.status).toBe('canceled');
	});

	it('when a streamed refusal stops sending data', async () => {
		own.answer = (response) => {
			response.writeHead(400, { 'content-type': 'application/json' });
			response.write('{"message":');
		};
		const { error } = await ask({}, 100);
		await own.closed;
		expect(error?.message).toBe(titleOf('timeout'));
	});
});

describe('an answer whose connection breaks off', () => {
	it.each([
		[
			'events',
			'text/event-stream',
			`data: My key\n\ndata: is ${theKey} and`,
			'My keyis [API key] and',
		],
		['one event', 'text/event-stream', `data: My key is ${theKey} and`, 'My key is [API key] and'],
		['an object', 'application/json', `{"text":"${theKey} and`, '{"text":"[API key] and'],
		['text', 'text/plain', `My key is ${theKey} and`, 'My key is [API key] and'],
	])('is quoted without the key when it arrives as %s', async (_, type, start, quoted) => {
		own.answer = (response) => {
			response.writeHead(200, { 'content-type': type });
			response.write(start, () => response.destroy());
		};
		const { error, run } = await ask();
		expect(error?.message).toBe(titleOf('broken'));
		expect(unescapeHtml(error?.description ?? '')).toContain(`had arrived: "${quoted}"`);
		expect(JSON.stringify([error, run?.data.resultData.error])).not.toContain(theKey);
	});
});
