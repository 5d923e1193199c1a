import { sleep } from 'n8n-workflow';

/** In milliseconds. n8n's main thread also serves the editor, webhooks and other workflows. */
const maxStretch = 25;

let turnBegan = 0;
let pause: Promise<void> | undefined;

/** Lets n8n do other work if its main thread may have been held for long. For long loops that send nothing. */
export async function giveWay() {
	if (performance.now() - turnBegan < maxStretch) return;
	// One timer for all who wait: Node.js does nothing else while one of several timers is always due.
	pause ??= sleep(0).then(() => {
		turnBegan = performance.now();
		pause = undefined;
	});
	await pause;
}
