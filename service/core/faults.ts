/** Faults that a test adds: what fails, and for which requests. */
import type { RecordedRequest } from './requestLog';

/** A response in place of the service's own. */
export interface Substitute {
	/** Whether the service also handles the request, so that a write happens. Default: no. */
	handled?: boolean;
}

export type Fault =
	/** Any status with any headers; an object becomes JSON, a string stays (HTML, say). Default body: as the version words errors. */
	| ({
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			body?: unknown;
	  } & Substitute)
	/** 200 with JSON of another shape than promised. */
	| ({ kind: 'otherShape'; body: unknown } & Substitute)
	/** 200 without a body. */
	| ({ kind: 'empty' } & Substitute)
	/** Sends the client elsewhere. Default status: 302. */
	| ({ kind: 'redirect'; status?: 301 | 302 | 303 | 307 | 308; location: string } & Substitute)
	/** Never answers; the connection stays until the client leaves. */
	| ({ kind: 'stall' } & Substitute)
	/** The connection breaks before the request is handled. */
	| { kind: 'resetBefore' }
	/** The request is handled, then the connection breaks without a response. */
	| { kind: 'resetAfter' }
	/** Headers and half of the real body, then the connection breaks. */
	| { kind: 'resetMidBody' }
	/** A complete HTTP response that holds half of the real body. */
	| { kind: 'cutJson' }
	/** The connection breaks after so many bytes of the body; meant for streamed chat. */
	| { kind: 'streamBreak'; afterBytes: number }
	/** Waits before anything else. Can be combined with another fault. */
	| { kind: 'delay'; ms: number };

export interface FaultCondition {
	method?: string;
	/** Path relative to the base address, still encoded: the whole of it, or a pattern within it. */
	path?: string | RegExp;
	/** Any further condition, for instance on the body. */
	matches?: (request: RecordedRequest) => boolean;
	/** Which of the matching requests, counted from 1; `last` is one for the last page of a contact list. Default: all. */
	nth?: number | number[] | 'all' | 'last';
	/** How often at most. Default: without end. */
	times?: number;
}

export interface PlannedFault {
	/** Default: every request. */
	when?: FaultCondition;
	fault: Fault;
}

/** A fault that was added. */
export class ActiveFault {
	/** Requests so far that fit method, path and `matches`. */
	matched = 0;
	/** Requests so far that the fault struck. */
	struck = 0;

	constructor(
		readonly fault: Fault,
		private readonly when: FaultCondition,
	) {}

	/** Counts the request and says whether the fault strikes it. */
	strikes(request: RecordedRequest, isLastPage: () => boolean): boolean {
		if (!this.fits(request)) return false;
		this.matched++;
		const { nth = 'all', times = Infinity } = this.when;
		const chosen =
			nth === 'all' || (nth === 'last' ? isLastPage() : [nth].flat().includes(this.matched));
		if (!chosen || this.struck >= times) return false;
		this.struck++;
		return true;
	}

	private fits(request: RecordedRequest): boolean {
		const { method, path, matches } = this.when;
		if (method !== undefined && method !== request.method) return false;
		if (typeof path === 'string' && path !== request.path) return false;
		// A pattern with the flag g would keep its position; `search` always starts at 0.
		if (typeof path === 'object' && request.path.search(path) < 0) return false;
		return matches?.(request) ?? true;
	}
}

/** The faults of one service. */
export class Faults {
	private active: ActiveFault[] = [];

	/** Adds a fault. The returned object counts its requests. */
	add({ when = {}, fault }: PlannedFault): ActiveFault {
		const active = new ActiveFault(fault, when);
		this.active.push(active);
		return active;
	}

	/** Removes one fault. */
	remove(fault: ActiveFault): void {
		this.active = this.active.filter((other) => other !== fault);
	}

	/** Removes all faults. */
	clear(): void {
		this.active = [];
	}

	/** The faults of a request, in the order in which they were added. */
	strikesOn(request: RecordedRequest, isLastPage: () => boolean): Fault[] {
		return this.active
			.filter((active) => active.strikes(request, isLastPage))
			.map(({ fault }) => fault);
	}
}
