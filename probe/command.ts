/** The probe as a command: its output and its exit status. */
import { readOptions, usage, UsageError } from './options';
import { statusOf, textOf } from './report';
import { listChatbots, runProbe } from './run';

export interface Terminal {
	args: string[];
	environment: Record<string, string | undefined>;
	/** For the answer. */
	print: (text: string) => void;
	/** For everything that is not the answer. */
	report: (text: string) => void;
	/** Calls a listener on each Ctrl+C. */
	onInterruption: (listener: () => void) => void;
	/** Ends the process at once. */
	exit: (status: number) => void;
	/** The present in milliseconds. */
	now: () => number;
}

/** One Ctrl+C may arrive several times: from the terminal and from each program in between. */
const echoMs = 1000;

/** @returns the exit status: 2 if the command couldn't run, else that of the answer */
export async function runCommand(terminal: Terminal): Promise<number> {
	return await carryOut(terminal).catch((error: Error) => {
		terminal.report(`${error instanceof UsageError ? error.message : String(error.stack)}\n`);
		return 2;
	});
}

async function carryOut({
	args,
	environment,
	print,
	report,
	onInterruption,
	exit,
	now,
}: Terminal): Promise<number> {
	const options = readOptions(args, environment);
	if (!options) {
		print(usage);
		return 0;
	}
	const interruption = new AbortController();
	const reportLine = (line: string) => report(`  ${line}\n`);
	let first = Infinity;
	onInterruption(() => {
		first = Math.min(first, now());
		if (now() - first > echoMs) {
			reportLine('Ended at once. The next run with --write deletes what is left.');
			return exit(130);
		}
		if (!interruption.signal.aborted) {
			reportLine('Ending after this request. Press Ctrl+C again to end at once.');
		}
		interruption.abort();
	});

	const surroundings = { signal: interruption.signal, report: reportLine };
	const { chatbotId } = options;
	if (chatbotId === undefined) {
		const chatbots = await listChatbots(options, surroundings);
		print(`${chatbots.join('\n')}\n`);
		reportLine('Choose one with --chatbot. Keep this list private: it has IDs and names.');
		return 0;
	}
	const result = await runProbe({ ...options, chatbotId }, surroundings);
	print(`${textOf(result, options.isDefaultBaseUrl)}\n`);
	return statusOf(result);
}
