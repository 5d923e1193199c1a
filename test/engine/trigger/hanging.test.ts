/** A service that never ends a response must not keep later polls away. */
/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';

import type { IDataObject } from 'n8n-workflow';

import { fastTime } from '../fastTime';
import { createEngine, type Engine } from '../harness';
import { byId } from '../testbed';
import { trigger } from './watch';

let engine: Engine;
let requests = 0;
let answer: (response: ServerResponse) => void;

const server = createServer((request, response) => {
	requests++;
	request.resume();
	answer(response);
});

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	engine = await createEngine({ credentials: { chatbaseV1Api: { apiKey: 'key', baseUrl } } });
});

let timeAsUsual: () => void;

beforeEach(() => {
	// Node.js runs this clock itself, so that no fake timer holds it: 30 seconds become 0.15.
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((time) => timeout(Math.ceil(time / 200)));
	timeAsUsual = fastTime(200);
});

afterEach(() => {
	timeAsUsual();
	jest.restoreAllMocks();
});

afterAll(async () => {
	engine.close();
	server.close();
	server.closeAllConnections();
	await once(server, 'close');
});

function hold(...contacts: IDataObject[]) {
	answer = (response) => {
		response.setHeader('content-type', 'application/json');
		response.setHeader('date', new Date().toUTCString());
		const pages = { page: 1, per_page: 1000, total_pages: 1 };
		response.end(JSON.stringify({ data: contacts, total: contacts.length, pages }));
	};
}

it.each<[string, (response: ServerResponse) => void]>([
	['never begins', () => {}],
	['never ends', (response) => response.write('{"data":')],
	[
		'drips',
		(response) => {
			const timer = setInterval(() => response.write(' '), 25);
			response.on('close', () => clearInterval(timer));
		},
	],
])('reports what happened meanwhile when a response %s', async (_, hang) => {
	const poller = engine.poller({
		node: trigger,
		parameters: { event: 'contactCreated', chatbotId: byId('bot') },
	});
	const memory = {};
	hold();
	await poller.pollOn(memory);

	requests = 0;
	const isReached = new Promise<void>((resolve) => {
		answer = (response) => {
			hang(response);
			resolve();
		};
	});
	const hanging = poller.pollOn(memory).catch((error: Error) => error);
	await isReached;
	const { outputs } = await poller.pollOn(memory);
	expect({ outputs, requests }).toEqual({ outputs: null, requests: 1 });
	expect(await hanging).toMatchObject({ message: 'The service did not respond in time' });

	hold({ id: '1', external_id: 'new', created_at: Math.floor(Date.now() / 1000) });
	const { items } = await poller.pollOn(memory);
	expect(items.map(({ json }) => json.external_id)).toEqual(['new']);
});
