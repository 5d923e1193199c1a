/**
 * Lets at most `maximum` tasks run at once; the others wait in the order they came.
 *
 * @param maximum how many tasks may run at the same time, at least 1
 * @returns a function that runs a task when a slot is free and settles as the task does
 */
export function limitConcurrency(maximum: number) {
	const waiting: Array<() => void> = [];
	let running = 0;

	return async function whenFree<Result>(task: () => Promise<Result>): Promise<Result> {
		if (running < maximum) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await task();
		} finally {
			// A freed slot is handed over rather than given back, so nobody can slip in between.
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}
