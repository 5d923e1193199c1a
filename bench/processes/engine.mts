/** The process of n8n's engine: every peer runs here, on the Node.js of the pinned n8n. */
import '../../test/engine/harness/environment.js';

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { contactRecord } from '../../service/v1/contactRecord.js';
import { defaultBehaviour } from '../../service/index.js';
import { contactAt, conversationAt, customer, range, requestedId } from '../data.mjs';
import * as bare from '../peers/bare.mjs';
import * as empty from '../peers/empty.mjs';
import * as httpRequest from '../peers/httpRequest.mjs';
import * as ours from '../peers/ours.mjs';
import type { Plan, Task } from '../peers/plan.mjs';
import * as script from '../peers/script.mjs';
import * as template from '../peers/template.mjs';
import { answerCalls } from './calls.mjs';
import { evaluations, runPlan, startExpressions, type Ran } from './n8n.mjs';
import { BenchNodeTypes } from './nodeTypes.mjs';

// tsx turns it on, unlike n8n, and it makes errors expensive.
process.setSourceMapsEnabled(false);

const packageFolder = process.env.BENCH_PACKAGE!;
const require = createRequire(import.meta.url);
const expressions = await startExpressions();
const types = await BenchNodeTypes.load(packageFolder);

/** Where n8n creates the helpers of each context. */
const requestHelpers = require(
	join(
		dirname(require.resolve('n8n-core')),
		'execution-engine/node-execution-context/utils/request-helpers/factory.js',
	),
) as { getRequestHelperFunctions: (...rest: unknown[]) => object };

/** Workflows, by the name of the peer and of the job. */
const workflows: Record<string, Record<string, (task: Task) => Plan>> = {
	ours: { ...ours } as never,
	httpRequest: { ...httpRequest },
	template: { ...template },
	empty: { ...empty },
	bare: { ...bare },
};

export interface RunRequest {
	/** `ours.readAll` and the like. */
	contender: string;
	task: Task;
	/** What the output items must be. Default: only their number is checked. */
	output?: 'contacts' | 'synced' | 'conversations';
}

/** A run and the fault of its output. */
export interface Measured {
	ms: number;
	/** The CPU time of the process, with garbage collection. */
	cpuMs: number;
	/** That of the thread alone that runs the engine. */
	threadMs: number;
	/** How many expressions n8n has evaluated for it. */
	evaluations: number;
	items: number;
	error?: string;
	wrong?: string;
	heldMs?: number;
	firstChunkMs?: number;
}

export interface Memory extends Measured {
	/** Peak memory in megabytes, above the memory before. */
	peakMb: number;
	/** Megabytes of the result after garbage collection. */
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
	const items = await script[job as 'readAll' | 'patchEach' | 'sync'](task);
	return { ms: performance.now() - began, items };
}

type Cost = Pick<Measured, 'cpuMs' | 'threadMs' | 'evaluations'>;

async function runMeasured(request: RunRequest): Promise<Ran & Cost> {
	globalThis.gc?.();
	const before = process.cpuUsage();
	const threadBefore = process.threadCpuUsage();
	const evaluatedBefore = evaluations;
	const ran = await run(request);
	const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
	return {
		...ran,
		cpuMs: milliseconds(process.cpuUsage(before)),
		threadMs: milliseconds(process.threadCpuUsage(threadBefore)),
		evaluations: evaluations - evaluatedBefore,
	};
}

function judge({ items, ...ran }: Ran & Cost, { task, output }: RunRequest): Measured {
	const measured = { ...ran, items: items.length };
	if (ran.error) return { ...measured, wrong: `failed: ${ran.error}` };
	if (output === undefined) return measured;
	if (items.length !== task.count) {
		return { ...measured, wrong: `green with ${items.length} of ${task.count} items` };
	}
	if (output === 'conversations') return { ...measured, wrong: wrongConversations(items) };
	const isRight =
		output === 'contacts'
			? digest(items) === expectedDigest(task.count)
			: items.every(({ name }, index) => name === customer(index, task.percent ?? 0).name);
	return isRight ? measured : { ...measured, wrong: 'green with other contacts than there are' };
}

/** Each conversation has to be there once, with its messages, the newest first. */
function wrongConversations(items: IDataObject[]): string | undefined {
	const textsOf = (messages: unknown) =>
		(messages as Array<{ parts: Array<{ text: string }> }>).map(({ parts }) => parts[0].text);
	const isRight = items.every(({ id, messages }, index) => {
		const wanted = conversationAt(items.length - 1 - index);
		const contents = wanted.messages.map(({ content }) => content);
		return id === wanted.id && textsOf(messages).join() === contents.join();
	});
	return isRight ? undefined : 'green with other conversations than there are';
}

const digests = new Map<number, string>();

/** The expected digest of this many contacts; cached, because generating them takes as long as reading them. */
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

function bodyAs(text: string, encoding: IHttpRequestOptions['encoding'], json?: boolean): unknown {
	if (encoding === 'stream') return Readable.from([Buffer.from(text)]);
	if (encoding === 'arraybuffer') return Buffer.from(text);
	return json && encoding !== 'text' ? JSON.parse(text) : text;
}

export const methods = {
	async run(request: RunRequest): Promise<Measured> {
		return judge(await runMeasured(request), request);
	},

	/** For a new process only: the peak is that of the whole process. */
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

	/**
	 * Makes n8n's helpers answer every request at once without sending it, to measure a node's own time.
	 *
	 * @param body the response, in which `requestedId` stands for the ID at the end of the path
	 */
	answerAtOnce(body: object): void {
		const text = JSON.stringify(body);
		const { getRequestHelperFunctions } = requestHelpers;
		const answer = async ({ url, encoding, json, returnFullResponse }: IHttpRequestOptions) => {
			const id = url.slice(url.lastIndexOf('/') + 1);
			const content = bodyAs(text.replace(requestedId, id), encoding, json);
			if (!returnFullResponse) return content;
			const headers = { 'content-type': 'application/json' };
			return { statusCode: 200, statusMessage: 'OK', headers, body: content };
		};
		requestHelpers.getRequestHelperFunctions = (...rest) => ({
			...getRequestHelperFunctions(...rest),
			httpRequest: answer,
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
				await answer(options),
		});
	},

	about: (): object => ({
		node: process.version,
		expressions,
	}),
};

answerCalls(methods);
