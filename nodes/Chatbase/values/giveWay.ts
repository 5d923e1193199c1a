import { sleep } from 'n8n-workflow';

/** In milliseconds. n8n's main thread also serves the editor, webhooks and other workflows. */
const maxStretch = 50;

let turnBegan = 0;

/** Lets n8n do other work if its main thread may have been held for long. For long loops that send nothing. */
export async function giveWay() {
	if (performance.now() - turnBegan < maxStretch) return;
	await sleep(0);
	turnBegan = performance.now();
}
