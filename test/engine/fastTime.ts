/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { clearInterval, setInterval } from 'node:timers';

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
