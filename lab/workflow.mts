import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { examplesFolder } from './paths.mjs';

/** The stored credentials that a node uses, by their type. */
export type CredentialReferences = Record<string, { id: string; name: string }>;

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: CredentialReferences;
	[field: string]: unknown;
}

/** A workflow as the editor exports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[field: string]: unknown;
}

/** A workflow in which each node leads to the next one. */
export function inARow(name: string, nodes: WorkflowNode[]): Workflow {
	const toNext = nodes
		.slice(1)
		.map((next, index) => [
			nodes[index]!.name,
			{ main: [[{ node: next.name, type: 'main', index: 0 }]] },
		]);
	return {
		name,
		nodes: nodes.map((node, index) => ({
			id: `node-${index}`,
			position: [index * 220, 0],
			...node,
		})),
		connections: Object.fromEntries(toNext),
		settings: { executionOrder: 'v1' },
	};
}

/** A workflow with one node, which gives these rows as pinned data. */
export function pinnedRows(name: string, node: string, rows: object[]): Workflow {
	const trigger = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	return {
		...inARow(name, [{ name: node, ...trigger }]),
		pinData: { [node]: rows.map((json) => ({ json })) },
	};
}

/** Reads every workflow of the examples folder. */
export async function readExamples(): Promise<Workflow[]> {
	const files = (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => JSON.parse(await readFile(join(examplesFolder, file), 'utf8'))),
	);
}

/** The name of a workflow as a part of file names: that of an example's own file. */
export function fileNameOf({ name }: Workflow): string {
	return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Replaces texts everywhere in a workflow, as a user fills in what an example leaves open. */
export function fillIn(workflow: Workflow, texts: Record<string, string>): Workflow {
	return JSON.parse(JSON.stringify(workflow), (_key, value: unknown) =>
		typeof value === 'string'
			? Object.entries(texts).reduce((text, [from, to]) => text.replaceAll(from, to), value)
			: value,
	) as Workflow;
}

/** Chooses a chatbot in every Chatbase node that leaves it open, as a user chooses it from the list. */
export function chooseChatbot(workflow: Workflow, id: string, name: string): Workflow {
	const chatbotId = { __rl: true, mode: 'list', value: id, cachedResultName: name };
	return setEmpty(workflow, { chatbotId });
}

/** Chooses a template in every node that sends one, as a user chooses it from the list. */
export function chooseTemplate(workflow: Workflow, value: string): Workflow {
	return setEmpty(workflow, { template: { __rl: true, mode: 'list', value } });
}

/** Enters the addresses in every node that sends an email. */
export function enterAddresses(workflow: Workflow): Workflow {
	return setEmpty(workflow, { fromEmail: 'n8n@example.com', toEmail: 'person@example.com' });
}

/** Sets parameters where they are empty. */
function setEmpty(workflow: Workflow, values: Record<string, unknown>): Workflow {
	const nodes = workflow.nodes.map((node) => {
		const empty = Object.entries(values).filter(([name]) => isEmpty(node.parameters[name]));
		return { ...node, parameters: { ...node.parameters, ...Object.fromEntries(empty) } };
	});
	return { ...workflow, nodes };
}

/** Whether a parameter is an empty text, or a list from which nothing is chosen. */
function isEmpty(parameter: unknown): boolean {
	return parameter === '' || (parameter as { value?: unknown } | undefined)?.value === '';
}

/** The node that starts a workflow: the first trigger, webhook included. */
export function findTrigger(workflow: Workflow): WorkflowNode {
	const trigger = workflow.nodes.find(({ type }) => /(trigger|\.webhook)$/i.test(type));
	if (!trigger) throw new Error(`The workflow "${workflow.name}" has no trigger`);
	return trigger;
}
