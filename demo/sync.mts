import { type Execution } from '../test/n8n/execution.mjs';
import { HelpfulError } from '../test/n8n/help.mjs';
import { type RecordedRequest } from '../test/service/index.js';
import { type Stage } from './stage.mjs';

const nightlySync = 'Nightly contact sync';
export const spreadsheet = 'Contacts from a spreadsheet';

/** What one run of the sync did. */
export interface Run {
	seconds: number;
	/** How many contacts were created, updated and left as they were. */
	actions: Record<string, number>;
	/** How many requests reached the service, by method. */
	requests: Record<string, number>;
	/** How many of them read a page of the contact list. */
	pages: number;
}

/** Runs an example that syncs contacts, and runs it again, when nothing is left to do. */
export async function syncTwice(stage: Stage, workflowName = nightlySync): Promise<[Run, Run]> {
	return [await sync(stage, workflowName), await sync(stage, workflowName)];
}

async function sync({ api, service, workflows }: Stage, workflowName: string): Promise<Run> {
	const workflow = workflows.find(({ name }) => name === workflowName);
	if (!workflow) throw new HelpfulError(`The examples have no workflow "${workflowName}".`);
	const upsert = workflow.nodes.find(({ parameters }) => parameters.operation === 'upsert')!;

	service.clearRequests();
	const start = performance.now();
	const execution = await api.runWorkflow(workflow);
	const seconds = (performance.now() - start) / 1000;
	if (execution.status !== 'success') throw failure(workflowName, execution);
	return {
		seconds,
		actions: count(execution.json(upsert.name).map(actionOf)),
		requests: count(service.requests.map(({ method }) => method)),
		pages: service.requests.filter(isPage).length,
	};
}

function isPage({ method, path }: RecordedRequest): boolean {
	return method === 'GET' && path.endsWith('/contacts');
}

function actionOf(contact: Record<string, unknown>): string {
	return (contact._sync as { action: string }).action;
}

function count(names: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

function failure(workflowName: string, { status, error }: Execution): Error {
	return new Error(`"${workflowName}" ended with ${status}: ${error?.message}`, { cause: error });
}

/** Prints what the two runs did. */
export function printOutcome(runs: [Run, Run]): void {
	console.log(`\n${nightlySync}`);
	for (const [index, { actions, requests, seconds }] of runs.entries()) {
		console.log(
			`  ${index === 0 ? 'First run ' : 'Second run'}  ` +
				`contacts: ${list(actions)}; requests: ${list(requests)}; ${seconds.toFixed(1)} s`,
		);
	}
}

function list(counts: Record<string, number>): string {
	return Object.entries(counts)
		.map(([name, number]) => `${number} ${name}`)
		.join(', ');
}
