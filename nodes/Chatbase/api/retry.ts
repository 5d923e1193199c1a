import type { FailureKind } from './failureKinds';

/** Whether a request may be repeated after an unclear outcome. */
export type Repeatable =
	/** Nothing changes, however often it is sent. */
	| 'reads'
	/** It sets values or deletes, so repeating it is harmless. */
	| 'always'
	/** It creates or costs something, so it is repeated only if the service surely did not receive it. */
	| 'unlessReceived';

/** For other methods it is `always`. */
export const usualRepeatable: Partial<Record<string, Repeatable>> = {
	GET: 'reads',
	POST: 'unlessReceived',
};

/** The attempts of a request so far. */
export interface Attempts {
	repeatable: Repeatable;
	/** Attempts that ended in a 5xx status or a broken connection. */
	failed: number;
	/** Attempts that the service rejected, and asked to wait. */
	rejected: number;
	/** Milliseconds waited between the attempts. */
	waited: number;
	/** How many milliseconds the waits may take together; a minute if absent. */
	maxWait?: number;
	/** Milliseconds to wait if the service rejects an attempt and does not say for how long. */
	usualWait?: number;
}

/** How an attempt ended. */
interface AttemptEnd {
	/** Undefined after a success. */
	outcome?: FailureKind;
	/** How many milliseconds the service asked to wait. */
	requestedWait?: number;
}

/** Milliseconds, like all waits. */
const second = 1000;

const maxRequestedWait = 60 * second;

const maxBackoff = 30 * second;

const maxFailed = 3;

/** The service has done nothing and asks to try again later, so every request can be sent again. */
export const rejectedForNow = new Set<FailureKind | undefined>(['429', 'maintenance']);

/** The service or the connection is down, perhaps for a moment. */
export const transientOutcomes = new Set<FailureKind | undefined>([
	'refused',
	'5xx',
	'maintenance',
	'hostNotFound',
	'timeout',
	'broken',
]);

/** It is not known whether the service has done what was asked. */
export const unclearOutcomes = new Set<FailureKind | undefined>([
	'5xx',
	'timeout',
	'broken',
	'streamedFailure',
]);

/**
 * Reads a `Retry-After` header in both forms of RFC 9110 (section 10.2.3): milliseconds to wait, at least a second, or
 * undefined without a future time.
 */
export function readRetryAfter(header: unknown, now = Date.now()): number | undefined {
	const seconds = Number(header);
	const isDate = Number.isNaN(seconds);

	const wait = isDate ? Date.parse(String(header)) - now : seconds * second;
	return wait > 0 ? Math.max(wait, second) : undefined;
}

/**
 * Milliseconds until the next attempt, or undefined if there is none. `attempts` are those before the last one, and `random`
 * (0 to 1) is the source of jitter.
 */
export function waitBeforeRetry(
	{ outcome, requestedWait }: AttemptEnd,
	attempts: Attempts,
	random: () => number = Math.random,
): number | undefined {
	const isRejected = rejectedForNow.has(outcome);
	if (!isRejected && !mayRepeat(outcome, attempts)) return undefined;

	const isAskedToWait = isRejected || requestedWait !== undefined;
	if (!isAskedToWait) return backoff(second / 2, attempts.failed, random);

	const { rejected, waited, maxWait = maxRequestedWait, usualWait } = attempts;
	if (waited >= maxWait) return undefined;

	const wait = requestedWait ?? usualWait ?? backoff(second, rejected, random);
	return Math.min(wait, maxWait - waited);
}

/** Whether another attempt is safe and may help. */
function mayRepeat(
	outcome: FailureKind | undefined,
	{ failed, repeatable }: Attempts,
): boolean {
	if (!outcome || !transientOutcomes.has(outcome)) return false;
	if (failed >= maxFailed) return false;
	return repeatable !== 'unlessReceived' || outcome === 'refused';
}

/** A wait that doubles each time, shortened by a random fifth so that clients don't retry at the same time. */
function backoff(first: number, times: number, random: () => number): number {
	return Math.min(first * 2 ** times, maxBackoff) * (1 - random() / 5);
}
