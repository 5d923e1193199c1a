import { sleep } from 'n8n-workflow';

import type { ApiResponse } from './response';
import type { Credential } from './settings';

/** Works on entries in their order, at most `maximum` at a time. If one fails, no more are begun. */
export async function forEachLimited<Entry>(
	entries: Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	let next = 0;
	const workThrough = async () => {
		while (next < entries.length) {
			let hasFailed = true;
			try {
				await work(entries[next++]);
				hasFailed = false;
			} finally {
				if (hasFailed) next = entries.length;
			}
		}
	};
	const workers = Array.from({ length: Math.min(maximum, entries.length) }, workThrough);
	const results = await Promise.allSettled(workers);
	const failure = results.find((result) => result.status === 'rejected');
	if (failure) throw failure.reason;
}

/** n8n's Batching option. */
export interface Pace {
	/** Requests in one batch, at least 1. */
	batchSize: number;
	/** Milliseconds from the start of one batch to the next. */
	interval: number;
}

/** What all requests of a run share. */
export class RunLimits {
	/** Set when an item has failed and the run ends with it. Nothing is sent after it. */
	stopped = false;

	/** Requests sent so far that read, repeated ones included. */
	reads = 0;

	/** Requests sent so far that may write, repeated ones included. */
	writes = 0;

	/** Milliseconds for which the service has made the run wait. */
	waited = 0;

	private turns = 0;

	private startedAt?: number;

	private inFlight = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(
		/** Requests in flight at the same time. */
		readonly maxConcurrency: number,
		private readonly pace?: Pace,
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

	/** A slot is handed over rather than given back, so that no later call gets it first. */
	private release() {
		const next = this.waiting.shift();
		if (next) next();
		else this.inFlight--;
	}

	/** Takes the next turn, and tells how many milliseconds are left until then. */
	nextTurn(): number {
		if (!this.pace) return 0;
		this.startedAt ??= Date.now();
		const batch = Math.floor(this.turns++ / this.pace.batchSize);
		return this.startedAt + batch * this.pace.interval - Date.now();
	}
}

/** Signals that a request was not sent because another item has ended the run. */
export class RunStoppedError extends Error {}

const maxSlice = 1000;

/** After so many requests in a row without an answer, each gets one try. */
const maxUnansweredRepeated = 5;

/** After so many, nothing more is sent. */
const maxUnanswered = 20;

/** What the requests of a run with one credential share. */
export class CredentialState {
	/** The response to a request whose key was not accepted. Nothing is sent after it. */
	unauthorized?: ApiResponse;

	/** Requests in a row that the service gave no answer to, all their tries done. */
	private unanswered = 0;

	private lastUnanswered?: ApiResponse;

	private resumeAt = 0;

	private places = 0;

	private readonly waiting = new Set<number>();

	private readonly values = new Map<string, Promise<unknown>>();

	constructor(
		readonly credential: Credential,
		readonly limits: RunLimits,
	) {}

	/** @param isUnanswered whether the service seems to be down */
	settle(response: ApiResponse, isUnanswered: boolean) {
		this.unanswered = isUnanswered ? this.unanswered + 1 : 0;
		this.lastUnanswered = response;
	}

	get seemsDown(): boolean {
		return this.unanswered >= maxUnansweredRepeated;
	}

	/** The last of so many requests without an answer that nothing more is sent. */
	get isDownSince(): ApiResponse | undefined {
		return this.unanswered >= maxUnanswered ? this.lastUnanswered : undefined;
	}

	async memoize<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const known = this.values.get(name) as Promise<Value> | undefined;
		const value = known ?? read();
		this.values.set(name, value);
		return await value;
	}

	/** Stores what has become known otherwise, for those who read it later. */
	cache(name: string, value: unknown) {
		this.values.set(name, Promise.resolve(value));
	}

	/** Holds all requests back, because the service asked one of them to wait. */
	pause(milliseconds: number) {
		const now = Date.now();
		const until = Math.max(this.resumeAt, now + milliseconds);
		this.limits.waited += until - Math.max(this.resumeAt, now);
		this.resumeAt = until;
	}

	/** A request keeps its place until it is settled, so that no later one takes its turn again and again. */
	takePlace(): number {
		return this.places++;
	}

	/** Waits until requests may go on, in the order of their places; ends early if there is nothing left to wait for. */
	async resumed(place: number, signal?: AbortSignal) {
		this.waiting.add(place);
		const left = () => this.resumeAt - Date.now();
		while ((left() > 0 || Math.min(...this.waiting) < place) && this.isOpen(signal)) {
			await this.wait(Math.max(1, left()), signal);
		}
		this.waiting.delete(place);
	}

	/** Waits in slices, so that neither the end of the run nor a timer that is left over takes long. */
	async wait(milliseconds: number, signal?: AbortSignal) {
		const until = Date.now() + milliseconds;
		let wake = () => {};
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		signal?.addEventListener('abort', wake);
		for (let left = milliseconds; left > 0 && this.isOpen(signal); left = until - Date.now()) {
			await Promise.race([sleep(Math.min(left, maxSlice)), canceled]);
		}
		// The signal lives as long as the execution, which may wait very often.
		signal?.removeEventListener('abort', wake);
	}

	private isOpen(signal?: AbortSignal): boolean {
		return !this.limits.stopped && !this.unauthorized && !signal?.aborted;
	}
}

export class Deadline {
	hasPassed = false;

	private timer?: AbortSignal;

	constructor(
		private readonly milliseconds: number,
		private readonly close: () => void,
	) {
		this.restart();
	}

	restart() {
		this.stop();
		this.timer = AbortSignal.timeout(this.milliseconds);
		this.timer.addEventListener('abort', this.pass);
	}

	stop() {
		this.timer?.removeEventListener('abort', this.pass);
	}

	private readonly pass = () => {
		this.hasPassed = true;
		this.close();
	};
}
