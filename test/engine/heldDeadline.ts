/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setImmediate } from 'node:timers';

import type { StructuredChunk } from 'n8n-workflow';

/**
 * Holds the timeout of responses, which Node.js keeps in real time, until the first text of an answer has arrived.
 * So no machine is too slow for a test of what arrived before.
 */
export function heldDeadline() {
	const timers: AbortController[] = [];
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const timer = new AbortController();
		timers.push(timer);
		return timer.signal;
	});
	const real = performance.now.bind(performance);
	const now = jest.spyOn(performance, 'now');
	const pass = () => {
		now.mockImplementation(() => real() + 3_600_000);
		timers.forEach((timer) => timer.abort());
	};
	return {
		/** For `onChunk`. */
		passAfterItem: ({ type }: StructuredChunk) => void (type === 'item' && setImmediate(pass)),
		restore: () => [timeout, now].forEach((spy) => spy.mockRestore()),
	};
}
