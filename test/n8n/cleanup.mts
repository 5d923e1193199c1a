const pending = new Set<() => void>();
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
let listening = false;

/**
 * In milliseconds, between a signal and the end. tsx passes signals on, and kills a program that
 * does not answer within 60; the tasks, which are synchronous, would keep it from answering.
 */
const breath = 200;

/**
 * Has `task` run when this process ends, however it ends: at its own end, on an error or on Ctrl+C.
 * The task has to be synchronous, since nothing is awaited any more at that point. What was asked
 * for last runs first: a server ends before the folder that it writes to is removed.
 *
 * @returns a function that takes the task off again, for when its work has been done.
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

/** An exit code that was set before stays: a program whose work is done ends well by Ctrl+C. */
function end(exitCode: number) {
	setTimeout(() => process.exit(process.exitCode ?? exitCode), breath);
}
