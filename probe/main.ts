/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Asks a live service how it behaves: `npm run probe -- --help`. */
import { readOptions, usage, UsageError } from './options';
import { jsonOf, statusOf, textOf } from './report';
import { listChatbots, runProbe } from './run';

const interruption = new AbortController();
const report = (line: string) => process.stderr.write(`  ${line}\n`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (interruption.signal.aborted) {
			report('Ended at once. The next run with --write finds what is left.');
			process.exit(130);
		}
		report('Ending after this request; once more ends at once.');
		interruption.abort();
	});
}

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2), process.env);
	if (!options) {
		process.stdout.write(usage);
		return 0;
	}
	const surroundings = { signal: interruption.signal, report };
	const { chatbotId } = options;
	if (chatbotId === undefined) {
		const chatbots = await listChatbots(options, surroundings);
		process.stdout.write(`${chatbots.join('\n')}\n`);
		report('Choose one with --chatbot. This list is not for pasting.');
		return 0;
	}
	const result = await runProbe({ ...options, chatbotId }, surroundings);
	process.stdout.write(`${(options.asJson ? jsonOf : textOf)(result, options)}\n`);
	return statusOf(result);
}

main().then(
	(status) => (process.exitCode = status),
	(error: Error) => {
		process.stderr.write(`${error instanceof UsageError ? error.message : String(error.stack)}\n`);
		process.exitCode = 2;
	},
);
