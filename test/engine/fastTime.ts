/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { clearImmediate, clearInterval, setImmediate, setInterval } from 'node:timers';

import type { SimulatedService } from '../../service';

/** All APIs that jest can fake, except timers, dates and `performance.now`, by which the node measures durations. */
const keptReal = [
	'hrtime',
	'nextTick',
	'queueMicrotask',
	'requestAnimationFrame',
	'cancelAnimationFrame',
	'requestIdleCallback',
	'cancelIdleCallback',
	'setImmediate',
	'clearImmediate',
	'setInterval',
	'clearInterval',
] as const;

const tick = 5;

/** By how much the clock of durations is ahead. As in a running n8n, it never goes back. In milliseconds. */
let ahead = 0;

const realClock = performance;
const realNow = realClock.now.bind(realClock);

/** Moves the clock of durations by so many milliseconds, without the timers. */
export function moveClock(by: number): void {
	ahead += by;
	realClock.now = () => realNow() + ahead;
}

function simulateTime(): void {
	const start = performance.now();
	jest.useFakeTimers({ doNotFake: [...keptReal] });
	const simulated = performance;
	const simulatedNow = simulated.now.bind(simulated);
	simulated.now = () => start + simulatedNow();
}

function returnToRealTime(): void {
	const passed = performance.now() - realNow() - ahead;
	jest.useRealTimers();
	moveClock(passed);
}

/**
 * Makes time pass faster for timers and clocks, so a test can wait for the minute that a rate limit
 * may take. Sockets keep real time, and the node is unchanged.
 *
 * @param factor how many seconds pass in one
 * @returns a function that lets time pass as usual again
 */
export function fastTime(factor = 20): () => void {
	simulateTime();
	const clock = setInterval(() => jest.advanceTimersByTime(tick * factor), tick);
	return () => {
		clearInterval(clock);
		returnToRealTime();
	};
}

/** Turns of the event loop without an event after which all work is waiting. */
const quietTurns = 25;

/**
 * Moves time only while all work is waiting: when nothing happens, the clock moves to the next
 * timer. So a test waits hours in milliseconds on any machine, and the node is unchanged.
 *
 * @param services work is not waiting while requests reach or leave one of them
 * @returns a function that lets time pass as usual again
 */
export function skippedTime(...services: SimulatedService[]): () => void {
	const progress = () =>
		services.map(({ requests, inFlight }) => `${requests.length} ${inFlight}`).join();
	simulateTime();
	let last: string | undefined;
	let quiet = 0;
	const look = () => {
		const now = progress();
		quiet = now === last ? quiet + 1 : 0;
		last = now;
		if (quiet === quietTurns) {
			quiet = 0;
			jest.advanceTimersToNextTimer();
			// A wait of less than a millisecond takes one in Node.js, and none here.
			jest.advanceTimersByTime(1);
		}
		turn = setImmediate(look);
	};
	let turn = setImmediate(look);
	return () => {
		clearImmediate(turn);
		returnToRealTime();
	};
}

/** Skips time in each test of a suite. */
export function useSkippedTime(testbed: { readonly service: SimulatedService }): void {
	let realTime: () => void;
	beforeEach(() => {
		realTime = skippedTime(testbed.service);
	});
	afterEach(() => realTime());
}

/** Does one thing in skipped time. */
export async function inSkippedTime<Result>(
	service: SimulatedService,
	work: () => Promise<Result>,
): Promise<Result> {
	const restore = skippedTime(service);
	try {
		return await work();
	} finally {
		restore();
	}
}
