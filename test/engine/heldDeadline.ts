/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setImmediate } from 'node:timers';

import type { StructuredChunk } from 'n8n-workflow';

import { moveClock } from './fastTime';

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
	let hasPassed = false;
	const pass = () => {
		if (!hasPassed) moveClock(3_600_000);
		hasPassed = true;
		timers.forEach((timer) => timer.abort());
	};
	return {
		/** For `onChunk`. */
		passAfterItem: ({ type }: StructuredChunk) => void (type === 'item' && setImmediate(pass)),
		restore: () => timeout.mockRestore(),
	};
}
