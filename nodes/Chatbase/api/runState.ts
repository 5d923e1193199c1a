import { sleep } from 'n8n-workflow';

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
