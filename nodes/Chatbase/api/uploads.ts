/**
 * The service accepts 10 uploads a minute for each account, and counts those that it refuses (reference of version 2,
 * 14.3).
 */
const maxUploads = 10;

/** Milliseconds: a minute, and a second for requests that take longer to arrive than others. */
const uploadWindow = 61_000;

/** In place of the usual waits of a rejected request. */
export const uploadWaits = { maxWait: 10 * 60_000, usualWait: uploadWindow };

/** The uploads of a run with one credential. */
export class Uploads {
	/** By `performance.now()`, including refused ones. */
	readonly starts: number[] = [];

	private last: Promise<unknown> = Promise.resolve();

	/** Milliseconds until the next one can start; negative if it can start now. */
	get wait(): number {
		const before = this.starts[this.starts.length - maxUploads] ?? -Infinity;
		return before + uploadWindow - performance.now();
	}

	/** Counts an upload that starts now. */
	start() {
		this.starts.push(performance.now());
	}

	/** Does one thing after the other, so that only one file is in memory. */
	async inTurn<Result>(upload: () => Promise<Result>): Promise<Result> {
		const result = this.last.then(upload);
		this.last = result.catch(() => undefined);
		return await result;
	}
}
