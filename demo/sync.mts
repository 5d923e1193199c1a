import { type StoredWorkflow } from '../lab/api.mjs';
import { type Execution } from '../lab/execution.mjs';
import { publishOnPost } from '../lab/publishOnPost.mjs';
import { type RecordedRequest } from '../service/index.js';
import { workflowOf, type Stage } from './stage.mjs';

/** What one run of an example did. */
export interface Run {
	seconds: number;
	/** What it syncs: contacts or sources. */
	noun: string;
	/** How many of them were created, updated, unchanged and so on. */
	counts: Record<string, number>;
	/** How many requests reached the service, by method. */
	requests: Record<string, number>;
	/** How many of them read a page of a list. */
	pages: number;
	/** The error of a failed run. */
	error?: string;
}

/** The counts of the node's summary. */
const outcomes = [
	'created',
	'updated',
	'unchanged',
	'skipped',
	'missing',
	'marked',
	'deleted',
	'kept',
	'failed',
];

/** Runs an example once, as the editor's Execute button does. */
export async function sync(stage: Stage, workflowName: string): Promise<Run> {
	const workflow = workflowOf(stage, workflowName);
	return await measure(stage, workflow, async () => await stage.api.runWorkflow(workflow));
}

/**
 * Publishes a copy of an example with a webhook in place of its schedule: n8n keeps what the node remembers only after
 * executions of published workflows.
 *
 * @returns executes it once
 */
export async function publish(stage: Stage, workflowName: string): Promise<() => Promise<Run>> {
	const workflow = workflowOf(stage, workflowName);
	const copy = { ...workflow, name: `${workflowName} (started by the demo)` };
	const post = await publishOnPost(stage, copy, [stage.credential]);
	return async () => await measure(stage, workflow, post);
}

async function measure(
	{ service }: Stage,
	{ nodes }: StoredWorkflow,
	execute: () => Promise<Execution>,
): Promise<Run> {
	// Earlier ones only prepare the chatbot.
	const node = nodes.findLast(({ type }) => type.startsWith('n8n-nodes-chatbase.'))!;
	service.clearRequests();
	const start = performance.now();
	const execution = await execute();
	const seconds = (performance.now() - start) / 1000;
	// The second output has failed items, if the node has one.
	const items = [0, 1].flatMap((output) => execution.json(node.name, output));
	return {
		seconds,
		noun: `${String(node.parameters.resource)}s`,
		counts: countRecords(items),
		requests: count(service.requests.map(({ method }) => method)),
		pages: service.requests.filter(isPage).length,
		error: execution.status === 'success' ? undefined : textOf(execution),
	};
}

function isPage({ method, path }: RecordedRequest): boolean {
	return method === 'GET' && /\/(contacts|sources)$/.test(path);
}

/** Counts the output of the node: a summary, or records with an action each. */
function countRecords(items: Array<Record<string, unknown>>): Record<string, number> {
	const [first] = items;
	if (!first || !('requests' in first)) {
		return count(
			items.map(({ _sync }) => (_sync as { action: string } | undefined)?.action ?? 'failed'),
		);
	}
	const counts = outcomes.map((name) => [name, Number(first[name])] as const);
	return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

function count(names: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

function textOf({ status, error }: Execution): string {
	return error
		? `${error.message}. ${error.description ?? ''}`
		: `The run ended with status ${status}`;
}

/** Prints what a run did. */
export function printRun(title: string, { noun, counts, requests, seconds, error }: Run): void {
	const outcome = error ? '' : `${noun}: ${list(counts)}; `;
	console.log(`  ${title}  ${outcome}requests: ${list(requests)}; ${seconds.toFixed(1)} s`);
	if (error) console.log(`    ✖ ${error}`);
}

function list(counts: Record<string, number>): string {
	return Object.entries(counts)
		.map(([name, number]) => `${number.toLocaleString('en')} ${name}`)
		.join(', ');
}
