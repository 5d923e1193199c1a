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
		const { origin } = new URL(incoming.url!);
		const address = incoming.url!.replace(origin, this.origins[origin] ?? origin);
		// A request that got lost must not leave this machine.
		if (new URL(address).hostname !== '127.0.0.1') return void outgoing.destroy();
		const onward = request(address, { method, headers }, (response) => {
			outgoing.writeHead(response.statusCode!, response.headers);
			response.pipe(outgoing);
		});
		incoming.pipe(onward);
	});

	/** @param origins where an origin is in truth, such as that of a host that exists in tests only */
	constructor(private readonly origins: Record<string, string> = {}) {}

	static async start(origins?: Record<string, string>): Promise<Proxy> {
		const proxy = new Proxy(origins);
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
