/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setImmediate } from 'node:timers';

import type { StructuredChunk } from 'n8n-workflow';

/**
 * Holds the timeout of responses, which Node.js keeps in real time, until the first text of an answer has arrived.
 * So no machine is too slow for a test of what arrived before.
 */
export function heldDeadline() {
	const deadlines: AbortController[] = [];
	const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const deadline = new AbortController();
		deadlines.push(deadline);
		return deadline.signal;
	});
	const pass = () => deadlines.forEach((deadline) => deadline.abort());
	return {
		/** For `onChunk`. */
		passAfterItem: ({ type }: StructuredChunk) => void (type === 'item' && setImmediate(pass)),
		restore: () => spy.mockRestore(),
	};
}
