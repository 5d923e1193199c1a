/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/**
 * Starts the simulated service alone, with data to play with: `npm run service -- --help`.
 */
import { parseArgs } from 'node:util';

import { addDemoData } from './demoData';
import type { RateLimit } from './rateLimit';
import { startService } from './service';

const usage = `Options:
  --port <number>        port to listen on, 0 for any (default 4010)
  --contacts <number>    contacts of the first chatbot (default 250)
  --delay <number>       milliseconds that every request waits (default 0)
  --rate-limit <number>  requests allowed within 10 seconds (default: no limit)
  --help                 show this text
`;

void run().catch((error: NodeJS.ErrnoException & { port?: number }) => {
	const sentence =
		error.code === 'EADDRINUSE'
			? `Port ${error.port} is in use. Choose another one with --port, or 0 for any.`
			: error.message;
	process.stderr.write(`${sentence}\n`);
	process.exitCode = 1;
});

async function run(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			contacts: { type: 'string', default: '250' },
			delay: { type: 'string', default: '0' },
			'rate-limit': { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(usage);
		return;
	}
	const limit = values['rate-limit'];
	const service = await startService({
		port: wholeNumber('--port', values.port),
		delayMs: wholeNumber('--delay', values.delay),
		rateLimit: limit === undefined ? undefined : tenSeconds(wholeNumber('--rate-limit', limit)),
	});
	addDemoData(service.store, wholeNumber('--contacts', values.contacts));
	process.stdout.write(
		[
			'The simulated service is running. Type into the credential in n8n:',
			`  Base URL  ${service.baseUrl}`,
			`  API Key   ${service.apiKey}`,
			`Chatbots: ${[...service.store.chatbots.keys()].join(', ')}. Ctrl+C ends it.`,
			'',
		].join('\n'),
	);
	process.once('SIGINT', () => void service.close());
	process.once('SIGTERM', () => void service.close());
}

function tenSeconds(requests: number): RateLimit {
	return { requests, windowMs: 10_000, retryAfter: 'seconds' };
}

function wholeNumber(option: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`${option} takes a whole number, not "${text}".`);
	return Number(text);
}
