/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The service from the command line. */
import { parseArgs } from 'node:util';

import { addDemoData } from './core/demoData';
import type { RateLimit } from './core/rateLimit';
import { startService, type SimulatedService } from './core/service';

const usage = `npm run service starts the simulated service alone.

  --port <number>        port to listen on, 0 for any (default 4010)
  --contacts <number>    contacts of the first chatbot (default 250)
  --delay <number>       milliseconds that every request waits (default 0)
  --rate-limit <number>  requests allowed within 10 seconds (default: no limit)
  --local-actions        lets custom actions call this machine without TLS
  --help                 show this text
`;

/**
 * Starts the service with demo data, and prints what to enter in n8n.
 *
 * @param args the options as typed
 * @returns the running service; undefined when only help was asked for
 * @throws Error if an option is unknown or invalid, or the port is in use
 */
export async function startFromCommandLine(
	args: string[],
	print: (text: string) => void,
): Promise<SimulatedService | undefined> {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '4010' },
			contacts: { type: 'string', default: '250' },
			delay: { type: 'string', default: '0' },
			'rate-limit': { type: 'string' },
			'local-actions': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		print(usage);
		return undefined;
	}

	const limit = values['rate-limit'];
	const contacts = numberOf('--contacts', values.contacts);
	const service = await startService({
		port: numberOf('--port', values.port),
		delayMs: numberOf('--delay', values.delay),
		allowsLocalActions: values['local-actions'],
		rateLimit: limit === undefined ? undefined : inTenSeconds(numberOf('--rate-limit', limit)),
	});
	addDemoData(service.store, contacts);

	print(`The simulated service is running. Type into the credential in n8n:
  Base URL  ${service.baseUrl}
  API Key   ${service.apiKey}
Chatbots: ${[...service.store.chatbots.keys()].join(', ')}. Ctrl+C ends it.
`);
	return service;
}

/** The sentence for an error of `startFromCommandLine`. */
export function sentenceOf(error: NodeJS.ErrnoException & { port?: number }): string {
	return error.code === 'EADDRINUSE'
		? `Port ${error.port} is in use. Choose another one with --port, or 0 for any.`
		: error.message;
}

function inTenSeconds(requests: number): RateLimit {
	return { requests, windowMs: 10_000, retryAfter: 'seconds' };
}

function numberOf(option: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`${option} takes a whole number, not "${text}".`);
	return Number(text);
}
