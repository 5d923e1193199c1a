/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { ExecuteContext } from 'n8n-core';
import { inspect } from 'node:util';

import { skippedTime } from '../fastTime';
import { useTestbed } from '../testbed';
import { chatbotId, inputOf, read } from '../parameters';

const testbed = useTestbed();

beforeEach(() => {
	for (let index = 0; index < 50; index++) {
		testbed.service.store.addContact('bot', { external_id: `c${index}` });
	}
});

/** Less than the second after which a waiting request would continue. */
const atOnce = 600;

const list = {
	resource: 'contact',
	operation: 'getAll',
	chatbotId,
	returnAll: true,
	options: { pageSize: 10, maxConcurrency: 1 },
};

/** The work of the node when the user presses the stop button. */
const activities = {
	'waiting for a rate limit': {
		parameters: read,
		fault: { kind: 'status', status: 429, headers: { 'Retry-After': '30' } },
	},
	'waiting before a retry': { parameters: read, fault: { kind: 'status', status: 503 } },
	'waiting for a response': { parameters: read, fault: { kind: 'stall' } },
	'reading a list': { parameters: list, fault: { kind: 'delay', ms: 200 } },
} as const;

it.each(Object.entries(activities))(
	'ends a canceled execution at once while %s',
	async (_, { parameters, fault }) => {
		const cancel = new AbortController();
		const arrived = new Promise<void>((resolve) => testbed.service.onRequest(() => resolve()));
		testbed.service.faults.add({ fault });
		const restore = skippedTime(testbed.service);
		const running = testbed.run(parameters, {
			input: inputOf(parameters === list ? 1 : 50),
			signal: cancel.signal,
		});
		await arrived;
		const sent = testbed.service.requests.length;
		const start = Date.now();
		cancel.abort();
		const { run, items } = await running;
		expect(Date.now() - start).toBeLessThan(atOnce);
		expect(items).toEqual([]);
		expect(run?.status).toBe('canceled');
		expect(inspect(run, { depth: Infinity, showHidden: true })).not.toContain(
			testbed.service.apiKey,
		);
		// Requests in flight may still arrive; no new one may be sent.
		await new Promise((resolve) => setTimeout(resolve, 60_000));
		restore();
		expect(testbed.service.requests.length - sent).toBeLessThan(5);
		// All of these activities only read.
		expect(run?.data.resultData.error?.description ?? '').not.toContain('may have done it');
	},
);

it('reads no further item of a canceled execution', async () => {
	const cancel = new AbortController();
	const { prototype } = ExecuteContext;
	const evaluate = prototype.evaluateExpression;
	let evaluations = 0;
	const counted = jest.spyOn(prototype, 'evaluateExpression').mockImplementation(function (
		this: ExecuteContext,
		...call
	) {
		evaluations++;
		if (evaluations === 10) cancel.abort();
		return evaluate.apply(this, call);
	});

	try {
		const { run } = await testbed.run(
			{ ...read, contactId: { __rl: true, mode: 'id', value: '={{ $json.id + "" }}' } },
			{ input: inputOf(300), signal: cancel.signal },
		);
		expect(run?.status).toBe('canceled');
		expect(evaluations).toBe(10);
		expect(testbed.sent).toEqual([]);
	} finally {
		counted.mockRestore();
	}
});
