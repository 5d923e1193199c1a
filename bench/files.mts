/** How much memory files take on their way to Chatbase: `npm run bench -- --only files`. */
// First, before anything that loads n8n-core.
import '../test/engine/harness/environment.js';

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { createEngine, storeFile } from '../test/engine/harness/index.js';
import { startService } from '../service/index.js';

const files = 50;
const megabytes = 20;

/** A minute of the rate limit passes in so many seconds, so that this takes one minute and not five. */
const secondsPerMinute = 6;

if (process.argv[2] === 'service') await serve();
else await measure();

/** The service runs in another process, whose memory does not count. Its limit would be in real time. */
async function serve(): Promise<void> {
	const fileRate = { requests: Infinity, windowMs: 60_000, retryAfter: 'seconds' } as const;
	const { baseUrl, apiKey, store } = await startService({ behaviourV2: { fileRate } });
	store.addChatbot({ id: 'bot' });
	process.send!({ baseUrl, apiKey });
}

async function measure(): Promise<void> {
	const service = fork(fileURLToPath(import.meta.url), ['service'], { execArgv: process.execArgv });
	const [target] = (await once(service, 'message')) as [{ baseUrl: string; apiKey: string }];
	const engine = await createEngine({ credentials: { chatbaseV1Api: target } });
	try {
		const input = await storedItems();
		const nights = [];
		passFaster();
		const memory = {};
		for (const night of ['first', 'second']) {
			const peak = watchMemory();
			const { items, error, hints } = await engine.run({
				parameters: {
					resource: 'source',
					operation: 'upsert',
					chatbotId: { __rl: true, mode: 'id', value: 'bot' },
					sourceType: 'file',
				},
				input,
				memory,
				mode: 'trigger',
			});
			if (error || items.length !== files) throw error ?? new Error(`${items.length} items`);
			nights.push({ night, ...peak(), said: hints.map(({ message }) => message).join(' ') });
		}
		report(nights);
	} finally {
		engine.close();
		await end(service);
	}
}

/** Each file has other bytes. They are on disk, as n8n keeps binary data by default. */
async function storedItems() {
	const items = [];
	for (let index = 0; index < files; index++) {
		const bytes = Buffer.alloc(megabytes * 1024 * 1024, `File ${index}. `);
		const data = await storeFile(`File ${index}.pdf`, 'application/pdf', bytes);
		items.push({ json: {}, binary: { data } });
	}
	return items;
}

/** Lets time pass faster for the node, which is unchanged. Sockets keep real time. */
function passFaster(): void {
	const factor = 60 / secondsPerMinute;
	const { now } = performance;
	const start = now.call(performance);
	performance.now = () => start + (now.call(performance) - start) * factor;
	const { setTimeout: usual } = globalThis;
	globalThis.setTimeout = ((work: () => void, milliseconds = 0, ...rest: []) =>
		usual(work, milliseconds / factor, ...rest)) as typeof setTimeout;
}

/** @returns a function that ends it and returns the most megabytes over those at the start */
function watchMemory() {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	collect();
	const before = process.memoryUsage();
	const most = { resident: 0, buffers: 0 };
	const look = () => {
		const resident = process.memoryUsage.rss() - before.rss;
		most.resident = Math.max(most.resident, resident / 1024 / 1024);
	};
	const lookForFiles = async () => {
		// Files that were sent and are not collected yet would count too. What a file holds goes after the file itself.
		for (let round = 0; round < 3; round++) {
			collect();
			await setImmediate();
		}
		const buffers = process.memoryUsage().arrayBuffers - before.arrayBuffers;
		most.buffers = Math.max(most.buffers, buffers / 1024 / 1024);
	};
	const timers = [setInterval(look, 20), setInterval(() => void lookForFiles(), 1500)];
	return () => {
		timers.forEach(clearInterval);
		return most;
	};
}

function report(
	nights: Array<{ night: string; resident: number; buffers: number; said: string }>,
): void {
	const text = (amount: number) => `${Math.round(amount)} MB`;
	console.log(`${files} files of ${megabytes} MB, in n8n's binary data on disk:`);
	for (const { night, resident, buffers, said } of nights) {
		console.log(`  ${night} night: ${said}`);
		console.log(
			`    in buffers at most ${text(buffers)}, resident memory grew by ${text(resident)}`,
		);
	}
	// A file is copied into its form before its first copy can be collected.
	const isOne = nights.every(({ buffers }) => buffers <= 2 * megabytes + 1);
	console.log(isOne ? 'At most one file is in memory.' : 'MORE THAN ONE FILE IS IN MEMORY.');
	process.exitCode = isOne ? 0 : 1;
}

async function end(service: ChildProcess): Promise<void> {
	service.kill();
	await once(service, 'exit');
}
