import { sleep } from 'n8n-workflow';

import type { ApiResponse } from './response';
import { transientOutcomes } from './retry';
import type { RunState } from './runState';
import { Uploads } from './uploads';

/** Longest pause in milliseconds before it is checked whether the run has ended. */
const maxSlice = 1000;

/** After this many requests in a row without a response, each further request is tried only once. */
const maxUnansweredRepeated = 5;

/** After this many requests in a row without a response, nothing more is sent. */
const maxUnanswered = 20;

/** After this many requests in a row that the rate limit still refused after waiting, nothing more is sent. */
const maxRateLimited = 5;

/** What the requests of a run with one credential share. */
export class CredentialState {
	unauthorized?: ApiResponse;

	/** How many requests the rate limit still allows, as the last response says; NaN if it does not say. */
	remaining = NaN;

	/** Set when too many requests in a row failed. After that, nothing more is sent. */
	gaveUp?: { last: ApiResponse; failures: number };

	readonly uploads = new Uploads();

	/** Number of requests in a row without a response, after all tries. */
	private unanswered = 0;

	private rateLimited = 0;

	/** What was read once, by name. */
	private readonly lookups = new Map<string, Promise<unknown>>();

	/** When requests can be sent again, by `performance.now()`. */
	private resumeAt = 0;

	constructor(readonly run: RunState) {}

	/** Whether the service has not answered several requests in a row. */
	get seemsDown(): boolean {
		return this.unanswered >= maxUnansweredRepeated;
	}

	private get isOpen(): boolean {
		return !this.run.stopped && !this.unauthorized && !this.run.signal?.aborted;
	}

	/** Reads something once a run. Later calls with the same name get the same result, which nobody changes. */
	async once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const value = (this.lookups.get(name) as Promise<Value> | undefined) ?? read();
		this.lookups.set(name, value);
		return await value;
	}

	/** Takes note of the last response to a request. */
	settle(response: ApiResponse): void {
		const { outcome } = response;
		if (outcome === '401') this.unauthorized = response;

		this.unanswered = transientOutcomes.has(outcome) ? this.unanswered + 1 : 0;
		this.rateLimited = outcome === '429' ? this.rateLimited + 1 : 0;

		const isOver = this.unanswered >= maxUnanswered || this.rateLimited >= maxRateLimited;
		const failures = this.unanswered + this.rateLimited;
		this.gaveUp = isOver ? { last: response, failures } : undefined;
	}

	/** Delays all requests, because the service asked one of them to wait. */
	pause(milliseconds: number): void {
		const now = performance.now();
		const until = Math.max(this.resumeAt, now + milliseconds);
		this.run.waited += until - Math.max(this.resumeAt, now);
		this.resumeAt = until;
	}

	/** Waits until a request can be sent. Ends early if the run ended. */
	async turn(isUpload: boolean): Promise<void> {
		const { pace } = this.run;
		const untilTurn = pace ? this.run.nextTurn(pace) : 0;
		const untilUpload = isUpload ? this.uploads.wait : 0;
		await this.wait(Math.max(untilTurn, untilUpload));

		const left = () => this.resumeAt - performance.now();
		while (this.isOpen && left() > 0) await this.wait(left());

		if (isUpload) this.uploads.start();
	}

	/** Waits in slices, so that the end of the run is noticed soon. */
	async wait(milliseconds: number): Promise<void> {
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
		// The signal lives as long as the execution. In many waits, its listeners would pile up.
		signal?.removeEventListener('abort', wake);
	}
}
