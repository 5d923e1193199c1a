/**
 * Lets at most `maximum` tasks run at once; the others wait in the order they came.
 *
 * @returns a function that runs a task as soon as a slot is free
 */
export function limitConcurrency(maximum: number) {
	const waiting: Array<() => void> = [];
	let running = 0;

	return async function withSlot<Result>(task: () => Promise<Result>): Promise<Result> {
		if (running < maximum) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await task();
		} finally {
			// A freed slot is handed over rather than given back, so that nobody can slip in between.
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}

/** Works on entries in their order, at most `maximum` at a time. If one fails, no more are begun. */
export async function forEachLimited<Entry>(
	entries: Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	let next = 0;
	let hasFailed = false;
	const workThrough = async () => {
		while (next < entries.length && !hasFailed) {
			try {
				await work(entries[next++]);
			} catch (error) {
				hasFailed = true;
				throw error;
			}
		}
	};
	const workers = Array.from({ length: Math.min(maximum, entries.length) }, workThrough);
	const results = await Promise.allSettled(workers);
	const failure = results.find((result) => result.status === 'rejected');
	if (failure) throw failure.reason;
}
