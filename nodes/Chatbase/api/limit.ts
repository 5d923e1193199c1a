import { sleep } from 'n8n-workflow';

/**
 * Lets at most `maximum` tasks run at once; the others wait in the order they came.
 *
 * @param maximum how many tasks may run at the same time, at least 1
 * @returns a function that runs a task when a slot is free and settles as the task does
 */
export function limitConcurrency(maximum: number) {
	const waiting: Array<() => void> = [];
	let running = 0;

	// A freed slot is handed over rather than given back, so nobody can slip in between.
	const handOver = () => {
		const next = waiting.shift();
		if (next) next();
		else running--;
	};

	/**
	 * @param task what to run
	 * @param isSettled whether the slot can go on at once; otherwise, and when the task fails, whoever waits for the
	 *   result may first do something about it, such as stopping all that are waiting
	 */
	return async function whenFree<Result>(
		task: () => Promise<Result>,
		isSettled: (result: Result) => boolean = () => true,
	): Promise<Result> {
		if (running < maximum) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		let goesOnAtOnce = false;
		try {
			const result = await task();
			goesOnAtOnce = isSettled(result);
			return result;
		} finally {
			if (goesOnAtOnce) handOver();
			else void sleep(0).then(handOver);
		}
	};
}

/**
 * Works on entries a few at a time. When one fails, no more are begun.
 *
 * @param entries what to work on, in this order
 * @param maximum how many may be worked on at the same time, at least 1
 * @param work what to do with each
 * @param take called with each result in the order of the entries, as soon as those before it are there
 * @throws what the first that failed has thrown, once all that were begun have ended
 */
export async function eachTogether<Entry, Result>(
	entries: Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<Result>,
	take: (result: Result) => void = () => {},
): Promise<void> {
	const waiting = new Map<number, Result>();
	const failures: unknown[] = [];
	let begun = 0;
	let taken = 0;
	const workThrough = async () => {
		while (begun < entries.length && failures.length === 0) {
			const index = begun++;
			try {
				waiting.set(index, await work(entries[index]));
				for (; waiting.has(taken); taken++) {
					take(waiting.get(taken)!);
					waiting.delete(taken);
				}
			} catch (error) {
				failures.push(error);
			}
		}
	};
	const count = Math.min(maximum, entries.length);
	await Promise.all(Array.from({ length: count }, workThrough));
	if (failures.length > 0) throw failures[0];
}
