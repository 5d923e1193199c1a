const pending = new Set<() => void>();
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
let listening = false;

/**
 * In milliseconds, between a signal and the end. tsx passes signals on, and kills a program that
 * does not answer within 60; the tasks, which are synchronous, would keep it from answering.
 */
const breath = 200;

/**
 * Runs `task` when this process ends: normally, on an error or on Ctrl+C.
 * The task must be synchronous, since nothing is awaited then. The last task
 * runs first: a server ends before its folder is removed.
 *
 * @returns a function that removes the task.
 */
export function atEnd(task: () => void): () => void {
	listen();
	pending.add(task);
	return () => pending.delete(task);
}

function listen() {
	if (listening) return;
	listening = true;
	process.on('exit', () => {
		for (const task of [...pending].reverse()) task();
	});
	for (const [signal, number] of Object.entries(signalNumbers)) {
		process.on(signal, () => end(128 + number));
	}
}

/** Keeps an exit code that was set before: after its work, a program succeeds on Ctrl+C. */
function end(exitCode: number) {
	setTimeout(() => process.exit(process.exitCode ?? exitCode), breath);
}
