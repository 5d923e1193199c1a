/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { titleOf } from '../../errorTexts';
import { fastTime } from '../fastTime';
import { useTestbed } from '../testbed';
import { inputOf, read } from '../parameters';

const testbed = useTestbed();

/** A proxy that records its targets and connects to none. */
let proxy: Server;
const connections: string[] = [];

beforeAll(async () => {
	proxy = createServer().on('connect', ({ url }, socket) => {
		connections.push(url!);
		socket.destroy();
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
});

beforeEach(() => void testbed.service.store.addContact('bot', { external_id: 'c0' }));

afterAll(() => void proxy.close());

/** The three settings of the credential. n8n allows the default Base URL in each. */
const settings = {
	all: { allowedHttpRequestDomains: 'all' },
	'domains, another one': { allowedHttpRequestDomains: 'domains', allowedDomains: 'n8n.example' },
	none: { allowedHttpRequestDomains: 'none' },
};

describe.each(Object.entries(settings))('Allowed HTTP Request Domains: %s', (_, restriction) => {
	it('reaches a custom Base URL', async () => {
		const { apiKey, baseUrl } = testbed.service;
		const { items } = await testbed.succeed(read, {
			input: inputOf(1),
			credentials: { chatbaseV1Api: { apiKey, baseUrl, ...restriction } },
		});
		expect(items[0].json.external_id).toBe('c0');
	});

	it('reaches the default Base URL', async () => {
		connections.length = 0;
		const restore = fastTime();
		const { port } = proxy.address() as AddressInfo;
		const { error } = await testbed.run(
			{ ...read, requestOptions: { proxy: `http://127.0.0.1:${port}`, timeout: 600_000 } },
			{
				input: inputOf(1),
				credentials: { chatbaseV1Api: { apiKey: 'key', ...restriction } },
			},
		);
		restore();
		expect(new Set(connections)).toEqual(new Set(['www.chatbase.co:443']));
		expect(error?.message).toBe(titleOf('broken'));
	});

	it('follows no redirect to another host', async () => {
		const { apiKey, baseUrl } = testbed.service;
		testbed.service.faults.add({
			when: { times: 1 },
			fault: { kind: 'redirect', location: 'https://n8n.example/api/v1/contacts' },
		});
		const { error } = await testbed.run(read, {
			input: inputOf(1),
			credentials: { chatbaseV1Api: { apiKey, baseUrl, ...restriction } },
		});
		expect(error?.message).toBe(titleOf('redirect'));
	});
});
