/** n8n's Request Options, in a run and where n8n calls the tool itself. */
/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { fastTime, inSkippedTime } from '../fastTime';
import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';
import { selfSignedCertificate } from './certificate';

const testbed = useTestbed({ chatbotId });

/** A proxy that records requests and connects to nothing. */
let proxy: Server;
let proxied: string[] = [];

/** A service with an untrusted certificate. */
let secured: ReturnType<typeof createHttpsServer>;

const addressOf = (server: { address(): unknown }) =>
	`127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
	proxy = createHttpServer((request) => {
		proxied.push(`${request.method} ${request.url}`);
		request.socket.destroy();
	}).on('connect', ({ url }, socket) => {
		proxied.push(`CONNECT ${url}`);
		socket.destroy();
	});
	secured = createHttpsServer(selfSignedCertificate(), (_, response) => {
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ text: 'Hello' }));
	});
	for (const server of [proxy, secured]) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	}
});

beforeEach(() => {
	proxied = [];
});

afterAll(async () => {
	proxy.close();
	secured.close();
});

interface Told {
	/** The error of the node. */
	error?: string;
	records: unknown[];
}

/** The two ways in which n8n calls the node. */
const ways = {
	'in a run': async (parameters: INodeParameters, baseUrl: string): Promise<Told> => {
		const { error, items } = await testbed.run(parameters, {
			credentials: { chatbaseV1Api: { apiKey: testbed.service.apiKey, baseUrl } },
		});
		const words = error && `${error.message}. ${error.description}`;
		return { error: words, records: items.map(({ json }) => json) };
	},
	'in a tool': async (parameters: INodeParameters, baseUrl: string): Promise<Told> => {
		const { text } = await testbed.engine.callTool({
			parameters: { chatbotId, ...parameters },
			arguments: {},
			credentials: { chatbaseV1Api: { apiKey: testbed.service.apiKey, baseUrl } },
		});
		const records = JSON.parse(text!) as Array<{ error?: string }>;
		const [{ error }] = records;
		return { error, records: error === undefined ? records : [] };
	},
};

const chat = { resource: 'chat', operation: 'send', message: 'Hello' };

describe.each(Object.entries(ways))('%s', (_, call) => {
	it('Timeout ends a request, and the error names it', async () => {
		testbed.service.faults.add({ fault: { kind: 'stall' } });
		const requestOptions = { timeout: 12_345 };
		const { error, waited } = await inSkippedTime(testbed.service, async () => {
			const begun = Date.now();
			const told = await call({ ...chat, requestOptions }, testbed.service.baseUrl);
			return { ...told, waited: Date.now() - begun };
		});
		expect(error).toMatch(
			/^The service did not respond in time\. .*To wait longer, raise Timeout under Settings/,
		);
		expect(waited).toBeGreaterThanOrEqual(12_345);
		expect(waited).toBeLessThan(13_000);
		expect(testbed.service.requests).toHaveLength(1);
	});

	it('Proxy receives the requests', async () => {
		const requestOptions = { proxy: `http://${addressOf(proxy)}` };
		const { error } = await call({ ...chat, requestOptions }, testbed.service.baseUrl);
		expect(error).toMatch(/^The connection to the service was lost\. /);
		expect(proxied).toHaveLength(1);
		expect(proxied[0]).toContain(new URL(testbed.service.baseUrl).host);
		expect(testbed.service.requests).toEqual([]);
	});

	it('Ignore SSL Issues accepts any certificate, and the error names it when it is off', async () => {
		const baseUrl = `https://${addressOf(secured)}/api/v1`;
		const strict = await call({ ...chat, requestOptions: {} }, baseUrl);
		expect(strict.error).toMatch(
			/^The certificate of the service is not trusted\. .*turn on Ignore SSL Issues/,
		);
		const requestOptions = { allowUnauthorizedCerts: true };
		const { error, records } = await call({ ...chat, requestOptions }, baseUrl);
		expect(error).toBeUndefined();
		expect(records).toMatchObject([{ text: 'Hello' }]);
	});

	it('Batching paces the requests of one item too', async () => {
		testbed.service.store.seedContacts('bot', 30);
		const parameters = {
			resource: 'contact',
			operation: 'getAll',
			returnAll: true,
			options: { pageSize: 10 },
			requestOptions: {
				timeout: 600_000,
				batching: { batch: { batchSize: 1, batchInterval: 4000 } },
			},
		};
		const { records } = await inSkippedTime(
			testbed.service,
			async () => await call(parameters, testbed.service.baseUrl),
		);
		expect(records.flat()).toHaveLength(30);
		const [first, ...later] = testbed.service.requests.map(({ at }) => at);
		expect(later).toHaveLength(2);
		later.forEach((at, index) => {
			expect(at - first).toBeGreaterThanOrEqual((index + 1) * 4000 - 500);
		});
	});
});

it('Batching paces the items of a run', async () => {
	const requestOptions = {
		timeout: 600_000,
		batching: { batch: { batchSize: 2, batchInterval: 4000 } },
	};
	const input = Array.from({ length: 5 }, (_, id) => ({ id }));
	const { items } = await inSkippedTime(
		testbed.service,
		async () => await testbed.run({ ...chat, requestOptions }, { input }),
	);
	expect(items).toHaveLength(5);
	const times = testbed.service.requests.map(({ at }) => at).sort((one, other) => one - other);
	const batches = times.map((at) => Math.round((at - times[0]) / 4000));
	expect(batches).toEqual([0, 0, 1, 1, 2]);
});

it.each([
	'not an address',
	'socks5://127.0.0.1:1080',
	'ftp://127.0.0.1:21',
	'http://name:100%@127.0.0.1:3128',
])('a Proxy that n8n cannot use is refused before any request: %s', async (proxy) => {
	const { error } = await testbed.run({ ...chat, requestOptions: { proxy } });
	expect(error?.message).toBe('Proxy is not a web address');
	expect(testbed.service.requests).toEqual([]);
});

describe.each(['http', 'https'])('with a Base URL of %s, a Proxy', (scheme) => {
	const ask = async (address: string) => {
		const { apiKey } = testbed.service;
		const baseUrl = `${scheme}://service.example/api/v1`;
		const requestOptions = { proxy: address };
		const { error } = await testbed.run(
			{ ...chat, requestOptions },
			{ credentials: { chatbaseV1Api: { apiKey, baseUrl } } },
		);
		return error;
	};

	it.each(['http://127.0.0.1:1', 'http://proxy.invalid:3128'])(
		'is named, too, when it cannot be reached: %s',
		async (address) => {
			const restore = fastTime();
			const error = await ask(address).finally(restore);
			expect(error?.description).toContain('If you use a Proxy');
		},
	);
});
