import fc from 'fast-check';

import type { Outcome } from '../../../nodes/Chatbase/api/errorTexts';
import { errorTexts } from '../../../nodes/Chatbase/api/errorTexts';
import type { Attempts } from '../../../nodes/Chatbase/api/retry';
import { readRetryAfter, waitBeforeRetry } from '../../../nodes/Chatbase/api/retry';

const now = Date.UTC(2026, 8, 1, 12, 0, 0);
const fresh: Attempts = { failed: 0, rateLimitWait: 0, rateLimited: 0 };
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toUTCString();

describe('Retry-After', () => {
	it.each([
		['5', 5_000],
		[' 5 ', 5_000],
		['0.5', 500],
		['100000', 100_000_000],
		[inSeconds(7), 7_000],
		[inSeconds(-7), undefined],
		['0', undefined],
		['-3', undefined],
		['', undefined],
		['   ', undefined],
		['soon', undefined],
		['NaN', undefined],
		[undefined, undefined],
	])('%j means %j', (header, wait) => {
		expect(readRetryAfter(header, now)).toBe(wait);
	});

	it('is never a wait that cannot be waited, whatever stands in it', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.double().map(String), fc.constant('Infinity')),
				(header) => {
					const wait = readRetryAfter(header, now);
					expect(wait === undefined || wait > 0).toBe(true);
					const pause = waitBeforeRetry('429', header, 'always', fresh, now, Math.random);
					expect(pause).toBeGreaterThan(0);
					expect(pause).toBeLessThanOrEqual(60_000);
				},
			),
		);
	});
});

describe('a 429', () => {
	/** All waits of a request that meets nothing but 429. */
	function waits(header: string | undefined, random = 0) {
		const attempts = { ...fresh };
		const all: number[] = [];
		for (;;) {
			const wait = waitBeforeRetry('429', header, 'onlyIfNotRun', attempts, now, () => random);
			if (wait === undefined) return all;
			all.push(wait);
			attempts.rateLimited++;
			attempts.rateLimitWait += wait;
		}
	}

	it.each([
		['no header', undefined, [1, 2, 4, 8, 16, 29]],
		['30 seconds', '30', [30, 30]],
		['25 seconds', '25', [25, 25, 10]],
		['an hour', '3600', [60]],
		['a date in 20 seconds', inSeconds(20), [20, 20, 20]],
		['a date in an hour', inSeconds(3600), [60]],
		['a date in the past', inSeconds(-1), [1, 2, 4, 8, 16, 29]],
	])('is waited for a minute at most: %s', (_, header, seconds) => {
		expect(waits(header)).toEqual(seconds.map((wait) => wait * 1000));
	});

	it('adds up to exactly one minute, with any jitter', () => {
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
				fc.option(fc.integer({ min: 1, max: 100_000 }).map(String), { nil: undefined }),
				(random, header) => {
					const sum = waits(header, random).reduce((total, wait) => total + wait, 0);
					expect(sum).toBeCloseTo(60_000, 3);
				},
			),
		);
	});
});

const passing: Outcome[] = ['5xx', 'refused', 'hostNotFound', 'timeout', 'broken'];

describe('a failure that may pass', () => {
	it.each(passing)('%s: three more tries for what may be repeated', (outcome) => {
		const waits = [0, 1, 2, 3].map((failed) =>
			waitBeforeRetry(outcome, undefined, 'always', { ...fresh, failed }, now, () => 0),
		);
		expect(waits).toEqual([500, 1_000, 2_000, undefined]);
	});

	it.each(passing)('%s: what creates is repeated only after a refused connection', (outcome) => {
		const wait = waitBeforeRetry(outcome, undefined, 'onlyIfNotRun', fresh, now, () => 0);
		expect(wait).toBe(outcome === 'refused' ? 500 : undefined);
	});

	it('is waited for a fifth less at most', () => {
		const wait = waitBeforeRetry('5xx', undefined, 'always', fresh, now, () => 0.999_999);
		expect(wait).toBeCloseTo(400, 1);
	});
});

const lasting = (Object.keys(errorTexts) as Outcome[]).filter(
	(outcome) => outcome !== '429' && !passing.includes(outcome),
);

it.each([undefined, ...lasting])('%s is never repeated', (outcome) => {
	expect(waitBeforeRetry(outcome, '1', 'always', fresh, now, () => 0)).toBeUndefined();
});
