/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine } from './harness';
import { writeFixturePackage } from './harness/fixturePackage';
import { FixtureService } from './harness/fixtureService';

const service = new FixtureService();
const fixture = writeFixturePackage();
let baseUrl: string;
let engine: Engine;

beforeAll(async () => {
	baseUrl = await service.start();
	const credentials = { fixtureApi: { apiKey: 'key', baseUrl } };
	engine = await createEngine({ packageFolder: fixture.folder, credentials });
});

beforeEach(() => service.forget());

afterAll(async () => {
	await service.stop();
	engine.close();
	fixture.remove();
});

const thing = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const paths = () => service.received.map(({ path }) => path);

describe('a run', () => {
	it('resolves expressions and sends the credential of the user', async () => {
		const { outputs, tries, error } = await engine.run({
			parameters: { thing },
			input: [{ id: 'one' }],
		});
		expect(error).toBeUndefined();
		expect(outputs).toEqual([[{ json: { path: '/thing/one' }, pairedItem: { item: 0 } }]]);
		expect(tries).toBe(1);
		expect(service.received[0].authorization).toBe('Bearer key');
	});

	it('uses the credential of one run instead of the engine’s', async () => {
		const credentials = { fixtureApi: { apiKey: 'another', baseUrl } };
		const { error } = await engine.run({ parameters: { operation: 'list' }, credentials });
		expect(error).toMatchObject({ httpCode: '401' });
		expect(service.received[0].authorization).toBe('Bearer another');
	});

	it('resolves expressions in a credential', async () => {
		const credentials = { fixtureApi: { apiKey: '={{ "k" + "ey" }}', baseUrl } };
		const { error } = await engine.run({ parameters: { operation: 'list' }, credentials });
		expect(error).toBeUndefined();
	});

	it.each([
		['all', undefined],
		['domains', 'NodeApiError'],
	])(
		'allows only the domains that the user allows: %s',
		async (allowedHttpRequestDomains, name) => {
			const allowed = { allowedHttpRequestDomains, allowedDomains: 'n8n.example' };
			const { error } = await engine.run({
				parameters: { thing },
				input: [{ id: 'moved' }],
				credentials: { fixtureApi: { apiKey: 'key', baseUrl, ...allowed } },
			});
			expect(error?.name).toBe(name);
		},
	);

	it('keeps the pairing that the node sets', async () => {
		const { items } = await engine.run({ parameters: { operation: 'list' }, input: [{}, {}] });
		expect(items.map(({ json, pairedItem }) => [json.thing, pairedItem])).toEqual([
			['a', { item: 0 }],
			['b', { item: 0 }],
			['a', { item: 1 }],
			['b', { item: 1 }],
		]);
	});

	it('knows the time zone of the workflow', async () => {
		await engine.run({
			parameters: { operation: 'list', date: '={{ $now.zoneName }}' },
			timezone: 'Asia/Tokyo',
		});
		expect(service.received[0].query).toEqual({ date: 'Asia/Tokyo' });
	});

	it('refuses a node without a required parameter, as n8n does', async () => {
		const { error, run } = await engine.run({ parameters: { needed: '' } });
		expect(error?.name).toBe('WorkflowHasIssuesError');
		expect(run).toBeUndefined();
		expect(service.received).toEqual([]);
	});

	it('passes binary data to the node and back', async () => {
		const file = { data: Buffer.from('content').toString('base64'), mimeType: 'text/plain' };
		const { items, error } = await engine.run({
			parameters: { operation: 'upload' },
			input: [{ json: {}, binary: { file } }],
		});
		expect(error).toBeUndefined();
		expect(service.received[0].body).toBe('content');
		expect(items[0].json).toEqual({ size: 7 });
		expect(items[0].binary?.file).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
	});

	it('applies the Batching option', async () => {
		const batch = { batchSize: 2, batchInterval: 300 };
		const start = performance.now();
		await engine.run({
			parameters: { thing, requestOptions: { batching: { batch } } },
			input: [{ id: 1 }, { id: 2 }, { id: 3 }],
		});
		// By the clock of the run: on a busy machine all three may arrive together.
		expect(performance.now() - start).toBeGreaterThan(290);
		expect(service.received).toHaveLength(3);
	});

	it('separates runs at the same time', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `run-${index}`);
		const results = await Promise.all(
			ids.map(async (id) => await engine.run({ parameters: { thing }, input: [{ id }] })),
		);
		const expected = ids.map((id) => [`/thing/${id}`, 1]);
		expect(results.map(({ items, tries }) => [items[0].json.path, tries])).toEqual(expected);
	});
});

describe('an item that fails', () => {
	const parameters = { thing };
	const input = [{ id: 'one' }, { id: 'missing' }, { id: 'two' }];

	it('stops the execution', async () => {
		const { error, items } = await engine.run({ parameters, input });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			description: 'Not there',
			context: { itemIndex: 1 },
		});
		expect(items).toEqual([]);
	});

	it('continues on the regular output', async () => {
		const { error, outputs } = await engine.run({
			parameters,
			input,
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(outputs).toEqual([
			[
				{ json: { path: '/thing/one' }, pairedItem: { item: 0 } },
				{ json: { error: 'Not there' }, pairedItem: { item: 1 } },
				{ json: { path: '/thing/two' }, pairedItem: { item: 2 } },
			],
		]);
	});

	it('uses the error output with the fields of its input', async () => {
		const { outputs } = await engine.run({
			parameters,
			input,
			nodeSettings: { onError: 'continueErrorOutput' },
		});
		expect(outputs.map((items) => items.map(({ json }) => json))).toEqual([
			[{ path: '/thing/one' }, { path: '/thing/two' }],
			[{ id: 'missing', error: 'Not there' }],
		]);
	});

	it('is tried again by Retry On Fail', async () => {
		service.failNext(2);
		const { error, items, tries } = await engine.run({
			parameters: { thing },
			input: [{ id: 'one' }],
			nodeSettings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(tries).toBe(3);
		expect(service.received).toHaveLength(3);
	});

	it('fails after the last try', async () => {
		service.failNext(5);
		const { error, tries } = await engine.run({
			parameters: { operation: 'list' },
			nodeSettings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error).toMatchObject({ httpCode: '500' });
		expect(tries).toBe(2);
	});

	it('reports an unreachable service as n8n does', async () => {
		const credentials = { fixtureApi: { apiKey: 'key', baseUrl: 'http://127.0.0.1:1' } };
		const { error } = await engine.run({ parameters: { operation: 'list' }, credentials });
		expect(error).toMatchObject({ name: 'NodeApiError' });
		expect(error?.message).toContain('refused the connection');
	});
});

describe('streaming', () => {
	const parameters = { operation: 'stream' };

	it('collects the pieces with their items', async () => {
		const { chunks, items } = await engine.run({ parameters, streaming: true, mode: 'webhook' });
		expect(chunks[0].type).toBe('begin');
		expect(chunks.at(-1)?.type).toBe('end');
		const parts = chunks.filter(({ type }) => type === 'item');
		expect(parts.map(({ content }) => content).join('')).toBe('one two');
		expect(chunks[0].metadata).toMatchObject({ nodeName: 'Node', itemIndex: 0, runIndex: 0 });
		expect(items[0].json).toEqual({ text: 'one two' });
	});

	it('is off when the trigger does not answer as a stream', async () => {
		const { chunks, items } = await engine.run({ parameters });
		expect(chunks).toEqual([]);
		expect(items[0].json).toEqual({ text: 'one two' });
	});

	it('is off in a mode that cannot stream', async () => {
		const { chunks } = await engine.run({ parameters, streaming: true, mode: 'trigger' });
		expect(chunks.filter(({ type }) => type === 'item')).toEqual([]);
	});
});

describe('a canceled execution', () => {
	it('aborts the current request', async () => {
		const stop = new AbortController();
		service.once('request', () => stop.abort());
		const { error, run } = await engine.run({
			parameters: { thing },
			input: [{ id: 'never' }],
			signal: stop.signal,
		});
		expect(run?.status).toBe('canceled');
		expect(error?.message).toContain('cancel');
	});
});

describe('a workflow', () => {
	const list = { name: 'List', parameters: { operation: 'list' } };
	const get = (name: string, value: string) => ({
		name,
		parameters: { thing: { __rl: true, mode: 'id', value } },
	});

	it('passes the items of a node to the next node', async () => {
		const { nodes } = await engine.runWorkflow({ nodes: [list, get('Get', '={{ $json.thing }}')] });
		expect(nodes.Get.items.map(({ json }) => json.path)).toEqual(['/thing/a', '/thing/b']);
	});

	it('resolves the paired item of an earlier node', async () => {
		const { nodes } = await engine.runWorkflow({
			nodes: [
				list,
				get('First', '={{ $json.thing }}'),
				get('Back', '={{ $("List").item.json.thing }}'),
			],
		});
		expect(nodes.Back.items.map(({ json }) => json.path)).toEqual(['/thing/a', '/thing/b']);
	});

	it('runs branches, each with its own input', async () => {
		const { nodes } = await engine.runWorkflow({
			nodes: [get('Left', 'left'), get('Right', 'right')],
			connections: [
				{ from: 'Start', to: 'Left' },
				{ from: 'Start', to: 'Right' },
			],
		});
		expect(nodes.Left.items[0].json).toEqual({ path: '/thing/left' });
		expect(nodes.Right.items[0].json).toEqual({ path: '/thing/right' });
		expect(paths()).toEqual(['/thing/left', '/thing/right']);
	});
});

describe('a tool', () => {
	const parameters = {
		thing: { __rl: true, mode: 'id', value: "={{ $fromAI('id', 'ID of the thing', 'string') }}" },
	};

	it('answers the agent with text', async () => {
		const { text, error, tools } = await engine.callTool({ parameters, arguments: { id: 'one' } });
		expect(error).toBeUndefined();
		expect(JSON.parse(text!)).toEqual([{ path: '/thing/one' }]);
		expect(tools[0].description).toBe('Get thing in Fixture');
	});

	it('throws what the node throws', async () => {
		const { text, error } = await engine.callTool({ parameters, arguments: { id: 'missing' } });
		expect(text).toBeUndefined();
		expect(error?.message).toContain('Details: Not there');
	});

	it('refuses arguments that its schema does not allow', async () => {
		const { error } = await engine.callTool({ parameters, arguments: {} });
		expect(error?.name).toBe('ZodError');
		expect(service.received).toEqual([]);
	});

	it('is called several times at once, next to another tool of the same agent', async () => {
		const { answers } = await engine.callTools({
			tools: [
				{ name: 'Get', parameters },
				{ name: 'List', parameters: { operation: 'list' } },
			],
			calls: [
				{ tool: 'Get', arguments: { id: 'one' } },
				{ tool: 'List', arguments: {} },
				{ tool: 'Get', arguments: { id: 'two' } },
			],
		});
		expect(answers.map(({ text }) => JSON.parse(text!))).toEqual([
			[{ path: '/thing/one' }],
			[{ thing: 'a' }, { thing: 'b' }],
			[{ path: '/thing/two' }],
		]);
	});

	it('is an error when the agent itself cannot work', async () => {
		const broken = { thing: "={{ $fromAI('not a key!') }}" };
		const { error } = await engine.callTool({ parameters: broken, arguments: {} });
		expect(error?.message).toContain('not a key!');
	});
});

describe('the editor', () => {
	it('searches a list', async () => {
		const result = await engine.listSearch('things', {
			parameters: { thing: { __rl: true, mode: 'list', value: 'mine' } },
			filter: 'some',
			paginationToken: 'one',
		});
		expect(result.results.map(({ value }) => value)).toEqual(['a', 'b']);
		expect(result.paginationToken).toBe('two');
		expect(service.received[0].query).toEqual({ filter: 'some', page: 'one', kind: 'mine' });
	});

	it('lists the fields of a mapper', async () => {
		expect((await engine.resourceMapping('fields')).fields[0].id).toBe(baseUrl);
	});

	it.each([
		['a good one', 'key', '', 'OK', 'Connection successful!'],
		['a refused key', 'wrong', '', 'Error', 'The key is refused'],
		['another service', 'key', '/another', 'Error', 'Not the right service'],
	])('tests a credential: %s', async (_, apiKey, path, status, message) => {
		const data = { apiKey, baseUrl: baseUrl + path };
		expect(await engine.testCredential('fixtureApi', data)).toEqual({ status, message });
	});

	it('tests a credential: no service', async () => {
		const data = { apiKey: 'key', baseUrl: 'http://127.0.0.1:1' };
		expect(await engine.testCredential('fixtureApi', data)).toEqual({
			status: 'Error',
			message: 'ECONNREFUSED',
		});
	});

	it('tests a credential: a failure without a rule', async () => {
		service.failNext(1);
		expect(await engine.testCredential('fixtureApi', { apiKey: 'key', baseUrl })).toEqual({
			status: 'Error',
			message: 'Internal Server Error',
		});
	});
});

describe('a polling trigger', () => {
	const node = 'n8n-nodes-fixture.fixtureTrigger';

	it('remembers from poll to poll, and across restarts', async () => {
		const poller = engine.poller({ node });
		expect((await poller.poll()).items[0].json).toEqual({ thing: 'a', mode: 'trigger' });
		const restarted = engine.poller({ node, staticData: poller.staticData, activation: 'init' });
		expect((await restarted.poll()).items[0].json).toEqual({ thing: 'b', mode: 'trigger' });
		expect((await restarted.poll()).outputs).toBeNull();
		expect(restarted.staticData).toEqual({ known: 3 });
	});

	it('forgets what a failed poll remembered', async () => {
		const poller = engine.poller({ node });
		service.failNext(1);
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: '500' });
		expect(poller.staticData).toEqual({});
	});

	it('saves no state of a test in the editor', async () => {
		const poller = engine.poller({ node });
		const { items, staticData } = await poller.test();
		expect(items[0].json).toEqual({ thing: 'a', mode: 'manual' });
		expect(staticData).toEqual({ known: 1 });
		expect(poller.staticData).toEqual({});
	});
});

describe('the folder for n8n', () => {
	const folderOf = (pid: number) => mkdtempSync(join(tmpdir(), `n8n-engine-${pid}-`));

	it('is removed by the next process only when its process was killed', () => {
		// No process has this ID.
		const dead = folderOf(2 ** 30);
		const alive = folderOf(process.pid);
		const own = process.env.N8N_USER_FOLDER;
		jest.isolateModules(() => {
			const { removeUserFolder } =
				jest.requireActual<typeof import('./harness/environment')>('./harness/environment');
			removeUserFolder();
		});
		process.env.N8N_USER_FOLDER = own;
		expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
		rmSync(alive, { recursive: true });
	});
});
