/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** A server whose responses a test writes byte by byte, and an engine whose credential leads to it. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';

import { defaultApiKey as apiKey } from '../../service';
import { createEngine, type Engine } from './harness';

export class OwnServer {
	engine!: Engine;
	/** Requests since the test began. */
	requests = 0;
	answer: (response: ServerResponse) => void = () => undefined;
	/** Resolves when the connection of the last request is closed. */
	closed!: Promise<unknown>;
}

export function useOwnServer(): OwnServer {
	const own = new OwnServer();
	const server = createServer((request, response) => {
		own.requests++;
		// A connection that is reset while the service writes has an error first; `once` would reject with it.
		own.closed = new Promise((resolve) => request.socket.once('close', resolve));
		request.resume();
		own.answer(response);
	});
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		own.engine = await createEngine({ credentials: { chatbaseV1Api: { apiKey, baseUrl } } });
	});
	beforeEach(() => (own.requests = 0));
	afterAll(async () => {
		own.engine.close();
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	});
	return own;
}

/** Writes a text again and again until the client leaves. */
export function drip(response: ServerResponse, text: string, milliseconds: number): void {
	const timer = setInterval(() => response.write(text), milliseconds);
	response.on('close', () => clearInterval(timer));
}
