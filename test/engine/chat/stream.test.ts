import { sleep, type StructuredChunk } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import type { RunOptions } from '../harness';
import { byId, succeeded, useTestbed } from '../testbed';
import { unescapeHtml } from '../../../nodes/Chatbase/values/text';

const answer = 'Grüße 🦊🦊\n\nتفضل, "so be it" \u2028 and\nthe end 👩‍👩‍👧. ';
const testbed = useTestbed(
	{ resource: 'chat', operation: 'send', chatbotId: byId('bot'), message: 'Hi' },
	{ reply: () => reply },
);
let reply: string;

beforeEach(() => {
	reply = answer;
});

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

it('warns when Enable Streaming is on and the run has no stream, and only then', async () => {
	const hintsOf = async (options: Partial<RunOptions>, parameters = {}) =>
		(await stream(options, parameters)).hints.map(({ message }) => message);
	expect(await hintsOf({ streaming: false })).toEqual([
		expect.stringMatching(
			/^The answer was not streamed, .*Choose "Streaming" under Response Mode of the Chat Trigger, or under Respond of the Webhook\./,
		),
	]);
	expect(await hintsOf({})).toEqual([]);
	expect(await hintsOf({ streaming: false }, { options: {} })).toEqual([]);
});

describe('a streamed answer', () => {
	it('is passed on in pieces, and its item has the whole text', async () => {
		const { chunks, items } = succeeded(await stream());
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

	it.each(cases)('is the same text in every framing and splitting: %j', async (behaviour) => {
		Object.assign(testbed.service.behaviour, behaviour);
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual({ text: answer });
		expect(textOf(chunks)).toBe(answer);
	});

	it('is passed on while the service still writes', async () => {
		testbed.service.behaviour.streamDelayMs = 5;
		let wasWriting: boolean | undefined;
		const { items } = await stream({
			onChunk: () => (wasWriting ??= testbed.service.inFlight === 1),
		});
		expect(wasWriting).toBe(true);
		expect(items[0].json).toEqual({ text: answer });
	});

	it('is read when no client receives the pieces', async () => {
		for (const options of [{ streaming: false }, { mode: 'trigger' as const }]) {
			const { chunks, items } = await stream(options);
			expect(items[0].json).toEqual({ text: answer });
			expect(itemsOf(chunks)).toEqual([]);
		}
	});

	it('names the item of each piece when there are several', async () => {
		const input = [{ id: 'a' }, { id: 'b' }];
		const { chunks, items } = await stream(
			{ input },
			{ conversationId: '={{ $json.id }}', options: { stream: true } },
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

	it('is one piece when the service does not stream', async () => {
		const body = { text: 'All at once', credits: 1 };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual(body);
		expect(typesOf(chunks)).toEqual(['begin', 'item', 'end']);
		expect(textOf(chunks)).toBe('All at once');
	});

	it('may be empty when the service has ended it', async () => {
		const headers = { 'content-type': 'text/event-stream' };
		testbed.service.faults.add({
			fault: { kind: 'status', status: 200, headers, body: 'data: [DONE]\n\n' },
		});
		const { chunks, items, hints } = await stream();
		expect(items[0].json).toEqual({ text: '' });
		expect(hints).toMatchObject([{ message: expect.stringContaining('gave no text') }]);
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
			'an event stream in a form that no document shows',
			{
				kind: 'status',
				status: 200,
				headers: { 'content-type': 'text/event-stream' },
				body: 'answer: Hi',
			},
		],
	] as const)('is not %s', async (_, fault) => {
		testbed.service.faults.add({ fault });
		const { chunks, error } = await stream();
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
		const body: unknown = 'body' in fault ? fault.body : '';
		const start = typeof body === 'string' ? body : JSON.stringify(body);
		expect(unescapeHtml(error?.description ?? '')).toContain(start);
		expect(itemsOf(chunks)).toEqual([]);
	});

	it.each(['', 'application/json', 'application/octet-stream', 'text/html', 'text/event-stream'])(
		'is read with the content type %j',
		async (contentType) => {
			const words = 'Paid for: 🦊\nand "so be it"';
			const events = words.split('\n').map((line) => `data: ${line}\n`);
			const bodies = [`${events.join('')}\n`, JSON.stringify({ text: words })];
			const isOther = contentType === 'application/json' || contentType === 'text/event-stream';
			for (const body of isOther ? bodies : [words, ...bodies]) {
				const headers = { 'content-type': contentType };
				testbed.service.faults.clear();
				testbed.service.faults.add({ fault: { kind: 'status', status: 200, headers, body } });
				const { chunks, items } = succeeded(await stream());
				expect(items[0].json).toEqual({ text: words });
				expect(textOf(chunks)).toBe(words);
			}
		},
	);

	it.each([': keep-alive\n\n', 'retry: 3000\n\n'])('may begin with %j', async (first) => {
		const headers = { 'content-type': 'text/event-stream' };
		const body = first + 'data: Hello\n\ndata: [DONE]\n\n';
		testbed.service.faults.add({ fault: { kind: 'status', status: 200, headers, body } });
		const { chunks, items } = succeeded(await stream());
		expect(items[0].json).toEqual({ text: 'Hello' });
		expect(textOf(chunks)).toBe('Hello');
	});

	it('fails and quotes the text so far when an event has a name, such as error', async () => {
		const headers = { 'content-type': 'text/event-stream' };
		const failure = `event: error\ndata: Model <b>down</b>\n\n`;
		const body = `data: Hello \n\n${failure}data: [DONE]\n\n`;
		testbed.service.faults.add({ fault: { kind: 'status', status: 200, headers, body } });
		const { chunks, items, error } = await stream();
		expect(error?.message).toBe('The service failed during the answer');
		expect(error?.description).toContain('"Model &lt;b&gt;down&lt;/b&gt;"');
		expect(error?.description).toContain('had arrived: "Hello "');
		expect(items).toEqual([]);
		expect(textOf(itemsOf(chunks))).toBe('Hello ');
		expect(typesOf(chunks).slice(-2)).toEqual(['end', 'error']);
		expect(testbed.sent).toHaveLength(1);
	});

	it('that the service refuses is an error with its words', async () => {
		const body = { message: 'The conversation is too long' };
		testbed.service.faults.add({ fault: { kind: 'status', status: 400, body } });
		const { chunks, error } = await stream();
		expect(error?.description).toContain('"The conversation is too long"');
		expect(itemsOf(chunks)).toEqual([]);
	});

	it('is never the plain text by which a proxy refuses it', async () => {
		const headers = { 'content-type': 'text/plain' };
		const refusal = { kind: 'status' as const, status: 400, body: 'Blocked by a rule', headers };
		testbed.service.faults.add({ fault: refusal });
		const { chunks, error } = await stream();
		expect(error?.description).toBeDefined();
		expect(itemsOf(chunks)).toEqual([]);
	});

	it('has no byte order mark', async () => {
		reply = `\uFEFF${answer}`;
		const { chunks, items } = await stream();
		expect(items[0].json).toEqual({ text: answer });
		expect(textOf(chunks)).toBe(answer);
	});

	it('is requested with the content types that the node reads', async () => {
		await stream();
		expect(testbed.service.requests[0].headers.accept).toBe(
			'text/event-stream, text/plain, application/json',
		);
	});
});

it.each([true, false])(
	'is in the item when nobody receives the stream, Enable Streaming: %j',
	async (on) => {
		let told = 0;
		const onChunk = () => {
			told++;
			throw Object.assign(new Error('Nobody listens any more'), { code: 'EPIPE' });
		};
		const { items } = succeeded(await stream({ onChunk }, { options: { stream: on } }));
		expect(items[0].json).toEqual({ text: answer });
		expect(told).toBe(1);
		expect(testbed.sent).toHaveLength(1);
	},
);

describe('with Enable Streaming off', () => {
	const off = { options: { stream: false } };

	it.each([off, {}])(
		'the whole answer is passed on in one piece when it is %j',
		async (parameters) => {
			const { chunks, items } = await testbed.run(parameters, { mode: 'webhook', streaming: true });
			expect(items[0].json).toEqual({ text: answer });
			expect(typesOf(chunks)).toEqual(['begin', 'item', 'end']);
			expect(chunks[1]).toMatchObject({ content: answer, metadata: { itemIndex: 0 } });
		},
	);

	it('nothing is passed on when the response has no answer', async () => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: { answer: 'Hi' } } });
		const { chunks, error } = await stream({}, off);
		expect(error?.description).toContain('The service says: "{"answer":"Hi"}"');
		expect(itemsOf(chunks)).toEqual([]);
	});

	it('nothing is passed on when no client waits', async () => {
		expect((await stream({ streaming: false }, off)).chunks).toEqual([]);
	});
});

describe('an answer that breaks off', () => {
	const fault = { kind: 'streamBreak', afterBytes: 20 } as const;
	// 20 bytes end in the middle of the second fox or after it.
	const arrived = Buffer.from(answer)
		.subarray(0, 20)
		.toString()
		.replace(/\uFFFD+$/, '');
	const count = [...arrived].length;

	it('fails and says how much has arrived', async () => {
		testbed.service.faults.add({ fault });
		const { chunks, error, items } = await stream();
		expect(error?.message).toBe(titleOf('broken'));
		expect(error?.description).toContain(
			`${count} characters of the answer had arrived: "${arrived}"`,
		);
		expect(items).toEqual([]);
		expect(textOf(itemsOf(chunks))).toBe(arrived);
		expect(typesOf(chunks).slice(-2)).toEqual(['end', 'error']);
		expect(testbed.sent).toHaveLength(1);
	});

	it('keeps the text in the item when the workflow continues', async () => {
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

	it('is escaped in the error, because the editor renders HTML', async () => {
		reply = '<img src=x onerror=alert(1)> and so on';
		testbed.service.faults.add({ fault: { kind: 'streamBreak', afterBytes: 28 } });
		const { error } = await stream();
		expect(error?.description).toContain('"&lt;img src=x onerror=alert(1)&gt;"');
	});

	it('fails as any request when it breaks before the first piece', async () => {
		testbed.service.faults.add({ fault: { kind: 'resetAfter' } });
		const { chunks, error } = await stream();
		expect(error?.message).toBe(titleOf('broken'));
		expect(error?.description).not.toContain('characters');
		expect(itemsOf(chunks)).toEqual([]);
		expect(testbed.sent).toHaveLength(1);
	});

	it('ends when no further data arrives', async () => {
		testbed.service.behaviour.streamDelayMs = 600_000;
		const { chunks, error } = await stream({}, { requestOptions: { timeout: 1_000 } });
		expect(error?.message).toBe(titleOf('timeout'));
		expect(error?.description).toContain(textOf(itemsOf(chunks)));
		expect(textOf(itemsOf(chunks))).not.toBe('');
		expect(testbed.sent).toHaveLength(1);
	});

	it('is read as long as data arrives', async () => {
		Object.assign(testbed.service.behaviour, { streamDelayMs: 100, streamChunkBytes: 16 });
		const { items } = await stream({}, { requestOptions: { timeout: 350 } });
		expect(items[0].json).toEqual({ text: answer });
	});
});

describe('a canceled execution', () => {
	it('stops reading at once', async () => {
		testbed.service.behaviour.streamDelayMs = 600_000;
		const stop = new AbortController();
		const openBefore = testbed.service.inFlight;
		const { run, chunks } = await stream({
			signal: stop.signal,
			onChunk: ({ type }) => type === 'item' && stop.abort(),
		});
		expect(run?.status).toBe('canceled');
		expect(itemsOf(chunks)).toHaveLength(1);
		// The service sees that the client has left.
		await until(() => testbed.service.inFlight === openBefore);
	});
});
