import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds. */
const interval = 100;

/**
 * Repeats a question until the answer is true. n8n reports events only to an open editor.
 *
 * @param seconds when to give up
 */
export async function waitUntil(
	isTrue: () => boolean | Promise<boolean>,
	seconds = 20,
): Promise<void> {
	const end = Date.now() + seconds * 1000;
	while (!(await isTrue())) {
		if (Date.now() > end) throw new Error(`Nothing happened for ${seconds} seconds`);
		await sleep(interval);
	}
}
