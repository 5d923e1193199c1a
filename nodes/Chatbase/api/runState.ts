import { sleep } from 'n8n-workflow';

import { Failure } from './failure';
import type { ApiResponse } from './response';
import type { Pace } from './settings';
import { transientOutcomes } from './retry';

/** What all requests of a run share. */
export class RunState {
	/** Set when a failed item ends the run. Nothing is sent after that. */
	stopped = false;

	/** Requests, including repeated ones. */
	reads = 0;

	writes = 0;

	/** Milliseconds that the service made the run wait. */
	waited = 0;

	readonly deadlines = new Deadlines();

	private takenSlots = 0;

	/** Those who wait for a slot, in the order of their calls. */
	private readonly waiting: Array<() => void> = [];

	private turns = 0;

	private startedAt?: number;

	constructor(
		readonly maxConcurrency: number,
		/** How fast requests may start, by the Batching option. */
		readonly pace?: Pace,
		/** Says that the execution was canceled. */
		readonly signal?: AbortSignal,
	) {}

	/** Throws if the user has canceled the execution. */
	assertNotCanceled(description?: string) {
		if (!this.signal?.aborted) return;

		throw new Failure({
			// n8n 2.41 recognizes a canceled execution by this spelling.
			title: 'The execution was canceled',
			sentences: description === undefined ? [] : [description],
		});
	}

	/** Sends as soon as a slot is free, in the order of the calls. */
	async withSlot(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
		if (this.takenSlots < this.maxConcurrency) this.takenSlots++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));

		let hasFailed = true;
		try {
			const response = await send();
			hasFailed = response.outcome !== undefined;
			return response;
		} finally {
			// A failure leaves the slot one tick later, so that the caller can stop those who wait.
			if (hasFailed) void sleep(0).then(() => this.leaveSlot());
			else this.leaveSlot();
		}
	}

	/** The slot goes to the next one who waits, so that no later call gets it first. */
	private leaveSlot() {
		const next = this.waiting.shift();
		if (next) next();
		else this.takenSlots--;
	}

	/** Milliseconds until the next request may start at this pace; negative if it may start now. */
	nextTurn({ batchSize, interval }: Pace): number {
		this.startedAt ??= performance.now();
		const batch = Math.floor(this.turns / batchSize);
		this.turns++;
		return this.startedAt + batch * interval - performance.now();
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

/** Milliseconds. */
const maxSlice = 1000;

/** After so many requests in a row without a response, each is tried once. */
const maxUnansweredRepeated = 5;

/** After so many, nothing more is sent. */
const maxUnanswered = 20;

/** After so many requests in a row that the rate limit still refused after waiting, nothing more is sent. */
const maxRateLimited = 5;

/**
 * The service accepts 10 uploads a minute for each account, and counts those that it refuses (reference of version 2,
 * 14.3).
 */
const maxUploads = 10;

/** Milliseconds: a minute, and a second for requests that take longer to arrive than others. */
const uploadWindow = 61_000;

/** In place of the usual waits of a rejected request. */
export const uploadWaits = { maxWait: 10 * 60_000, usualWait: uploadWindow };

/** What the requests of a run with one credential share. */
export class CredentialState {
	unauthorized?: ApiResponse;

	/** Requests that the rate limit leaves, by the last response; NaN if it does not say. */
	remaining = NaN;

	/** Set when so many requests in a row failed that nothing more is sent. */
	gaveUp?: { last: ApiResponse; failures: number };

	readonly uploads = new Uploads();

	/** Number of requests in a row without a response, after all tries. */
	private unanswered = 0;

	private rateLimited = 0;

	/** When the service can be asked again, by `performance.now()`. */
	private resumeAt = 0;

	/** When the waiting requests were first started. */
	private readonly waiting = new Set<number>();

	private readonly values = new Map<string, Promise<unknown>>();

	constructor(readonly run: RunState) {}

	/** Whether the service has not answered several requests in a row. */
	get seemsDown(): boolean {
		return this.unanswered >= maxUnansweredRepeated;
	}

	private get isOpen(): boolean {
		return !this.run.stopped && !this.unauthorized && !this.run.signal?.aborted;
	}

	/** Takes note of the last response to a request. */
	settle(response: ApiResponse) {
		const { outcome } = response;
		if (outcome === '401') this.unauthorized = response;

		this.unanswered = transientOutcomes.has(outcome) ? this.unanswered + 1 : 0;
		this.rateLimited = outcome === '429' ? this.rateLimited + 1 : 0;

		const isOver = this.unanswered >= maxUnanswered || this.rateLimited >= maxRateLimited;
		const failures = this.unanswered + this.rateLimited;
		this.gaveUp = isOver ? { last: response, failures } : undefined;
	}

	/** Reads something once for all who ask for it by this name. */
	async memoize<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const value = (this.values.get(name) as Promise<Value> | undefined) ?? read();
		this.values.set(name, value);
		return await value;
	}

	/** Delays all requests, because the service asked one of them to wait. */
	pause(milliseconds: number) {
		const now = performance.now();
		const until = Math.max(this.resumeAt, now + milliseconds);
		this.run.waited += until - Math.max(this.resumeAt, now);
		this.resumeAt = until;
	}

	/**
	 * Waits until a request can be sent. After a pause, requests continue in the order in which they were first started, even
	 * those that are repeated. Ends early if the run ended.
	 */
	async turn(startedAt: number, isUpload: boolean) {
		const { pace } = this.run;
		const turn = pace ? this.run.nextTurn(pace) : 0;
		await this.wait(isUpload ? Math.max(turn, this.uploads.wait) : turn);

		this.waiting.add(startedAt);
		const left = () => this.resumeAt - performance.now();
		while ((left() > 0 || Math.min(...this.waiting) < startedAt) && this.isOpen) {
			await this.wait(Math.max(1, left()));
		}
		this.waiting.delete(startedAt);

		if (isUpload) this.uploads.start();
	}

	/** Waits in slices, so that the end of the run is noticed soon. */
	async wait(milliseconds: number) {
		if (milliseconds <= 0) return;

		const { signal } = this.run;
		const until = performance.now() + milliseconds;
		let wake = () => {};
		const canceled = new Promise<void>((resolve) => {
			wake = resolve;
		});

		signal?.addEventListener('abort', wake);
		for (
			let left = milliseconds;
			left > 0 && this.isOpen;
			left = until - performance.now()
		) {
			await Promise.race([sleep(Math.min(left, maxSlice)), canceled]);
		}
		// The signal exists as long as the execution, which may wait very often.
		signal?.removeEventListener('abort', wake);
	}
}

/** The uploads of a run with one credential. */
class Uploads {
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
