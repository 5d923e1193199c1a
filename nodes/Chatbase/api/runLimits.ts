import { limitConcurrency } from './limit';

/** So many requests in so much time, as n8n's Batching option has it. */
export interface Pace {
	/** Requests in one batch, at least 1. */
	batchSize: number;
	/** Milliseconds from the beginning of one batch to the next. */
	interval: number;
}

/** What all requests of a run share: slots, pace, the count of what was sent, and the end. */
export class RunLimits {
	/** Runs a task when one of the slots is free. */
	readonly withSlot: ReturnType<typeof limitConcurrency>;

	/** Set when an item has failed and the run ends with it. Nothing is sent after it. */
	stopped = false;

	/** How many requests have been sent that read, repeated ones included. */
	reads = 0;

	/** How many requests have been sent that may write, repeated ones included. */
	writes = 0;

	/** Milliseconds for which the service has made the run wait by status 429. */
	waited = 0;

	private turns = 0;

	private begun?: number;

	/**
	 * @param maxConcurrency how many requests may be in flight at the same time
	 * @param pace how many may begin in a time; undefined for as many as there are slots
	 */
	constructor(
		readonly maxConcurrency: number,
		private readonly pace?: Pace,
	) {
		this.withSlot = limitConcurrency(maxConcurrency);
	}

	/** Takes the next turn, and tells when it comes, in milliseconds since 1970. */
	nextTurn(): number {
		const now = Date.now();
		this.begun ??= now;
		if (!this.pace) return now;
		const batch = Math.floor(this.turns++ / this.pace.batchSize);
		return this.begun + batch * this.pace.interval;
	}
}
