import { ownFailure, type Written } from './failure';
import type { Pace } from './settings';
import { Slots } from './slots';

/**
 * One timer for all requests of a run. The timers that n8n allows can't be stopped, and one for each request took a fifth of
 * the node's time.
 */
class Deadlines {
	/** When to call each function, by `performance.now()`. */
	private readonly open = new Map<() => void, number>();

	private nextCheck = Infinity;

	/** Calls `expire` after some milliseconds, perhaps several times, if it is not stopped or started again before. */
	start(expire: () => void, milliseconds: number): void {
		const endsAt = performance.now() + milliseconds;
		this.open.set(expire, endsAt);
		this.checkAt(endsAt);
	}

	stop(expire: () => void): void {
		this.open.delete(expire);
	}

	private checkAt(time: number) {
		if (time >= this.nextCheck) return;
		this.nextCheck = time;
		const left = Math.max(0, Math.ceil(time - performance.now()));

		AbortSignal.timeout(left).addEventListener('abort', () => {
			// Another check comes earlier and replaces this one.
			if (this.nextCheck !== time) return;
			this.nextCheck = Infinity;

			for (const [expire, endsAt] of this.open) {
				if (endsAt > performance.now()) this.checkAt(endsAt);
				else expire();
			}
		});
	}
}

/** What all requests of a run share. */
export class RunState {
	/** Set when a failed item ends the run. Nothing is sent after that. */
	stopped = false;

	/** Number of requests that read, including repeated ones. */
	reads = 0;

	writes = 0;

	/** Milliseconds that the service made the run wait. */
	waited = 0;

	readonly deadlines = new Deadlines();

	readonly slots: Slots;

	private turns = 0;

	private startedAt?: number;

	constructor(
		readonly maxConcurrency: number,
		/** How fast requests may start, by the Batching option. */
		readonly pace?: Pace,
		/** Says that the execution was canceled. */
		readonly signal?: AbortSignal,
	) {
		this.slots = new Slots(maxConcurrency);
	}

	/**
	 * Throws if the user has canceled the execution.
	 * @param written whether a request that was on its way was done
	 */
	assertNotCanceled(written: Written = 'no'): void {
		if (!this.signal?.aborted) return;

		const sentences =
			written === 'unknown'
				? ['A request was on its way, and the service may have done it.']
				: [];
		// n8n 2.41 recognizes a canceled execution by this spelling.
		throw ownFailure('The execution was canceled', ...sentences).with({ written });
	}

	/** Milliseconds until the next request may start at this pace; negative if it may start now. */
	nextTurn({ batchSize, interval }: Pace): number {
		this.startedAt ??= performance.now();
		const batch = Math.floor(this.turns / batchSize);
		this.turns++;
		return this.startedAt + batch * interval - performance.now();
	}
}
