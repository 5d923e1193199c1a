/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy that forwards and records all requests. */
export class Proxy {
	/** The addresses that were asked for. */
	readonly passed: string[] = [];

	private readonly server = createServer((incoming, outgoing) => {
		this.passed.push(incoming.url!);
		const { method, headers } = incoming;
		const onward = request(incoming.url!, { method, headers }, (response) => {
			outgoing.writeHead(response.statusCode!, response.headers);
			response.pipe(outgoing);
		});
		incoming.pipe(onward);
	});

	static async start(): Promise<Proxy> {
		const proxy = new Proxy();
		proxy.server.listen(0, '127.0.0.1');
		await once(proxy.server, 'listening');
		return proxy;
	}

	get address(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}
}
