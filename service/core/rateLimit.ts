/** A sliding window of requests for each key. The documents of version 1 give no figure and no headers. */
export interface RateLimit {
	/** Requests that a key may make within the window. */
	requests: number;
	windowMs: number;
	/** Form of the `Retry-After` header: seconds, an HTTP date, or no header at all. */
	retryAfter: 'seconds' | 'date' | 'none';
	/** Whether a refused request takes a place in the window too. */
	countsRefused?: boolean;
}

export class RateLimiter {
	private readonly taken = new Map<string, number[]>();

	/**
	 * @param limit read anew for each request
	 * @param now milliseconds since 1970; real time, since a client waits in real time
	 */
	constructor(
		private readonly limit: () => RateLimit,
		private readonly now = () => Date.now(),
	) {}

	/**
	 * Counts a request, unless the key has used up its window and refused requests cost nothing.
	 *
	 * @returns undefined when the request may pass, else the headers of the refusal
	 */
	refusalFor(key: string): Record<string, string> | undefined {
		const now = this.now();
		const { requests, windowMs, retryAfter, countsRefused = false } = this.limit();
		const recent = (this.taken.get(key) ?? []).filter((time) => time > now - windowMs);
		this.taken.set(key, recent);
		if (recent.length < requests) {
			recent.push(now);
			return undefined;
		}

		if (countsRefused) recent.push(now);

		// Both forms have whole seconds, so they round up: the stated wait is always enough.
		const free = recent[recent.length - requests] + windowMs;
		if (retryAfter === 'seconds') return { 'retry-after': `${Math.ceil((free - now) / 1000)}` };
		if (retryAfter === 'date') {
			return { 'retry-after': new Date(Math.ceil(free / 1000) * 1000).toUTCString() };
		}
		return {};
	}

	/** Gives every key its whole window again. */
	clear(): void {
		this.taken.clear();
	}

	/** What a key has left of its window. */
	stateOf(key: string): { limit: number; remaining: number; resetAt: number } {
		const { requests, windowMs } = this.limit();
		const recent = this.taken.get(key) ?? [];
		const resetAt = (recent[0] ?? this.now()) + windowMs;
		return { limit: requests, remaining: Math.max(0, requests - recent.length), resetAt };
	}
}
