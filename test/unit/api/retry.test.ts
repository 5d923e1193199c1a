import fc from 'fast-check';

import { outcomeTexts } from '../../../nodes/Chatbase/api/errorTexts';
import type { FailureKind } from '../../../nodes/Chatbase/api/failureKinds';
import { type Attempts, readRetryAfter, waitBeforeRetry } from '../../../nodes/Chatbase/api/retry';

const now = Date.UTC(2026, 8, 1, 12, 0, 0);
const fresh: Attempts = { repeatable: 'always', failed: 0, waited: 0, rejected: 0 };
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toUTCString();

describe('Retry-After', () => {
	it.each([
		['5', 5_000],
		[' 5 ', 5_000],
		['0.5', 1_000],
		['0.001', 1_000],
		['100000', 100_000_000],
		[inSeconds(7), 7_000],
		[inSeconds(0), undefined],
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

	it('is always a valid wait', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.double().map(String), fc.constant('Infinity')),
				(header) => {
					const wait = readRetryAfter(header, now);
					expect(wait === undefined || wait >= 1_000).toBe(true);
					const pause = waitBeforeRetry({ outcome: '429', requestedWait: wait }, fresh);
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
		const attempts: Attempts = { ...fresh, repeatable: 'unlessReceived' };
		const all: number[] = [];
		for (;;) {
			const last = { outcome: '429', requestedWait: readRetryAfter(header, now) } as const;
			const wait = waitBeforeRetry(last, attempts, () => random);
			if (wait === undefined) return all;
			all.push(wait);
			attempts.rejected++;
			attempts.waited += wait;
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
	])('is waited for at most a minute: %s', (_, header, seconds) => {
		expect(waits(header)).toEqual(seconds.map((wait) => wait * 1000));
	});

	it('doubles its waits up to 30 seconds', () => {
		const shortened = [1, 2, 4, 8, 16, 30].map((wait) => wait * 800);
		const all = waits(undefined, 1);
		expect(all).toHaveLength(7);
		shortened.forEach((wait, index) => expect(all[index]).toBeCloseTo(wait, 3));
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

const passing: FailureKind[] = ['5xx', 'refused', 'hostNotFound', 'timeout', 'broken'];
const neverReceived: FailureKind[] = ['refused'];

describe('a transient failure', () => {
	it.each(passing)('%s: three more tries when the request may be repeated', (outcome) => {
		const waits = [0, 1, 2, 3].map((failed) =>
			waitBeforeRetry({ outcome }, { ...fresh, failed }, () => 0),
		);
		expect(waits).toEqual([500, 1_000, 2_000, undefined]);
	});

	it.each(passing)('%s: a creation is repeated only after a refused connection', (outcome) => {
		const attempts: Attempts = { ...fresh, repeatable: 'unlessReceived' };
		const wait = waitBeforeRetry({ outcome }, attempts, () => 0);
		expect(wait).toBe(neverReceived.includes(outcome) ? 500 : undefined);
	});

	it.each([
		['5', 'always', 0, 5_000],
		['5', 'unlessReceived', 0, undefined],
		[inSeconds(9), 'always', 0, 9_000],
		['3600', 'always', 0, 60_000],
		['50', 'always', 50_000, 10_000],
		['50', 'always', 60_000, undefined],
	] as const)('waits as the service asks: %s, %s', (header, repeatable, waited, wait) => {
		const attempts: Attempts = { ...fresh, repeatable, waited };
		const last = { outcome: '5xx', requestedWait: readRetryAfter(header, now) } as const;
		expect(waitBeforeRetry(last, attempts, () => 0)).toBe(wait);
	});

	it('is waited for at least four fifths of the delay', () => {
		const wait = waitBeforeRetry({ outcome: '5xx' }, fresh, () => 0.999_999);
		expect(wait).toBeCloseTo(400, 1);
	});
});

const lasting = (Object.keys(outcomeTexts) as FailureKind[]).filter(
	(outcome) => !['429', 'maintenance', ...passing].includes(outcome),
);

it.each([undefined, ...lasting])('%s is never repeated', (outcome) => {
	const last = { outcome, requestedWait: 1_000 };
	expect(waitBeforeRetry(last, fresh)).toBeUndefined();
});
