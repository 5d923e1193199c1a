import { Slots } from './concurrency';
import { Deadlines } from './deadlines';
import type { ApiResponse } from './response';
import type { Pace } from './settings';

/** Nothing is sent any more, because a failed item has ended the run. */
export class RunStoppedError extends Error {
	readonly context: { mayBeDone: boolean };

	/** @param mayBeDone whether the service may have done what was sent before */
	constructor(mayBeDone = false) {
		super('The run has stopped');
		this.context = { mayBeDone };
	}
}

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

	private readonly slots: Slots;

	private turns = 0;

	private startedAt?: number;

	constructor(
		readonly maxConcurrency: number,
		private readonly pace?: Pace,
		/** Says that the execution was canceled. */
		readonly signal?: AbortSignal,
	) {
		this.slots = new Slots(maxConcurrency);
	}

	/** Sends as soon as a slot is free, in the order of the calls. */
	async withSlot(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
		return await this.slots.use(send, ({ outcome }) => outcome !== undefined);
	}

	/** Milliseconds until the next request may start, by the Batching option; negative if it may start now. */
	nextTurn(): number {
		if (!this.pace) return 0;

		this.startedAt ??= performance.now();
		const batch = Math.floor(this.turns / this.pace.batchSize);
		this.turns++;
		return this.startedAt + batch * this.pace.interval - performance.now();
	}
}
