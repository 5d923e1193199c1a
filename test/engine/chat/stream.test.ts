import type { StructuredChunk } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { RunOptions } from '../harness';
import { byId, Testbed } from '../testbed';
import { defaultBehaviour } from '../../service';
import { unescapeHtml } from '../../../nodes/Chatbase/api/errors';

const answer = 'Grüße 🦊🦊\n\nتفضل, "so be it" \u2028 and\nthe end 👩‍👩‍👧. ';
let testbed: Testbed;
let reply: string;

beforeAll(async () => {
	const fixed = { resource: 'chat', operation: 'send', chatbotId: byId('bot'), message: 'Hi' };
	testbed = await Testbed.start(fixed, { reply: () => reply });
});

beforeEach(() => {
	reply = answer;
	testbed.reset();
	testbed.service.store.addChatbot({ id: 'bot' });
	Object.assign(testbed.service.behaviour, defaultBehaviour);
});

afterAll(async () => await testbed.close());

/** Runs the node in a workflow whose trigger answers as a stream. */
const stream = async (options: Partial<RunOptions> = {}, parameters = {}) =>
	await testbed.run(
		{ options: { stream: true }, ...parameters },
		{ mode: 'webhook', streaming: true, ...options },
	);

const typesOf = (chunks: StructuredChunk[]) => chunks.map(({ type }) => type);
const textOf = (chunks: StructuredChunk[]) => chunks.map(({ content }) => content ?? '').join('');
const itemsOf = (chunks: StructuredChunk[]) => chunks.filter(({ type }) => type === 'item');

/** Waits until a condition holds, turn by turn of the event loop. */
async function until(holds: () => boolean) {
	while (!holds()) await sleep(0);
}

describe('a streamed answer', () => {
	it('is asked for, passed on piece by piece, and held by the item as a whole', async () => {
		const { chunks, items, error } = await stream();
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([
			[
				'POST /chat',
				{ chatbotId: 'bot', messages: [{ role: 'user', content: 'Hi' }], stream: true },
			],
		]);
		expect(testbed.illegal).toEqual([]);
		expect(items).toEqual([{ json: { text: answer }, pairedItem: { item: 0 } }]);
		expect(textOf(chunks)).toBe(answer);
		expect(itemsOf(chunks).length).toBeGreaterThan(2);
		expect(typesOf(chunks)).toEqual(['begin', ...itemsOf(chunks).map(() => 'item'), 'end']);
		expect(chunks[0].metadata).toMatchObject({ nodeName: 'Node', itemIndex: 0, runIndex: 0 });
	});

	const framings = ['text', 'events', 'eventsAsPlainText'] as const;
	const cases = framings.flatMap((streamFraming) =>
		[1, 3, 10_000].map((bytes) => ({ streamFraming, streamChunkBytes: bytes })),
	);

	it.each(cases)('is the same however it is framed and cut: %j', async (behaviour) => {
		Object.assign(testbed.service.behaviour, behaviour);
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual({ text: answer });
		expect(textOf(chunks)).toBe(answer);
	});

	it('is passed on while the service is still writing', async () => {
		testbed.service.behaviour.streamDelayMs = 5;
		let wasWriting: boolean | undefined;
		const { items } = await stream({
			onChunk: () => (wasWriting ??= testbed.service.inFlight === 1),
		});
		expect(wasWriting).toBe(true);
		expect(items[0].json).toEqual({ text: answer });
	});

	it('is read where nobody listens to the pieces, too', async () => {
		for (const options of [{ streaming: false }, { mode: 'trigger' as const }]) {
			const { chunks, items } = await stream(options);
			expect(items[0].json).toEqual({ text: answer });
			expect(itemsOf(chunks)).toEqual([]);
		}
	});

	it('of several items says which one each piece belongs to', async () => {
		const input = [{ id: 'a' }, { id: 'b' }];
		const { chunks, items } = await stream(
			{ input },
			{ options: { stream: true, conversationId: '={{ $json.id }}' } },
		);
		expect(items.map(({ json }) => json)).toEqual([
			{ text: answer, conversationId: 'a' },
			{ text: answer, conversationId: 'b' },
		]);
		for (const index of [0, 1]) {
			const own = chunks.filter(({ metadata }) => metadata.itemIndex === index);
			expect(textOf(own)).toBe(answer);
			expect([own[0].type, own.at(-1)!.type]).toEqual(['begin', 'end']);
		}
	});

	it('may come in one piece from a service that does not stream', async () => {
		const body = { text: 'All at once', credits: 1 };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual(body);
		expect(typesOf(chunks)).toEqual(['begin', 'item', 'end']);
		expect(textOf(chunks)).toBe('All at once');
	});

	it('may be empty if the service says that it has ended', async () => {
		const headers = { 'content-type': 'text/event-stream' };
		testbed.service.faults.add({
			fault: { kind: 'status', status: 200, headers, body: 'data: [DONE]\n\n' },
		});
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual({ text: '' });
		expect(chunks).toEqual([]);
	});

	it.each([
		['nothing at all', { kind: 'empty' }],
		['a page', { kind: 'status', status: 200, body: '<html>Sign in</html>' }],
		['JSON without text', { kind: 'otherShape', body: { answer: 'Hi' } }],
		[
			'half of a JSON reply',
			{
				kind: 'status',
				status: 200,
				headers: { 'content-type': 'application/json' },
				body: '{"text":"Hel',
			},
		],
		[
			'an event stream that ends before it says anything',
			{
				kind: 'status',
				status: 200,
				headers: { 'content-type': 'text/event-stream' },
				body: ': wait\n\n',
			},
		],
	] as const)('is not %s', async (_, fault) => {
		testbed.service.faults.add({ fault });
		const { chunks, error } = await stream();
		expect(error?.message).toBe('The response is not what the API promises');
		const body: unknown = 'body' in fault ? fault.body : '';
		const start = typeof body === 'string' ? body : JSON.stringify(body);
		if (!start.startsWith(':')) expect(unescapeHtml(error?.description ?? '')).toContain(start);
		expect(itemsOf(chunks)).toEqual([]);
	});

	it.each(['', 'application/json', 'application/octet-stream', 'text/html', 'text/event-stream'])(
		'is not lost under the content type %j',
		async (contentType) => {
			const words = 'Paid for: 🦊\nand "so be it"';
			const events = words.split('\n').map((line) => `data: ${line}\n`);
			const bodies = [`${events.join('')}\n`, JSON.stringify({ text: words })];
			for (const body of contentType === 'application/json' ? bodies : [words, ...bodies]) {
				const headers = { 'content-type': contentType };
				testbed.service.faults.clear();
				testbed.service.faults.add({ fault: { kind: 'status', status: 200, headers, body } });
				const { chunks, items, error } = await stream();
				expect(error).toBeUndefined();
				expect(items[0].json).toEqual({ text: words });
				expect(textOf(chunks)).toBe(words);
			}
		},
	);

	it('is a failure that quotes what arrived if the service says so in the middle', async () => {
		const headers = { 'content-type': 'text/event-stream' };
		const failure = `event: error\ndata: {"message":"Model <b>down</b>"}\n\n`;
		const body = `data: Hello \n\n${failure}data: [DONE]\n\n`;
		testbed.service.faults.add({ fault: { kind: 'status', status: 200, headers, body } });
		const { chunks, items, error } = await stream();
		expect(error?.message).toBe('The service failed while it was answering');
		expect(error?.description).toContain('“Model &lt;b&gt;down&lt;/b&gt;”');
		expect(error?.description).toContain('had arrived: “Hello ”');
		expect(items).toEqual([]);
		expect(textOf(itemsOf(chunks))).toBe('Hello ');
		expect(typesOf(chunks).slice(-2)).toEqual(['end', 'error']);
		expect(testbed.sent).toHaveLength(1);
	});

	it('loses the byte order mark that it begins with', async () => {
		reply = `\uFEFF${answer}`;
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual({ text: answer });
		expect(textOf(chunks)).toBe(answer);
	});

	it('is asked for with the content types that it may have', async () => {
		await stream();
		expect(testbed.service.requests[0].headers.accept).toBe(
			'text/event-stream, text/plain, application/json',
		);
	});
});

it.each([true, false])('is held by the item where nobody can be told, Stream: %j', async (on) => {
	let told = 0;
	const onChunk = () => {
		told++;
		throw Object.assign(new Error('Nobody listens any more'), { code: 'EPIPE' });
	};
	const { items, error } = await stream({ onChunk }, { options: { stream: on } });
	expect(error).toBeUndefined();
	expect(items[0].json).toEqual({ text: answer });
	expect(told).toBe(1);
	expect(testbed.sent).toHaveLength(1);
});

describe('with Stream off', () => {
	const off = { options: { stream: false } };

	it.each([off, {}])('the whole answer is passed on in one piece: %j', async (parameters) => {
		const { chunks, items } = await testbed.run(parameters, { mode: 'webhook', streaming: true });
		expect(items[0].json).toEqual({ text: answer });
		expect(typesOf(chunks)).toEqual(['begin', 'item', 'end']);
		expect(chunks[1]).toMatchObject({ content: answer, metadata: { itemIndex: 0 } });
	});

	it('nothing is passed on of a response that holds no answer', async () => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: { answer: 'Hi' } } });
		const { chunks, error } = await stream({}, off);
		expect(error?.description).toContain('The service says: “{&quot;answer&quot;:&quot;Hi&quot;}”');
		expect(itemsOf(chunks)).toEqual([]);
	});

	it('nothing is passed on where nobody waits for it', async () => {
		expect((await stream({ streaming: false }, off)).chunks).toEqual([]);
	});
});

describe('an answer that breaks off', () => {
	const fault = { kind: 'streamBreak', afterBytes: 20 } as const;
	// 20 bytes end in the middle of the second fox or behind it, whatever came before.
	const arrived = Buffer.from(answer)
		.subarray(0, 20)
		.toString()
		.replace(/\uFFFD+$/, '');
	const count = [...arrived].length;

	it('is a failure that says how much has arrived', async () => {
		testbed.service.faults.add({ fault });
		const { chunks, error, items } = await stream();
		expect(error?.message).toBe('The connection to the service broke off');
		expect(error?.description).toContain(
			`${count} characters of the answer had arrived: “${arrived}”`,
		);
		expect(items).toEqual([]);
		expect(textOf(itemsOf(chunks))).toBe(arrived);
		expect(typesOf(chunks).slice(-2)).toEqual(['end', 'error']);
		expect(testbed.sent).toHaveLength(1);
	});

	it('is kept by the item where the workflow goes on', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault });
		const { items } = await stream({
			input: [{ id: 1 }],
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items).toEqual([
			{ json: { id: 1, error: expect.stringContaining(arrived) }, pairedItem: { item: 0 } },
		]);

		testbed.service.faults.add({ when: { nth: 1 }, fault });
		const { outputs } = await stream({
			input: [{ id: 1 }],
			nodeSettings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[1]).toMatchObject([
			{ json: { id: 1, error: expect.stringContaining(arrived) }, pairedItem: { item: 0 } },
		]);
	});

	it('has its markup escaped, since the editor shows it', async () => {
		reply = '<img src=x onerror=alert(1)> and so on';
		testbed.service.faults.add({ fault: { kind: 'streamBreak', afterBytes: 28 } });
		const { error } = await stream();
		expect(error?.description).toContain('“&lt;img src=x onerror=alert(1)&gt;”');
	});

	it('before it begins is an ordinary failure', async () => {
		testbed.service.faults.add({ fault: { kind: 'resetAfter' } });
		const { chunks, error } = await stream();
		expect(error?.message).toBe('The connection to the service broke off');
		expect(error?.description).not.toContain('characters');
		expect(itemsOf(chunks)).toEqual([]);
		expect(testbed.sent).toHaveLength(1);
	});

	it('is given up when nothing arrives any more', async () => {
		testbed.service.behaviour.streamDelayMs = 600_000;
		const { chunks, error } = await stream({}, { requestOptions: { timeout: 100 } });
		expect(error?.message).toBe('The service did not answer in time');
		expect(error?.description).toContain(textOf(itemsOf(chunks)));
		expect(textOf(itemsOf(chunks))).not.toBe('');
		expect(testbed.sent).toHaveLength(1);
	});

	it('is read on while anything arrives, however long that takes', async () => {
		Object.assign(testbed.service.behaviour, { streamDelayMs: 100, streamChunkBytes: 16 });
		const { items } = await stream({}, { requestOptions: { timeout: 350 } });
		expect(items[0].json).toEqual({ text: answer });
	});
});

describe('cancelling', () => {
	it('stops the reading at once', async () => {
		testbed.service.behaviour.streamDelayMs = 600_000;
		const stop = new AbortController();
		const openBefore = testbed.service.inFlight;
		const { run, chunks } = await stream({
			signal: stop.signal,
			onChunk: ({ type }) => type === 'item' && stop.abort(),
		});
		expect(run?.status).toBe('canceled');
		expect(itemsOf(chunks)).toHaveLength(1);
		// The service sees that nobody listens any more.
		await until(() => testbed.service.inFlight === openBefore);
	});
});
