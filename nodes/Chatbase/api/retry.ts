import type { Outcome } from './errorTexts';

/** How a request may be repeated after its outcome is unclear. */
export type Repeatable =
	/** It reads, sets values or deletes: a second time does no harm. */
	| 'always'
	/** It creates or costs something: repeated only when the first one surely did not run. */
	| 'unlessReceived';

/** What a request has been through so far. */
export interface Attempts {
	/** Attempts that ended in a 5xx status or a broken connection. */
	failed: number;
	/** Milliseconds spent waiting because of 429 responses. */
	rateLimitWait: number;
	/** 429 responses so far. */
	rateLimited: number;
}

const second = 1000;
const maxRateLimitWait = 60 * second;
const maxBackoff = 30 * second;
const moreTriesAfterFailure = 3;
const transientOutcomes = new Set<Outcome>(['5xx', 'refused', 'hostNotFound', 'timeout', 'broken']);

/** A wait that doubles each time, shortened by up to a fifth so that clients do not march in step. */
function backoff(first: number, times: number, random: () => number): number {
	return Math.min(first * 2 ** times, maxBackoff) * (1 - random() / 5);
}

/**
 * Reads a `Retry-After` header in both forms that RFC 9110 (section 10.2.3) knows.
 *
 * @param header seconds, or an HTTP date
 * @param now current time in milliseconds since 1970
 * @returns milliseconds to wait, or undefined when the header names no time to come
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * second;
	return wait > 0 ? wait : undefined;
}

/**
 * Says whether a request should be sent again, and after how long.
 *
 * @param outcome what the last attempt came to; undefined for a success
 * @param retryAfter the `Retry-After` header of its response
 * @param repeatable whether the request may run twice
 * @param attempts what the request has been through, the last attempt not counted
 * @param now current time in milliseconds since 1970
 * @param random source of jitter, 0 to 1
 * @returns milliseconds to wait before the next attempt, or undefined when the outcome stands
 */
export function waitBeforeRetry(
	outcome: Outcome | undefined,
	retryAfter: string | undefined,
	repeatable: Repeatable,
	attempts: Attempts,
	now: number,
	random: () => number,
): number | undefined {
	if (outcome === '429') {
		const left = maxRateLimitWait - attempts.rateLimitWait;
		if (left <= 0) return undefined;
		const asked = readRetryAfter(retryAfter, now) ?? backoff(second, attempts.rateLimited, random);
		return Math.min(asked, left);
	}
	if (outcome === undefined || !transientOutcomes.has(outcome)) return undefined;
	if (attempts.failed >= moreTriesAfterFailure) return undefined;
	if (repeatable === 'unlessReceived' && outcome !== 'refused') return undefined;
	return backoff(second / 2, attempts.failed, random);
}
