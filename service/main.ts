/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Starts the simulated service alone: `npm run service -- --help`. */
import { sentenceOf, startFromCommandLine } from './commandLine';

startFromCommandLine(process.argv.slice(2), (text) => process.stdout.write(text)).then(
	(service) => {
		process.once('SIGINT', () => void service?.close());
		process.once('SIGTERM', () => void service?.close());
	},
	(error: Error) => {
		process.stderr.write(`${sentenceOf(error)}\n`);
		process.exitCode = 1;
	},
);
