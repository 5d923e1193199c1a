/**
 * One timer for all requests of a run. The timers that n8n allows can't be stopped, and one for each request took a fifth of
 * the node's time.
 */
export class Deadlines {
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
