/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Asks a live service how it behaves: `npm run probe -- --help`. */
import { runCommand } from './command';

void runCommand({
	args: process.argv.slice(2),
	environment: process.env,
	print: (text) => process.stdout.write(text),
	report: (text) => process.stderr.write(text),
	onInterruption(listener) {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener);
	},
	exit: (status) => process.exit(status),
	now: Date.now,
}).then((status) => (process.exitCode = status));
