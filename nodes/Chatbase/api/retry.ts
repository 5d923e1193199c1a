import type { Outcome } from './errorTexts';

/** Whether a request may be repeated after an unclear outcome. */
export type Repeatable =
	/** It reads, sets values or deletes, so repeating it is harmless. */
	| 'always'
	/** It creates or costs something, so it is repeated only if the service surely did not receive it. */
	| 'unlessReceived';

export interface Attempts {
	/** Attempts that ended in a 5xx status or a broken connection. */
	failed: number;
	rejected: number;
	/** Milliseconds waited between the attempts. */
	waited: number;
}

const second = 1000;
const maxRequestedWait = 60 * second;
const maxBackoff = 30 * second;
const maxFailed = 3;
const neverReceived = new Set<Outcome>(['refused', 'proxyUnreachable']);
/** The service has done nothing and asks to come back later, so that every request may be sent again. */
export const rejectedForNow: ReadonlySet<Outcome | undefined> = new Set<Outcome>([
	'429',
	'maintenance',
]);
/** The service or the connection is down, perhaps for a moment. */
export const transientOutcomes: ReadonlySet<Outcome | undefined> = new Set<Outcome>([
	...neverReceived,
	'5xx',
	'maintenance',
	'hostNotFound',
	'timeout',
	'broken',
]);

/** A wait that doubles each time, shortened by a random fifth so that clients don't retry at the same time. */
function backoff(first: number, times: number, random: () => number): number {
	return Math.min(first * 2 ** times, maxBackoff) * (1 - random() / 5);
}

/**
 * Reads a `Retry-After` header in both forms that RFC 9110 (section 10.2.3) knows.
 *
 * @param now milliseconds since 1970, by the clock of the service
 * @returns milliseconds to wait, at least a second; undefined if the header has no future time
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * second;
	return wait > 0 ? Math.max(wait, second) : undefined;
}

/**
 * @param attempts earlier attempts, without the last one
 * @param now milliseconds since 1970, by the clock of the service
 * @param random source of jitter, 0 to 1
 * @returns milliseconds until the next attempt, or undefined if there is none
 */
export function waitBeforeRetry(
	outcome: Outcome | undefined,
	retryAfter: string | undefined,
	repeatable: Repeatable,
	attempts: Attempts,
	now: number,
	random: () => number,
): number | undefined {
	const isRejected = rejectedForNow.has(outcome);
	if (!isRejected) {
		if (!outcome || !transientOutcomes.has(outcome)) return undefined;
		if (attempts.failed >= maxFailed) return undefined;
		if (repeatable === 'unlessReceived' && !neverReceived.has(outcome)) return undefined;
	}
	const requested = readRetryAfter(retryAfter, now);
	if (!isRejected && requested === undefined) return backoff(second / 2, attempts.failed, random);
	const left = maxRequestedWait - attempts.waited;
	if (left <= 0) return undefined;
	return Math.min(requested ?? backoff(second, attempts.rejected, random), left);
}
