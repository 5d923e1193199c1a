/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { clearImmediate, clearInterval, setImmediate, setInterval } from 'node:timers';

import type { SimulatedService } from '../service';

/** Everything that jest could hold, except what a wait and a date are made of. */
const keptReal = [
	'hrtime',
	'nextTick',
	'performance',
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

/**
 * Lets time pass faster for timers and dates, so that a test can sit out the minute that a rate limit
 * may take. Sockets keep real time, and nothing of the node is replaced.
 *
 * @param factor how many seconds pass in one
 * @returns a function that lets time pass as usual again
 */
export function fastTime(factor = 20): () => void {
	jest.useFakeTimers({ doNotFake: [...keptReal] });
	const clock = setInterval(() => jest.advanceTimersByTime(tick * factor), tick);
	return () => {
		clearInterval(clock);
		jest.useRealTimers();
	};
}

/** Turns of the event loop after which everybody waits, if nothing has happened in them. */
const quietTurns = 25;

/**
 * Lets time pass only while everybody waits for it: whenever nothing happens any more, the clock goes on to the next
 * timer. So a test sits out hours in milliseconds, however slow the machine is, and nothing of the node is replaced.
 *
 * @param services something happens as long as requests reach one of them or leave it
 * @returns a function that lets time pass as usual again
 */
export function skippedTime(...services: SimulatedService[]): () => void {
	const progress = () =>
		services.map(({ requests, inFlight }) => `${requests.length} ${inFlight}`).join();
	jest.useFakeTimers({ doNotFake: [...keptReal] });
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
		jest.useRealTimers();
	};
}
