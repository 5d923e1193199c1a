import { sleep } from 'n8n-workflow';

import type { ApiResponse } from './response';
import type { Pace } from './settings';

/** Works on entries in order, at most `maximum` at a time. If one fails, no more are started. */
export async function forEachLimited<Entry>(
	entries: Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	let next = 0;
	const workThrough = async () => {
		try {
			while (next < entries.length) await work(entries[next++]);
		} finally {
			next = entries.length;
		}
	};
	const workers = Array.from({ length: Math.min(maximum, entries.length) }, workThrough);
	const results = await Promise.allSettled(workers);
	const failure = results.find((result) => result.status === 'rejected');
	if (failure) throw failure.reason;
}

/** Shared state of all requests of a run. */
export class RunLimits {
	/** Set when a failed item ends the run. Nothing is sent after that. */
	stopped = false;

	/** Requests, including repeated ones. */
	reads = 0;

	writes = 0;

	/** Milliseconds that the service made the run wait. */
	waited = 0;

	readonly deadlines = new Deadlines();

	private turns = 0;

	private startedAt?: number;

	private inFlight = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(
		readonly maxConcurrency: number,
		private readonly pace?: Pace,
		/** Says that the execution was canceled. */
		readonly signal?: AbortSignal,
	) {}

	/** Sends as soon as a slot is free, in the order of the calls. */
	async withSlot(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
		if (this.inFlight < this.maxConcurrency) this.inFlight++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		let response: ApiResponse | undefined;
		try {
			response = await send();
			return response;
		} finally {
			// On failure, release one tick later so the caller can stop the queue.
			if (response && !response.outcome) this.release();
			else void sleep(0).then(() => this.release());
		}
	}

	/** The slot goes to the next waiting call, so that no later call gets it first. */
	private release() {
		const next = this.waiting.shift();
		if (next) next();
		else this.inFlight--;
	}

	nextTurn(): number {
		if (!this.pace) return 0;
		this.startedAt ??= performance.now();
		const batch = Math.floor(this.turns++ / this.pace.batchSize);
		return this.startedAt + batch * this.pace.interval - performance.now();
	}
}

export class RunStoppedError extends Error {}

/**
 * The service accepts 10 uploads a minute for each account, and counts those that it refuses (reference of version 2,
 * 14.3).
 */
const maxUploads = 10;

/** Milliseconds: a minute, and a second for requests that take longer to arrive than others. */
const uploadWindow = 61_000;

/** The uploads of a run with one credential. */
export class Uploads {
	/** In place of the usual waits of a rejected request. */
	static readonly waits = { maxWait: 10 * 60_000, usualWait: uploadWindow };

	/** By `performance.now()`, including refused ones. */
	readonly starts: number[] = [];

	private last: Promise<unknown> = Promise.resolve();

	/** Milliseconds until the next one can start. */
	get wait(): number {
		const before = this.starts[this.starts.length - maxUploads] ?? -Infinity;
		return before + uploadWindow - performance.now();
	}

	/** Does one thing after the other, so that only one file is in memory. */
	async inTurn<Result>(upload: () => Promise<Result>): Promise<Result> {
		const result = this.last.then(upload);
		this.last = result.catch(() => undefined);
		return await result;
	}
}

const maxSlice = 1000;

/** After so many requests in a row without a response, each is tried once. */
const maxUnansweredRepeated = 5;

/** After so many, nothing more is sent. */
const maxUnanswered = 20;

/** After so many requests in a row that the rate limit still refused after waiting, nothing more is sent. */
const maxRateLimited = 5;

/** Shared state of the requests of a run with one credential. */
export class CredentialState {
	unauthorized?: ApiResponse;

	/** Whether a record of the service quotes the key, which is hidden in it. */
	hasHiddenKey = false;

	/** Requests that the rate limit leaves, by the last response; NaN if it does not say. */
	remaining = NaN;

	/** Number of requests in a row without a response, after all tries. */
	private unanswered = 0;

	private rateLimited = 0;

	/** Set when so many requests in a row failed that nothing more is sent. */
	gaveUp?: { last: ApiResponse; failures: number };

	private resumeAt = 0;

	/** When the waiting requests were first started. */
	private readonly waiting = new Set<number>();

	private readonly values = new Map<string, Promise<unknown>>();

	readonly uploads = new Uploads();

	constructor(readonly limits: RunLimits) {}

	settle(response: ApiResponse, isUnanswered: boolean) {
		const { outcome } = response;
		if (outcome === '401') this.unauthorized = response;
		this.unanswered = isUnanswered ? this.unanswered + 1 : 0;
		this.rateLimited = outcome === '429' ? this.rateLimited + 1 : 0;
		const isOver = this.unanswered >= maxUnanswered || this.rateLimited >= maxRateLimited;
		const failures = this.unanswered + this.rateLimited;
		this.gaveUp = isOver ? { last: response, failures } : undefined;
	}

	get seemsDown(): boolean {
		return this.unanswered >= maxUnansweredRepeated;
	}

	async memoize<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const value = (this.values.get(name) as Promise<Value> | undefined) ?? read();
		this.values.set(name, value);
		return await value;
	}

	cache(name: string, value: unknown) {
		this.values.set(name, Promise.resolve(value));
	}

	/** Delays all requests, because the service asked one of them to wait. */
	pause(milliseconds: number) {
		const now = performance.now();
		const until = Math.max(this.resumeAt, now + milliseconds);
		this.limits.waited += until - Math.max(this.resumeAt, now);
		this.resumeAt = until;
	}

	/**
	 * Waits until a request can be sent. After a pause, requests continue in the order in which they were first started, even
	 * those that are repeated. Ends early if the run ended.
	 */
	async turn(startedAt: number, isUpload: boolean) {
		const turn = this.limits.nextTurn();
		await this.wait(isUpload ? Math.max(turn, this.uploads.wait) : turn);
		this.waiting.add(startedAt);
		const left = () => this.resumeAt - performance.now();
		while ((left() > 0 || Math.min(...this.waiting) < startedAt) && this.isOpen) {
			await this.wait(Math.max(1, left()));
		}
		this.waiting.delete(startedAt);
		if (isUpload) this.uploads.starts.push(performance.now());
	}

	/** Waits in slices, so that the end of the run is noticed soon. */
	async wait(milliseconds: number) {
		if (milliseconds <= 0) return;
		const { signal } = this.limits;
		const until = performance.now() + milliseconds;
		let wake = () => {};
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		signal?.addEventListener('abort', wake);
		for (let left = milliseconds; left > 0 && this.isOpen; left = until - performance.now()) {
			await Promise.race([sleep(Math.min(left, maxSlice)), canceled]);
		}
		// The signal exists as long as the execution, which may wait very often.
		signal?.removeEventListener('abort', wake);
	}

	private get isOpen(): boolean {
		return !this.limits.stopped && !this.unauthorized && !this.limits.signal?.aborted;
	}
}

/** One timer for a run: those that n8n allows can't be stopped, and one a request took a fifth of the node's time. */
class Deadlines {
	/** When to call each function, by `performance.now()`. */
	private readonly open = new Map<() => void, number>();

	private nextCheck = Infinity;

	/** Calls `expire` after some milliseconds, perhaps several times, if it is not stopped or started again before. */
	start(expire: () => void, milliseconds: number) {
		const endsAt = performance.now() + milliseconds;
		this.open.set(expire, endsAt);
		this.checkAt(endsAt);
	}

	stop(expire: () => void) {
		this.open.delete(expire);
	}

	private checkAt(time: number) {
		if (time >= this.nextCheck) return;
		this.nextCheck = time;
		const left = Math.max(0, Math.ceil(time - performance.now()));
		AbortSignal.timeout(left).addEventListener('abort', () => {
			// An earlier check has taken its place.
			if (this.nextCheck !== time) return;
			this.nextCheck = Infinity;
			for (const [expire, endsAt] of this.open) {
				if (endsAt > performance.now()) this.checkAt(endsAt);
				else expire();
			}
		});
	}
}
