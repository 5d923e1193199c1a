/** Rejects runs whose input can't be the complete list of a mirror: all other records would count as missing. */
import type { IConnection, NodeConnectionType } from 'n8n-workflow';

import type { Failure } from '../api/failure';
import type { RunContext } from '../execution/context';
import { assertNoResults, type Nouns } from './records';

/** n8n 2.41 has this function at run time, but not in its types. Another n8n may lack it. */
interface WithConnections {
	/** The connections into each input of a node. */
	getConnections?(
		node: { name: string },
		type: NodeConnectionType,
	): Array<IConnection[] | null>;
}

/** Rejects a run that has only a part of the list, even if missing records are only reported. */
export function assertFullRun(context: RunContext, { many }: Nouns): void {
	const { functions, node } = context;
	if (node.executeOnce) {
		throw context.error(
			'Mirror does not work with Execute Once',
			'Only the first item would count as your list. Turn off Execute Once under Settings.',
		);
	}

	const before = ancestorsOf(context, node.name);
	const isInLoop = [...descendantsOf(context, node.name)].some((name) =>
		before.has(name),
	);
	if (isInLoop) throw inLoop(context, many);

	const { $runIndex } = functions.getWorkflowDataProxy(0);
	if (Number($runIndex) > 0) {
		throw context.error(
			'Mirror can run only once per execution',
			'It already ran in this execution, with another part of the list. Combine all items before it, for example with a Merge node.',
		);
	}

	assertNoResults(context, many);
}

function inLoop(context: RunContext, many: string): Failure {
	return context.error(
		'Mirror does not work inside a loop',
		`Each loop round has only part of the list, so all other ${many} would count as missing. Move the node after the loop's done output.`,
	);
}

/**
 * Rejects a run that n8n may start more than once, each time with a part of the list: the first run would mark or delete
 * the records of the second. That happens if branches join in Mirror or in a node before it, since n8n 2.41 runs a node once
 * for each connection to an input, or on a branch that starts inside a loop. Branches of which only one runs look the same,
 * so they are rejected, too.
 */
export function assertStartsOnce(context: RunContext, { many }: Nouns): void {
	const before = ancestorsOf(context, context.node.name);
	if (startsInLoop(context, before)) throw inLoop(context, many);

	for (const name of [context.node.name, ...before]) {
		const meeting = branchesInto(context, name)
			.map((branches) => branchesOfOneTrigger(context, name, branches))
			.find(({ length }) => length > 1);
		if (!meeting) continue;

		throw context.error(
			'Branches join before Mirror without a Merge node',
			`"${name}" gets branches from ${quotedNodeNames(meeting)}. n8n may run it once for each branch, and Mirror as often: its first run would count the ${many} of the second as missing. Put a Merge node in front of "${name}", or give each branch a separate Mirror.`,
		);
	}
}

/**
 * Whether an output of a node before Mirror leads back to that node, and also on to Mirror: then, each loop round starts
 * Mirror. The done output of a loop leads only on.
 */
function startsInLoop(context: RunContext, before: ReadonlySet<string>): boolean {
	return [...before].some((source) => {
		const leadsBack = new Set([source, ...ancestorsOf(context, source)]);
		const leadsOn = [context.node.name, ...before].filter((name) => !leadsBack.has(name));

		const looping = outputsInto(context, source, [...leadsBack]);
		const leaving = outputsInto(context, source, leadsOn);
		return looping.some((output) => leaving.includes(output));
	});
}

/** The numbers of the outputs of a node that are connected to one of these nodes. */
function outputsInto(context: RunContext, source: string, targets: string[]): number[] {
	return targets
		.flatMap((target) => branchesInto(context, target).flat())
		.filter(({ node }) => node === source)
		.map(({ index }) => index);
}

/** The connections into one input of a node, without those of loops, if two of them can bring items of one trigger. */
function branchesOfOneTrigger(
	context: RunContext,
	name: string,
	branches: IConnection[],
): IConnection[] {
	const after = descendantsOf(context, name);
	const entering = branches.filter(({ node }) => node !== name && !after.has(node));

	const seen = new Set<string>();
	for (const { node } of entering) {
		const starts = startsOf(context, node);
		if (starts.some((start) => seen.has(start))) return entering;
		starts.forEach((start) => seen.add(start));
	}
	return [];
}

/** The nodes from which the items of a node come and which have no connection into them: mostly triggers. */
function startsOf(context: RunContext, name: string): string[] {
	const candidates = [name, ...ancestorsOf(context, name)];
	return candidates.filter((each) => branchesInto(context, each).flat().length === 0);
}

function ancestorsOf({ functions }: RunContext, name: string): Set<string> {
	return new Set(functions.getParentNodes(name).map((node) => node.name));
}

function descendantsOf({ functions }: RunContext, name: string): Set<string> {
	return new Set(functions.getChildNodes(name).map((node) => node.name));
}

/** The connections into each input of a node. */
function branchesInto({ functions }: RunContext, name: string): IConnection[][] {
	const inputs = (functions as WithConnections).getConnections?.({ name }, 'main') ?? [];
	return inputs.map((branches) => branches ?? []);
}

function quotedNodeNames(branches: IConnection[]): string {
	return branches.map(({ node }) => `"${node}"`).join(' and ');
}
