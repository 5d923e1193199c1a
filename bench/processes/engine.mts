/** The process of n8n's engine: every peer runs here, on the Node.js of the pinned n8n. */
import '../../test/engine/harness/environment.js';

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { contactRecord } from '../../test/service/contactRecord.js';
import { defaultBehaviour } from '../../test/service/index.js';
import { contactAt, customer, range } from '../data.mjs';
import * as floor from '../peers/floor.mjs';
import * as httpRequest from '../peers/httpRequest.mjs';
import * as ours from '../peers/ours.mjs';
import type { Plan, Task } from '../peers/plan.mjs';
import * as script from '../peers/script.mjs';
import * as template from '../peers/template.mjs';
import { answerCalls } from './calls.mjs';
import { evaluations, runPlan, startExpressions, type Ran } from './n8n.mjs';
import { BenchNodeTypes } from './nodeTypes.mjs';

// tsx turns it on, which n8n does not, and it makes errors dear.
process.setSourceMapsEnabled(false);

const packageFolder = process.env.BENCH_PACKAGE!;
const expressions = await startExpressions();
const types = await BenchNodeTypes.load(packageFolder);
let hollow = false;

/** Workflows, by the name of the peer and of the job. */
const workflows: Record<string, Record<string, (task: Task) => Plan>> = {
	ours: { ...ours } as never,
	httpRequest: { ...httpRequest },
	template: { ...template },
	floor: { ...floor },
};

export interface RunRequest {
	/** `ours.readAll` and the like. */
	contender: string;
	task: Task;
	/** What the items that come out have to be. Default: nothing is looked at but their number. */
	output?: 'contacts' | 'synced';
}

/** A run, with what is wrong about its output. */
export interface Measured {
	ms: number;
	/** What the process has spent on it, garbage collection included: it tells waiting from working. */
	cpuMs: number;
	/** How many expressions n8n has evaluated for it. */
	evaluations: number;
	items: number;
	error?: string;
	wrong?: string;
	firstChunkMs?: number;
}

export interface Memory extends Measured {
	/** Megabytes at the worst moment, over what the process had before. */
	peakMb: number;
	/** Megabytes that the result itself takes, once all else is collected. */
	heldMb: number;
}

async function run({ contender, task }: RunRequest): Promise<Ran> {
	const [peer, job] = contender.split('.');
	if (peer !== 'script') return await runPlan(workflows[peer][job](task), types, task.target);
	const began = performance.now();
	if (job === 'chat') {
		let firstChunk: number | undefined;
		await script.chat(task, () => (firstChunk ??= performance.now()));
		const now = performance.now();
		return { ms: now - began, items: [], firstChunkMs: firstChunk && firstChunk - began };
	}
	const items = await script[job as 'readAll' | 'patchEach'](task);
	return { ms: performance.now() - began, items };
}

type Cost = Pick<Measured, 'cpuMs' | 'evaluations'>;

async function runMeasured(request: RunRequest): Promise<Ran & Cost> {
	globalThis.gc?.();
	const before = process.cpuUsage();
	const evaluatedBefore = evaluations;
	const ran = await run(request);
	const { user, system } = process.cpuUsage(before);
	return { ...ran, cpuMs: (user + system) / 1000, evaluations: evaluations - evaluatedBefore };
}

function judge({ items, ...ran }: Ran & Cost, { task, output }: RunRequest): Measured {
	const measured = { ...ran, items: items.length };
	if (ran.error) return { ...measured, wrong: `failed: ${ran.error}` };
	if (output === undefined) return measured;
	if (items.length !== task.count) {
		return { ...measured, wrong: `green with ${items.length} of ${task.count} items` };
	}
	const isRight =
		output === 'contacts'
			? digest(items) === expectedDigest(task.count)
			: items.every(({ name }, index) => name === customer(index, task.percent ?? 0).name);
	return isRight ? measured : { ...measured, wrong: 'green with other contacts than there are' };
}

const digests = new Map<number, string>();

/** What the digest of so many contacts has to be; kept, since making them up takes as long as reading them. */
function expectedDigest(count: number): string {
	const known = digests.get(count);
	if (known) return known;
	const made = digest(
		range(count).map((index) => contactRecord(contactAt(index), defaultBehaviour)),
	);
	digests.set(count, made);
	return made;
}

function digest(records: object[]): string {
	const hash = createHash('sha256');
	for (const record of records) hash.update(JSON.stringify(record));
	return hash.digest('hex');
}

function megabytes(bytes: number): number {
	return bytes / 1024 / 1024;
}

export const methods = {
	async run(request: RunRequest): Promise<Measured> {
		return judge(await runMeasured(request), request);
	},

	/** Meant for a process that has done nothing else: the peak is that of the whole life of a process. */
	async remember(request: RunRequest): Promise<Memory> {
		globalThis.gc?.();
		const heapBefore = process.memoryUsage().heapUsed;
		const peakBefore = process.memoryUsage().rss;
		const ran = await runMeasured(request);
		const peak = process.resourceUsage().maxRSS * 1024;
		globalThis.gc?.();
		const held = process.memoryUsage().heapUsed - heapBefore;
		return {
			...judge(ran, request),
			peakMb: megabytes(peak - peakBefore),
			heldMb: megabytes(held),
		};
	},

	/** Lets every request of our node be answered at once without leaving it, so that its own time is left. */
	answerAtOnce(reply: object): void {
		const require = createRequire(import.meta.url);
		const { Service } = require(
			join(packageFolder, 'dist/nodes/Chatbase/transport/service.js'),
		) as { Service: { prototype: { send(): Promise<object> } } };
		Service.prototype.send = async () => reply;
	},

	/** Takes all code out of our node and leaves its description: what n8n needs for that alone. */
	hollowOut(): void {
		if (hollow) return;
		hollow = true;
		for (const property of types.ourNode.description.properties) {
			for (const option of property.name === 'operation' ? (property.options ?? []) : []) {
				if (!('routing' in option) || !option.routing?.operations) continue;
				option.routing.operations.pagination = async () => [{ json: {} }];
			}
		}
	},

	about: (): object => ({
		node: process.version,
		expressions,
		loadTimes: types.loadTimes,
	}),
};

answerCalls(methods);
