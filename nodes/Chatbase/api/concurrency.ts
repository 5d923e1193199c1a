import { sleep } from 'n8n-workflow';

/** Works on entries in order, at most `maximum` at a time. If one fails, no more are started. */
export async function forEachLimited<Entry>(
	entries: Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	let next = 0;

	const workThrough = async () => {
		try {
			while (next < entries.length) {
				const entry = entries[next];
				next++;
				await work(entry);
			}
		} finally {
			next = entries.length;
		}
	};

	const workers = Array.from({ length: Math.min(maximum, entries.length) }, workThrough);
	const results = await Promise.allSettled(workers);

	const failure = results.find((result) => result.status === 'rejected');
	if (failure) throw failure.reason;
}

/** What can be done at the same time. Who waits is served in the order of the calls. */
export class Slots {
	private taken = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(readonly maximum: number) {}

	/** @param isFailure whether a result is a failure, as an error is */
	async use<Result>(
		work: () => Promise<Result>,
		isFailure: (result: Result) => boolean,
	): Promise<Result> {
		await this.take();
		let hasFailed = true;

		try {
			const result = await work();
			hasFailed = isFailure(result);
			return result;
		} finally {
			// A failure leaves the slot one tick later, so that the caller can stop those who wait.
			if (hasFailed) void sleep(0).then(() => this.release());
			else this.release();
		}
	}

	private async take() {
		if (this.taken < this.maximum) this.taken++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** The slot goes to the next one who waits, so that no later call gets it first. */
	private release() {
		const next = this.waiting.shift();
		if (next) next();
		else this.taken--;
	}
}
