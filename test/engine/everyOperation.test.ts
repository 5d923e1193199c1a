/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * What all operations share: failures, lost answers, retries, On Error, and the tool path. What is particular to an operation comes
 * from its definition: its endpoint, and whether it must not run twice or works on all items together.
 */
import { inspect } from 'node:util';

import type { IHttpRequestMethods } from 'n8n-workflow';

import { textFor } from '../../nodes/Chatbase/api/errorTexts';
import type { FailureKind } from '../../nodes/Chatbase/api/failureKinds';
import { traitsOf } from '../../nodes/Chatbase/api/subjects';
import { version1 } from '../../nodes/Chatbase/api/versions';
import { resources } from '../../nodes/Chatbase/resources';
import { unescapeHtml } from '../../nodes/Chatbase/values/text';
import type { Fault, RecordedRequest } from '../../service';
import { caseRuns } from '../propertyRuns';
import { inSkippedTime } from './fastTime';
import type { RunOptions, RunResult } from './harness';
import { addChatbots, itemFor, operations } from './operations';
import { byId, useTestbed } from './testbed';

const testbed = useTestbed();

const bots = ['bot-1', 'bot-2', 'bot-3'];

beforeEach(() => addChatbots(testbed.service, bots));

const three = bots.map(itemFor);

const definitions = resources.flatMap(({ option, operations: all }) =>
	all.map((definition) => ({ name: `${option.value} ${definition.value}`, definition })),
);

it('are all operations of the node', () => {
	// Mirror takes items of one chatbot only; suites of its own test it.
	const named = definitions.map(({ name }) => name).filter((name) => !name.endsWith(' mirror'));
	expect(named.sort()).toEqual(Object.keys(operations).sort());
});

const runnable = definitions.filter(({ name }) => name in operations);

/** The cases of one operation, in a sample that is spread over all operations. */
function sampleOf<Case>(operation: string, cases: Case[], oneIn: number): Case[] {
	const all = Object.keys(operations).flatMap((name) => cases.map((one) => ({ name, one })));
	return caseRuns(all, oneIn).flatMap(({ name, one }) => (name === operation ? [one] : []));
}

/** What the service says in each refusal. */
const reason = 'No such record <yet>';

const page = '<html>Sign in</html>';

/** What each request meets, and how it fails. */
const failures: Record<string, [Fault, FailureKind]> = {
	...Object.fromEntries(
		(['400', '401', '403', '404', '409', '413'] as const).map((status) => [
			`status ${status}`,
			[{ kind: 'status', status: Number(status) }, status],
		]),
	),
	'status 418': [{ kind: 'status', status: 418 }, '4xx'],
	'status 429': [{ kind: 'status', status: 429, headers: { 'Retry-After': '30' } }, '429'],
	'status 503': [{ kind: 'status', status: 503 }, '5xx'],
	'a broken connection': [{ kind: 'resetBefore' }, 'broken'],
	silence: [{ kind: 'stall' }, 'timeout'],
	'a redirect': [{ kind: 'redirect', location: 'http://127.0.0.1:9/' }, 'redirect'],
	'a web page': [{ kind: 'status', status: 200, body: page }, 'unexpectedResponse'],
	'half a response': [{ kind: 'cutJson' }, 'unexpectedResponse'],
	'an empty response': [{ kind: 'empty' }, 'unexpectedResponse'],
};

/** Refusals after which the service has done nothing, and a request can be sent again. */
const forNow: Fault[] = [
	{ kind: 'status', status: 429, headers: { 'Retry-After': '7' } },
	{ kind: 'status', status: 503, body: { error: { code: 'SERVICE_UNDER_MAINTENANCE' } } },
];

/** The service has done what was asked, and its answer is lost. */
const lost: Record<string, { fault: Fault; options?: Partial<RunOptions> }> = {
	'its connection is lost': { fault: { kind: 'resetAfter' } },
	'its answer breaks off': { fault: { kind: 'resetMidBody' } },
	'its answer breaks off, in n8n with n8n-workflow before 2.34': {
		fault: { kind: 'resetMidBody' },
		options: { hasOlderErrors: true },
	},
	'its answer cannot be decoded': {
		fault: {
			kind: 'status',
			status: 200,
			headers: { 'content-encoding': 'gzip' },
			body: 'no gzip',
			handled: true,
		},
	},
	'its answer never comes': { fault: { kind: 'stall', handled: true } },
	'it ends in 500': { fault: { kind: 'status', status: 500, handled: true } },
	'a proxy answers it with 502': {
		fault: { kind: 'status', status: 502, body: page, handled: true },
	},
};

/** The service has done what was asked, and its answer does not say so. */
const unreadable: Record<string, Fault> = {
	'a web page': { kind: 'status', status: 200, body: page, handled: true },
	'another shape': { kind: 'otherShape', body: { ok: true }, handled: true },
	'half of its answer': { kind: 'cutJson' },
	nothing: { kind: 'empty', handled: true },
};

/** The two ways in which n8n runs all items again. */
const retries = {
	'Retry On Fail': { nodeSettings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	'the retry of an execution': { mode: 'retry' },
} as const;

const retryTitles = {
	'Retry On Fail': 'Turn off Retry On Fail',
	'the retry of an execution': 'This operation refuses the retry of an execution',
};

/** How many values and records the service has, of whatever kind. */
function countRecords(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const parts = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.values(value);
	return parts.reduce<number>((count, part) => count + countRecords(part), 1);
}

const numbersOf = (items: Array<{ pairedItem?: unknown }>) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);

describe.each(runnable)('$name', ({ name, definition }) => {
	const { request, neverTwice, nothingDone = '', notAsTool, sendAll } = definition;
	const { parameters, isShared } = operations[name];
	const [resource, operation] = name.split(' ');
	const all = { resource, operation, ...parameters };
	const textOf = (kind: FailureKind, sent: Partial<typeof request> = {}) =>
		textFor(kind, { ...request, ...sent, isAbout: () => false });
	const failing = isShared ? [0, 1, 2] : [1];
	const secondItem = isShared
		? { nth: 1 }
		: {
				matches: ({ url, body }: { url: string; body: unknown }) =>
					`${url} ${JSON.stringify(body)}`.includes('bot-2'),
			};
	const { version } = traitsOf[request.resource];
	const says = version === version1 ? { message: reason } : { error: { message: reason } };
	const forbidden = { kind: 'status', status: 403, body: says } as const;

	const runOne = async (options: Partial<RunOptions> = {}) =>
		await inSkippedTime(
			testbed.service,
			async () => await testbed.run(all, { input: [itemFor('bot-1')], ...options }),
		);
	const count = () => countRecords(testbed.service.store.chatbots);

	/** As the notice in the panel of a tool says. */
	const isWrite =
		request.method !== 'GET' &&
		(notAsTool !== undefined || definition.fields.some((field) => field.name === 'toolNotice'));

	/** What a run without a fault leaves. */
	let known: { after: number; hasWrites: boolean } | undefined;
	const whole = async () => {
		if (known) return known;
		await runOne();
		known = { after: count(), hasWrites: testbed.writes.length > 0 };
		testbed.reset();
		addChatbots(testbed.service, bots);
		return known;
	};

	it('sends valid requests and pairs its items', async () => {
		const { items } = await testbed.succeed(all, { input: three });
		expect(testbed.service.requests.every(({ headers }) => headers.authorization)).toBe(true);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('ignores spaces around the ID of the chatbot, as a copied one may have', async () => {
		await testbed.succeed(all, { input: [itemFor(' bot-1\n')] });
		expect(testbed.service.requests).not.toEqual([]);
	});

	it.each(sampleOf(name, Object.keys(failures), 7))('fails with %s, in words', async (met) => {
		const [given, kind] = failures[met];
		const isRefusal = given.kind === 'status' && given.status !== 200;
		const fault = isRefusal ? { ...given, body: says } : given;
		testbed.service.faults.add({ fault });
		const before = count();

		const result = await runOne();
		const { error, items } = result;
		const text = testbed.service.requests
			.map(({ method, path }) => {
				const isLookUp = path.endsWith('/agents/bot-1');
				const sent = { method: method as IHttpRequestMethods };
				return textOf(kind, isLookUp ? { ...sent, resource: 'agent' } : sent);
			})
			.find(({ title }) => title === error?.message);
		expect(text).toBeDefined();
		const { nextStep = '', advice = '' } = text!;
		const description = unescapeHtml(error?.description ?? '');
		expect(description).toContain(nextStep);
		// "Try again" never stands beside "may have been done".
		if (description.includes(' may have ')) expect(description).not.toMatch(/try again/i);
		else expect(description).toContain(advice);
		if (isRefusal) {
			expect(error).toMatchObject({ httpCode: String(given.status) });
			expect(description).toContain(`The service says: "${reason}"`);
		}

		expect(items).toEqual([]);
		if (given.kind !== 'cutJson') expect(count()).toBe(before);
		const { apiKey } = testbed.service;
		expect(inspect(result, { depth: Infinity, showHidden: true })).not.toContain(apiKey);
	});

	const endings: Record<string, () => Promise<void>> = {
		'stops at the first item that fails': async () => {
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { error, items } = await testbed.run(all, { input: three });
			expect(error).toMatchObject({ httpCode: '403' });
			expect(error).toMatchObject({ context: { itemIndex: failing[0] } });
			expect(error?.description).toContain('No such record &lt;yet&gt;');
			expect(items).toEqual([]);
		},

		'continues on the regular output beside the failed item': async () => {
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { outputs } = await testbed.succeed(all, {
				input: three,
				nodeSettings: { onError: 'continueRegularOutput' },
			});
			expect(outputs).toHaveLength(1);
			expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			const failed = outputs[0].filter(({ json }) => json.error);
			expect(failed).toMatchObject(
				failing.map((item) => ({
					json: {
						bot: `bot-${item + 1}`,
						error: expect.stringContaining(reason),
					},
					pairedItem: { item },
				})),
			);
		},

		'continues on the error output, with the fields of the failed item': async () => {
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { outputs } = await testbed.succeed(all, {
				input: three,
				nodeSettings: { onError: 'continueErrorOutput' },
			});
			expect(outputs.map((items) => items.length)).toEqual([3 - failing.length, failing.length]);
			for (const [place, { json, pairedItem }] of outputs[1].entries()) {
				expect(pairedItem).toEqual({ item: failing[place] });
				expect(json.bot).toBe(`bot-${failing[place] + 1}`);
				expect(json.error).toMatch(`${textOf('403').title}. `);
				expect(json.error).toContain(reason);
			}
		},
	};

	it.each(sampleOf(name, Object.keys(endings), 2))('%s', async (ending) => await endings[ending]());

	describe('asked to wait', () => {
		const refusals = version === version1 ? forNow.slice(0, 1) : forNow;

		it.each(refusals)('waits, and is done once: %j', async (fault) => {
			const { after } = await whole();
			const refused = testbed.service.faults.add({ when: { nth: 1 }, fault });
			const { error, items } = await runOne();
			expect(error).toBeUndefined();
			expect(numbersOf(items).every((number) => number === 0)).toBe(true);
			expect(count()).toBe(after);

			const [first, second] = testbed.service.requests;
			expect(refused.struck).toBe(1);
			expect([second.method, second.url, second.body]).toEqual([
				first.method,
				first.url,
				first.body,
			]);
			const isTold = fault.kind === 'status' && fault.headers !== undefined;
			expect(second.at - first.at).toBeGreaterThanOrEqual(isTold ? 7_000 : 500);
			expect(testbed.illegal).toEqual([]);
		});
	});

	it('sends at most five requests at a time', async () => {
		const more = Array.from({ length: 5 }, (_, index) => `bot-${index + 4}`);
		addChatbots(testbed.service, more);
		testbed.service.delayMs = 20;
		await runOne({ input: [...three, ...more.map(itemFor)] });
		testbed.service.delayMs = 0;
		expect(testbed.service.maxInFlight).toBeLessThanOrEqual(5);
		// Items may share a request, and clones are made one after the other.
		if (testbed.service.requests.length >= 8 && name !== 'chatbot clone') {
			expect(testbed.service.maxInFlight).toBeGreaterThan(1);
		}
	});

	describe('when the service has done it', () => {
		const strike = async (fault: Fault, first?: Fault) => {
			const { after, hasWrites } = await whole();
			const matches = ({ method }: RecordedRequest) => !hasWrites || method !== 'GET';
			if (first) testbed.service.faults.add({ when: { matches, times: 1 }, fault: first });
			testbed.service.faults.add({ when: { matches, ...(!first && { times: 1 }) }, fault });
			return after;
		};
		const oneIn = neverTwice === undefined ? 3 : 1;

		/** It was sent as often as expected, nothing followed, and the error names the item. */
		const expectUnclear = ({ error, items }: RunResult, times = 1) => {
			expect(testbed.writes).toHaveLength(times);
			expect(testbed.service.requests.at(-1)).toBe(testbed.writes.at(-1));
			const description = unescapeHtml(error?.description ?? '');
			expect(description).toMatch(/ may (have|exist)/);
			expect(description).toMatch(/ Unknown: item 0\.$/);
			expect(description).not.toMatch(/try again/i);
			expect(items).toEqual([]);
		};

		it.each(sampleOf(name, Object.keys(lost), oneIn))('is done once when %s', async (loss) => {
			const { fault, options } = lost[loss];
			const after = await strike(fault);
			const result = await runOne(options);
			expect(count()).toBeLessThanOrEqual(after);
			if (neverTwice !== undefined) return expectUnclear(result);

			// What sets values or deletes is sent again; a new contact or attribute is looked for.
			if (result.error && isWrite && request.method === 'POST') return expectUnclear(result);
			expect(result.error).toBeUndefined();
			expect(numbersOf(result.items)).toEqual([0]);
			expect(count()).toBe(after);
		});

		it.each(sampleOf(name, Object.keys(unreadable), oneIn))(
			'is sent once when %s answers it',
			async (answer) => {
				const after = await strike(unreadable[answer]);
				const result = await runOne();
				const { error, items } = result;
				expect(count()).toBeLessThanOrEqual(after);
				if (neverTwice !== undefined) return expectUnclear(result);

				if (!error) {
					expect(numbersOf(items)).toEqual([0]);
					expect(count()).toBe(after);
					return;
				}
				expect(error.message).toBe(textOf('unexpectedResponse').title);
				expect(/ Unknown: item 0\.$/.test(error.description ?? '')).toBe(isWrite);
				expect(items).toEqual([]);
			},
		);

		if (neverTwice === undefined) return;
		it.each(forNow.slice(0, version === version1 ? 1 : 2))(
			'counts how often it was sent, when its answer is lost after %j',
			async (first) => {
				await strike({ kind: 'resetAfter' }, first);
				const result = await runOne();
				expectUnclear(result, 2);
				expect(result.error?.description).toContain('The node sent the request 2 times, and');
			},
		);
	});

	if (neverTwice === undefined) {
		it('makes and sends nothing more when n8n runs it again', async () => {
			await testbed.succeed(all, { input: three });
			const after = count();
			testbed.service.clearRequests();
			await testbed.run(all, {
				input: three,
				...retries['Retry On Fail'],
				...retries['the retry of an execution'],
			});
			expect(testbed.sent).not.toEqual([]);
			expect(count()).toBe(after);
		});
	} else {
		it.each(Object.entries(retries))('refuses %s before any request', async (way, options) => {
			const { error, items } = await testbed.run(all, { input: three, ...options });
			expect(error?.message).toBe(retryTitles[way as keyof typeof retries]);
			expect(error?.description).toContain(neverTwice);
			expect(error?.description).toMatch(new RegExp(`${nothingDone}$`));
			expect(testbed.sent).toEqual([]);
			expect(items).toEqual([]);
		});

		it('refuses a retry for every item, and passes none on, when On Error is Continue', async () => {
			const { nodeSettings } = retries['Retry On Fail'];
			const { items } = await testbed.run(all, {
				input: three,
				nodeSettings: { ...nodeSettings, onError: 'continueRegularOutput' },
			});
			expect(items.map(({ json }) => json.error)).toEqual(
				three.map(
					() => expect.stringMatching(`^Turn off Retry On Fail\\. .*${nothingDone}$`) as unknown,
				),
			);
			expect(testbed.sent).toEqual([]);
		});
	}

	it('refuses all items before any request when one has no chatbot', async () => {
		if (!('chatbotId' in parameters)) return;
		const { error } = await testbed.run(all, { input: [...three, itemFor('')] });
		expect(error).toMatchObject({ message: 'Chatbot is empty', context: { itemIndex: 3 } });
		expect(testbed.sent).toEqual([]);
	});

	describe("in n8n's Engine 2.0, which calls the node once for each item", () => {
		const itemByItem = true;

		it('does a single item', async () => {
			const { items } = await testbed.succeed(all, { input: [itemFor('bot-1')], itemByItem });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
			expect(items[0].json).not.toHaveProperty('error');
		});

		if (sendAll) {
			it('refuses several items before any request', async () => {
				const { error, items } = await testbed.run(all, { input: three, itemByItem });
				expect(error?.message).toBe('This n8n runs the node once for each item');
				expect(testbed.sent).toEqual([]);
				expect(items).toEqual([]);
			});
			return;
		}

		it('does several items, and pairs them', async () => {
			const { items } = await testbed.succeed(all, { input: three, itemByItem });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(three.map((_, item) => ({ item })));
		});

		it('continues beside a failed item', async () => {
			if (isShared) return;
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { items } = await testbed.succeed(all, {
				input: three,
				itemByItem,
				nodeSettings: { onError: 'continueRegularOutput' },
			});
			expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
				[undefined, { item: 0 }],
				[expect.stringContaining(reason), { item: 1 }],
				[undefined, { item: 2 }],
			]);
		});
	});

	describe('as a tool', () => {
		const bot = '={{ $fromAI("bot") }}';
		const parametersOfTool = {
			...all,
			...('chatbotId' in parameters && { chatbotId: byId(bot) }),
			...('name' in parameters && { name: bot }),
		};
		// What a tool leaves to the model: Query is filled in.
		const given = { bot: 'bot-1', Query: 'refund' };
		const ways = {
			'an agent': async () => (await testbed.callTool(parametersOfTool, given)).records,
			"an agent of n8n's Agents": async () =>
				await testbed.engine.callAgentsTool({ parameters: parametersOfTool, arguments: given }),
		};

		if (notAsTool !== undefined) {
			it.each(Object.entries(ways))('refuses %s, in words', async (_, call) => {
				const [{ error }] = (await call()) as Array<{ error: string }>;
				expect(error).toContain(`does not work as a tool. ${notAsTool}`);
				expect(testbed.sent).toEqual([]);
			});
			return;
		}

		it.each(Object.entries(ways))('answers %s', async (_, call) => {
			const records = (await call()) as object[];
			expect(records).not.toEqual([]);
			expect(records[0]).not.toHaveProperty('error');
			expect(testbed.illegal).toEqual([]);
		});

		it('tells an agent why it fails', async () => {
			testbed.service.faults.add({ fault: forbidden });
			const [{ error }] = (await ways['an agent']()) as Array<{ error: string }>;
			expect(error).toMatch(textOf('403').title);
			expect(error).toContain(`The service says: "${reason}"`);
		});
	});
});
