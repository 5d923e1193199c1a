import { type Execution } from '../test/n8n/execution.mjs';
import { HelpfulError } from '../test/n8n/help.mjs';
import { type RecordedRequest } from '../test/service/index.js';
import { type Stage } from './stage.mjs';

/** What one run of an example did. */
export interface Run {
	seconds: number;
	/** Numbers of contacts that were created, updated, unchanged and so on. */
	contacts: Record<string, number>;
	/** How many requests reached the service, by method. */
	requests: Record<string, number>;
	/** How many of them read a page of the contact list. */
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

/** Runs an example that syncs contacts twice. The second run has nothing to write. */
export async function syncTwice(stage: Stage, workflowName: string): Promise<[Run, Run]> {
	return [await sync(stage, workflowName), await sync(stage, workflowName)];
}

/** Runs an example once, as the editor's Execute button does. */
export async function sync({ api, service, workflows }: Stage, workflowName: string): Promise<Run> {
	const workflow = workflows.find(({ name }) => name === workflowName);
	if (!workflow) throw new HelpfulError(`The examples have no workflow "${workflowName}".`);
	const node = workflow.nodes.find(({ parameters }) => 'contactFields' in parameters)!;

	service.clearRequests();
	const start = performance.now();
	const execution = await api.runWorkflow(workflow);
	const seconds = (performance.now() - start) / 1000;
	return {
		seconds,
		contacts: countContacts(execution.json(node.name)),
		requests: count(service.requests.map(({ method }) => method)),
		pages: service.requests.filter(isPage).length,
		error: execution.status === 'success' ? undefined : textOf(execution),
	};
}

function isPage({ method, path }: RecordedRequest): boolean {
	return method === 'GET' && path.endsWith('/contacts');
}

/** Counts the output of the node: a summary, or contacts with an action each. */
function countContacts(items: Array<Record<string, unknown>>): Record<string, number> {
	const [first] = items;
	if (!first || '_sync' in first) {
		return count(items.map(({ _sync }) => (_sync as { action: string }).action));
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
export function printRun(title: string, { contacts, requests, seconds, error }: Run): void {
	const outcome = error ? '' : `contacts: ${list(contacts)}; `;
	console.log(`  ${title}  ${outcome}requests: ${list(requests)}; ${seconds.toFixed(1)} s`);
	if (error) console.log(`    ✖ ${error}`);
}

function list(counts: Record<string, number>): string {
	return Object.entries(counts)
		.map(([name, number]) => `${number.toLocaleString('en')} ${name}`)
		.join(', ');
}
