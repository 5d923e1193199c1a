/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** The requests of the probe: which, how many, and what it announces. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import timers from 'node:timers/promises';

import { readOptions, UsageError } from '../../probe/options';
import { questions } from '../../probe/questions';
import { statusOf, textOf } from '../../probe/report';
import { listChatbots, requestsOf, type ProbeResult } from '../../probe/run';
import { illegalities, type RecordedRequest, type SimulatedService } from '../../service';
import { chatbotId, command, everyPart, probe, rowOf, scene, watchCustomers } from './scene';

const root = join(__dirname, '../..');
let service: SimulatedService;
beforeEach(async () => (service = await scene()));
afterEach(async () => await service.close());

it('sends only reads by default', async () => {
	await probe(service, ['read']);
	expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

it('pauses only a conversation with its own user ID', async () => {
	service.onRequest(({ query }) => {
		const { conversations } = service.store.chatbot(chatbotId);
		if (query.include === 'summary') conversations.at(-1)!.userId = 'somebody-else';
	});
	const result = await probe(service, ['write', 'chat', 'pause']);
	expect(
		service.requests.filter(
			({ path }) => /conversations\/[^/]+$/.test(path) && !/export$|search$/.test(path),
		),
	).toEqual([]);
	expect(rowOf(result, 'v2ChatPaused').came).toBe('the conversation was not found by its ID');
});

it('sends two messages of each version that are answered', async () => {
	await probe(service, ['read', 'chat']);
	const answered = service.requests.filter(({ status }) => status === 200);
	expect(answered.filter(({ path }) => path === '/chat')).toHaveLength(2);
	expect(answered.filter(({ path }) => /agents.*chat$/.test(path))).toHaveLength(2);
});

it('sends one request at a time, and at most the announced number', async () => {
	const said: string[] = [];
	const before = service.requests.length;
	const { requests } = await probe(service, ['read'], { report: (line) => said.push(line) });
	expect(service.maxInFlight).toBe(1);
	expect(service.requests.length - before).toBe(requests);
	expect(requests).toBeLessThanOrEqual(requestsOf(['read']));
	expect(said[0]).toBe(`At most ${requestsOf(['read'])} requests, one at a time.`);
	expect(said[2]).toBe('Nothing is written.');
});

it.each([
	['seconds', () => ({ 'Retry-After': '1' })],
	['date', () => ({ 'Retry-After': new Date(Date.now() + 2000).toUTCString() })],
	['none', () => ({})],
	['other', () => ({ 'Retry-After': 'soon' })],
] as const)('waits when a rate limit says so: %s', async (retryAfter, headersOf) => {
	service.faults.add({
		when: { path: '/get-leads', times: 1 },
		fault: { kind: 'status', status: 429, headers: headersOf() },
	});
	const wait = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
	const said: string[] = [];
	const result = await probe(service, ['read'], { report: (line) => said.push(line) });
	const waits = wait.mock.calls.map(([ms]) => ms!);
	wait.mockRestore();
	expect(rowOf(result, 'retryAfter').came).toBe(questions.retryAfter.answers[retryAfter].words);
	expect(said.some((line) => line.startsWith('The service asks to wait'))).toBe(true);
	expect(waits).toHaveLength(1);
	// A date has whole seconds.
	expect(waits[0]).toBeGreaterThan(retryAfter === 'date' ? 0 : 999);
	expect(waits[0]).toBeLessThanOrEqual(retryAfter === 'date' ? 2000 : 1000);
	expect(rowOf(result, 'leadsShape').verdict).not.toBe('not found out');
});

it('skips a question when the rate limit stays, and stops waiting when interrupted', async () => {
	const limited = { status: 429, headers: { 'Retry-After': '0' } };
	service.faults.add({ when: { path: '/get-leads' }, fault: { kind: 'status', ...limited } });
	const result = await probe(service, ['read']);
	expect(rowOf(result, 'leadsShape')).toMatchObject({
		came: 'status 429, JSON with a message',
		verdict: 'not found out',
	});

	service.faults.clear();
	service.faults.add({
		when: { path: '/get-leads' },
		fault: { kind: 'status', status: 429, headers: { 'Retry-After': '60' } },
	});
	const controller = new AbortController();
	const report = (line: string) => void (line.includes('asks to wait') && controller.abort());
	const { isInterrupted } = await probe(service, ['read'], { signal: controller.signal, report });
	expect(isInterrupted).toBe(true);
});

it('imports no code of the node', () => {
	const files = readdirSync(join(root, 'probe'), { recursive: true, encoding: 'utf8' });
	const imports = files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => [
			...readFileSync(join(root, 'probe', file), 'utf8').matchAll(/from '([^']+)'/g),
		])
		.map(([, path]) => path);
	expect(imports.length).toBeGreaterThan(20);
	const own =
		/^(\.\.?\/(?!.*\b(nodes|credentials|test)\b).*|crypto|node:util|node:timers\/promises)$/;
	expect(imports.filter((path) => !own.test(path))).toEqual([]);
});

describe('a run of every part', () => {
	const said: string[] = [];
	let announced: string;
	let foreign: string[];
	let harm: string[];
	let result: ProbeResult;
	let requests: RecordedRequest[];

	beforeAll(async () => {
		const whole = await scene();
		const { agent, conversations } = whole.store.chatbot(chatbotId);
		foreign = [...agent.sources, ...conversations].map(({ id }) => id);
		whole.onRequest(({ number }) => void (number === 1 && (announced = said.join('\n'))));
		const endWatch = watchCustomers(whole);
		result = await probe(whole, everyPart, { report: (line) => said.push(line) });
		harm = endWatch();
		requests = [...whole.requests];
		await whole.close();
	});

	it('changes and deletes only what it made', () => {
		const writes = requests.filter(({ method }) => ['PATCH', 'PUT', 'DELETE'].includes(method));
		expect(writes.length).toBeGreaterThan(10);
		for (const { path } of writes) {
			if (path.startsWith('/chatbots')) expect(path).toMatch(/probe[^/]*$/i);
			else expect(foreign).not.toContain(path.split('/').at(-1));
		}
		expect(harm).toEqual([]);
	});

	it('announces costs and leftovers before it writes or chats', () => {
		expect(announced).toMatch('cost credits');
		expect(announced).toMatch('Scratch contacts and two scratch sources are created');
		expect(announced).toMatch('custom attributes are created');
	});

	it('sends only documented requests, except those that test a refusal', () => {
		const refused = new Set([400, 401, 404]);
		const allowed = requests.filter(({ status }) => !refused.has(status ?? 0));
		const named = illegalities(allowed).filter((line) => !line.includes('n8n_probe_unknown'));
		expect(allowed.length).toBeGreaterThan(40);
		expect(named).toEqual([]);
	});

	it('asks every question', () => {
		const { rows } = result;
		const unasked = rows.filter(({ came }) => came === 'not asked');
		expect(unasked).toEqual([]);
		expect(rows).toHaveLength(Object.keys(questions).length);
	});

	it('succeeds when every answer is as assumed', () => {
		expect(statusOf(result)).toBe(0);
	});
});

describe('the answer', () => {
	it('is a table with counts', async () => {
		const result = await probe(service, ['read']);
		const lines = textOf(result, true).split('\n');
		const widths = new Set(lines.slice(0, result.rows.length + 2).map(({ length }) => length));
		expect(widths.size).toBe(1);
		expect(lines.at(-2)).toMatch(/^\d+ as assumed, \d+ handled, 0 DIFFERS, \d+ not found out\./);
		expect(lines.at(-2)).toMatch('the default address');
		expect(lines.at(-1)).toBe('Nothing is left behind.');
	});
});

describe('the options', () => {
	const key = { CHATBASE_API_KEY: 'k' };

	it.each([
		[[], {}, 'CHATBASE_API_KEY'],
		[[], { CHATBASE_API_KEY: 'schlüssel' }, 'characters that no key has'],
		[['--key', 'k'], key, "Unknown option '--key'. See --help."],
		[['bot'], key, "Unexpected argument 'bot'."],
		[['--chatbot'], key, "'--chatbot <value>' argument missing"],
		[['--write=yes'], key, "'--write' does not take an argument"],
		[['--make-attributes'], key, 'needs --write'],
		[['--base-url', 'chatbase.co'], key, '--base-url needs'],
		[['--base-url', 'https://a:b@example.com'], key, '--base-url needs'],
		[['--base-url', 'https://example.com/?a=b'], key, '--base-url needs'],
	])('refuse %j with %j', (args, environment, sentence) => {
		expect(() => readOptions(args, environment)).toThrow(UsageError);
		expect(() => readOptions(args, environment)).toThrow(sentence);
	});

	it('are the live service and reading by default', () => {
		expect(readOptions([], key)).toEqual({
			apiKey: 'k',
			baseUrl: 'https://www.chatbase.co/api/v1',
			isDefaultBaseUrl: true,
			chatbotId: undefined,
			parts: ['read'],
		});
		const all = ['--write', '--make-attributes', '--chat', '--base-url', 'http://a/v1/'];
		expect(readOptions(all, key)).toMatchObject({
			baseUrl: 'http://a/v1',
			isDefaultBaseUrl: false,
			parts: everyPart,
		});
	});
});

describe('a service without an answer', () => {
	it.each([
		[401, 'refuses the key'],
		[404, 'no such chatbot'],
	])('status %d', async (status, sentence) => {
		service.faults.add({ fault: { kind: 'status', status } });
		await expect(probe(service)).rejects.toThrow(sentence);
		expect(service.requests).toHaveLength(1);
	});

	it('no response', async () => {
		service.faults.add({ fault: { kind: 'resetBefore' } });
		await expect(probe(service)).rejects.toThrow('No response');
	});
});

describe('the command', () => {
	it('lists the chatbots and stops when none is named', async () => {
		const { status, printed, reported } = await command(service, []);
		expect(status).toBe(0);
		expect(printed).toMatch(`${chatbotId}  Probed`);
		expect(reported).toMatch('Keep this list private');
		expect(service.requests).toHaveLength(1);
	});

	it('prints the answer and sets the exit status', async () => {
		const right = await command(service, ['--chatbot', chatbotId]);
		expect(right.status).toBe(0);
		expect(right.printed.startsWith('| question')).toBe(true);
		service.faults.add({ when: { path: '/get-leads' }, fault: { kind: 'otherShape', body: {} } });
		const wrong = await command(service, ['--chatbot', chatbotId]);
		expect(wrong.status).toBe(1);
		expect(wrong.printed).toMatch(/in no known place \(expected: in collectedCustomers.data \//);
	});

	it('prints help, and the reason when an option is invalid', async () => {
		expect((await command(service, ['--help'])).printed).toMatch('--make-attributes');
		expect(await command(service, ['--nonsense'])).toMatchObject({
			status: 2,
			printed: '',
			reported: "Unknown option '--nonsense'. See --help.\n",
		});
	});
});

it('lists chatbots in both shapes, and fails when there is no list', async () => {
	const options = {
		apiKey: service.apiKey,
		baseUrl: service.baseUrl,
		isDefaultBaseUrl: false,
		parts: [],
	};
	const list = async () =>
		await listChatbots(options, { signal: new AbortController().signal, report: () => undefined });
	service.behaviour.chatbotListShape = 'chatbots.data';
	expect(await list()).toContain(`${chatbotId}  Probed`);
	service.behaviour.endpoints = 'contract';
	await expect(list()).rejects.toThrow('--chatbot');
});
