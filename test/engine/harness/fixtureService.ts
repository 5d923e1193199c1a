/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that reached the service. */
export interface Received {
	path: string;
	query: Record<string, string>;
	authorization?: string;
	body: string;
}

/** A service for the tests of the harness itself. */
export class FixtureService extends EventEmitter<{ request: [Received] }> {
	readonly received: Received[] = [];
	private failures = 0;
	private readonly server = createServer((request, response) => {
		void this.handle(request, response);
	});

	/** Starts listening and answers with the service's address. */
	async start(): Promise<string> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}

	/** Lets the next requests fail. */
	failNext(count: number): void {
		this.failures = count;
	}

	/** Forgets the requests seen so far. */
	forget(): void {
		this.received.length = 0;
		this.failures = 0;
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
		const received = {
			path: pathname,
			query: Object.fromEntries(searchParams),
			authorization: request.headers.authorization,
			body: (await buffer(request)).toString(),
		};
		this.received.push(received);
		this.emit('request', received);
		if (this.failures > 0) {
			this.failures--;
			return answer(response, 500, { message: 'The service fails' });
		}
		if (received.authorization !== 'Bearer key') return answer(response, 401, { message: 'No' });
		if (pathname === '/stream') return streamWords(response);
		if (pathname === '/things') return answer(response, 200, { things: ['a', 'b'], next: 'two' });
		if (pathname === '/upload') return answer(response, 200, { size: received.body.length });
		if (pathname === '/thing/never') return undefined;
		if (pathname === '/thing/moved') {
			const elsewhere = `http://localhost:${request.socket.localPort}/thing/one`;
			response.writeHead(302, { location: elsewhere }).end();
			return undefined;
		}
		if (pathname === '/thing/missing') return answer(response, 404, { message: 'Not there' });
		return answer(response, 200, { path: pathname });
	}
}

function answer(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function streamWords(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'text/plain' });
	response.write('one ', () => response.end('two'));
}
