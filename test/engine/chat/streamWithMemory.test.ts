import { sleep } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { unescapeHtml } from '../../../nodes/Chatbase/values/text';
import type { BehaviourV2 } from '../../../service';
import { heldDeadline } from '../heldDeadline';
import { succeeded } from '../testbed';
import { answer, itemsOf, outputIn, quoting, textOf, useMemory } from './memory';

const { testbed, bodies, conversations, run, stream } = useMemory();

describe('a streamed answer', () => {
	const positions: Partial<Record<keyof BehaviourV2, string[]>> = {
		streamForm: ['newest', 'specification', 'olderPage', 'clientTests', 'sdkTests'],
		streamEnd: ['finish', 'silence'],
		streamChunks: ['bytes', 'whole', 'insideCharacters'],
		streamExtras: ['events'],
	};
	const cases = Object.entries(positions).flatMap(([name, values]) =>
		values.map((value) => ({ [name]: value })),
	);

	it.each(cases)('is the same as a whole one, and passed on: %j', async (behaviour) => {
		Object.assign(testbed.service.behaviourV2, behaviour);
		const { chunks, items } = succeeded(await stream());
		expect(bodies()).toEqual([{ message: 'Hi', stream: true }]);
		const [{ id }] = conversations();
		const { parts, ...json } = items[0].json;
		expect(json).toEqual(outputIn(id));
		expect(parts).toContainEqual({ type: 'text', text: answer });
		expect(textOf(itemsOf(chunks))).toBe(answer);
		expect([chunks[0].type, chunks.at(-1)!.type]).toEqual(['begin', 'end']);
	});

	it('has what the service says of it, and nothing else', async () => {
		const events = [{ type: 'text-delta', delta: answer }, { type: 'finish' }];
		const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
		const headers = { 'content-type': 'text/event-stream' };
		testbed.service.faults.add({ fault: { kind: 'status', status: 200, headers, body } });
		const { items } = await stream();
		expect(items[0].json).toEqual({
			text: answer,
			conversationId: null,
			messageId: null,
			userId: null,
			finishReason: null,
			credits: null,
			toolCalls: [],
			parts: [{ type: 'text', text: answer }],
		});
	});

	it('is passed on while the service is still writing', async () => {
		Object.assign(testbed.service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 20 });
		let wasWriting: boolean | undefined;
		const { items } = await stream(
			{},
			{ onChunk: () => (wasWriting ??= testbed.service.inFlight === 1) },
		);
		expect(wasWriting).toBe(true);
		expect(items[0].json.text).toBe(answer);
	});

	it('is read if nobody waits for it', async () => {
		const { chunks, items, hints } = await stream({}, { streaming: false });
		expect(items[0].json.text).toBe(answer);
		expect(itemsOf(chunks)).toEqual([]);
		expect(hints).toMatchObject([{ message: expect.stringContaining('Response Mode') }]);
	});

	it('reaches the caller as one piece if the service answers with JSON', async () => {
		const body = {
			data: {
				id: 'm-1',
				parts: [{ type: 'text', text: answer }],
				metadata: { conversationId: 'c-1', finishReason: 'stop' },
			},
		};
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { chunks, items } = succeeded(await stream());
		expect(items[0].json).toMatchObject({ text: answer, conversationId: 'c-1' });
		expect(itemsOf(chunks).map(({ content }) => content)).toEqual([answer]);
		expect([chunks[0].type, chunks.at(-1)!.type]).toEqual(['begin', 'end']);
	});

	it('reaches the caller as one piece if streaming is off', async () => {
		const { chunks } = await stream({ options: {} });
		expect(bodies()).toEqual([{ message: 'Hi', stream: false }]);
		expect(itemsOf(chunks).map(({ content }) => content)).toEqual([answer]);
	});

	it.each([
		[{ streamError: 'beforeText' }, 'The service failed during the answer', ''],
		[{ streamError: 'afterText' }, 'The service failed during the answer', answer],
		[
			{ streamError: 'afterText', streamForm: 'olderPage' },
			'The service failed during the answer',
			answer,
		],
		[{ streamError: 'abort' }, 'The service failed during the answer', answer],
		[{ streamError: 'json' }, titleOf('5xx'), ''],
		[{ chatAnswer: 'error' }, 'The service failed during the answer', ''],
		[{ streamEnd: 'unfinished' }, titleOf('broken'), answer],
		[{ streamEnd: 'cut' }, titleOf('unexpectedResponse'), answer],
	] as Array<[Partial<BehaviourV2>, string, string]>)(
		'is a failure that quotes what arrived: %j',
		async (behaviour, title, arrived) => {
			Object.assign(testbed.service.behaviourV2, behaviour);
			const { chunks, items, error } = await stream();
			expect(error?.message).toBe(title);
			expect(items).toEqual([]);
			expect(textOf(itemsOf(chunks))).toBe(arrived);
			const description = unescapeHtml(error?.description ?? '');
			if (arrived !== '') expect(description).toMatch(quoting(arrived));
			expect(testbed.sent).toHaveLength(1);
		},
	);

	it('lacks a part that cannot be read, and a hint says so', async () => {
		testbed.service.behaviourV2.streamExtras = 'brokenJson';
		const { items, chunks, hints } = succeeded(await stream());
		expect(items[0].json).toMatchObject({ text: answer, finishReason: 'stop' });
		expect(textOf(itemsOf(chunks))).toBe(answer);
		expect(hints).toMatchObject([{ message: expect.stringContaining('could not be read') }]);
	});

	it('is a failure if the service falls silent, and its connection is closed', async () => {
		Object.assign(testbed.service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 600_000 });
		const deadline = heldDeadline();
		const { chunks, error } = await stream({}, { onChunk: deadline.passAfterItem });
		deadline.restore();
		expect(error?.message).toBe(titleOf('timeout'));
		const arrived = textOf(itemsOf(chunks));
		expect(arrived).not.toBe('');
		expect(unescapeHtml(error?.description ?? '')).toMatch(quoting(arrived));
		expect(testbed.sent).toHaveLength(1);
		while (testbed.service.inFlight > 0) await sleep(0);
	});

	it('is a failure that quotes its text if its reason to end is one', async () => {
		const message = {
			id: 'm',
			parts: [{ type: 'text', text: 'I am' }],
			metadata: { conversationId: 'c', finishReason: 'error' },
		};
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: { data: message } } });
		for (const ask of [run, stream]) {
			const { error } = await ask();
			expect(error?.message).toBe('The service failed during the answer');
			expect(error?.description).toContain('4 characters of the answer had arrived: ');
			expect(unescapeHtml(error?.description ?? '')).toMatch(quoting('I am'));
			expect(error?.description).toContain('did not send the request again');
		}
	});
});
