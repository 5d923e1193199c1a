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

async function carryOut(terminal: Terminal): Promise<number> {
	const { args, environment, print } = terminal;
	const options = readOptions(args, environment);
	if (!options) {
		print(usage);
		return 0;
	}

	const report = (line: string) => terminal.report(`  ${line}\n`);
	const surroundings = { signal: interruptionOf(terminal, report), report };
	const { chatbotId } = options;
	if (chatbotId === undefined) {
		const chatbots = await listChatbots(options, surroundings);
		print(`${chatbots.join('\n')}\n`);
		report('Choose one with --chatbot. Keep this list private: it has IDs and names.');
		return 0;
	}

	const result = await runProbe({ ...options, chatbotId }, surroundings);
	print(`${textOf(result, options.isDefaultBaseUrl)}\n`);
	return statusOf(result);
}

/** Ends the run after its request on the first Ctrl+C, and the process on another one. */
function interruptionOf(
	{ onInterruption, exit, now }: Terminal,
	report: (line: string) => void,
): AbortSignal {
	const interruption = new AbortController();
	let first = Infinity;

	onInterruption(() => {
		first = Math.min(first, now());
		if (now() - first > echoMs) {
			report('Ended at once. The next run with --write deletes what is left.');
			return exit(130);
		}

		if (!interruption.signal.aborted) {
			report('Ending after this request. Press Ctrl+C again to end at once.');
		}
		interruption.abort();
	});

	return interruption.signal;
}
