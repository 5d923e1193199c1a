/**
 * The service accepts 10 uploads a minute for each account, and counts those that it refuses (reference of version 2).
 */
const maxUploads = 10;

/** Milliseconds: a minute, and a second for requests that take longer to arrive than others. */
const uploadWindow = 61_000;

/** They replace the usual waits of a rejected request. */
export const uploadWaits = { maxWait: 10 * 60_000, usualWait: uploadWindow };

/** The uploads of a run with one credential. */
export class Uploads {
	/** When each upload started, by `performance.now()`. Refused ones are included. */
	readonly starts: number[] = [];

	private last: Promise<unknown> = Promise.resolve();

	/** Milliseconds until the next upload can start; negative if it can start now. */
	get wait(): number {
		const before = this.starts[this.starts.length - maxUploads] ?? -Infinity;
		return before + uploadWindow - performance.now();
	}

	/** Counts an upload that starts now. */
	start(): void {
		this.starts.push(performance.now());
	}

	/** Runs one upload after the other, so that only one file is in memory. */
	async inTurn<Result>(upload: () => Promise<Result>): Promise<Result> {
		const result = this.last.then(upload);
		this.last = result.catch(() => undefined);
		return await result;
	}
}
