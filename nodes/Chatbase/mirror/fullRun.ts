import type { IConnection, IExecuteFunctions, NodeConnectionType } from 'n8n-workflow';

import type { RunContext } from '../execution/item';
import type { Nouns } from './summary';

/** n8n 2.41 has this function at run time, but not in its types. */
interface WithConnections {
	getConnections?(
		destination: { name: string },
		type: NodeConnectionType,
	): Array<IConnection[] | null>;
}

/** Rejects a run that can't have the complete list, since all other records would count as missing. */
export function assertFullRun(context: RunContext, { many }: Nouns) {
	const { functions, isTool, node } = context;
	if (isTool) {
		throw context.error(
			'Mirror does not work as a tool',
			'It needs your complete list, and an agent has one record at a time. Use Create or Update.',
		);
	}
	if (node.executeOnce) {
		throw context.error(
			'Mirror does not work with Execute Once',
			'Only the first item would count as your list. Turn off Execute Once under Settings.',
		);
	}
	const before = new Set(functions.getParentNodes(node.name).map(({ name }) => name));
	const isInLoop = functions.getChildNodes(node.name).some(({ name }) => before.has(name));
	if (isInLoop) {
		throw context.error(
			'Mirror does not work inside a loop',
			`Each loop round has only part of the list, so all other ${many} would count as missing. Move the node after the loop's done output.`,
		);
	}
	const repeated = findRepeated(functions, node.name);
	if (repeated) {
		const { name, sources } = repeated;
		throw context.error(
			`${name === node.name ? 'Mirror' : 'A node before Mirror'} has several incoming connections`,
			`Connections from ${sources.map((source) => `"${source}"`).join(' and ')} lead into "${name}". n8n runs Mirror once for each connection, so all other ${many} would count as missing. Put a Merge node before "${name}".`,
		);
	}
	const { $runIndex } = functions.getWorkflowDataProxy(0);
	if (Number($runIndex) > 0) {
		throw context.error(
			'Mirror can run only once per execution',
			'It already ran in this execution, with another part of the list. Combine all items before it, for example with a Merge node.',
		);
	}
}

/**
 * Finds the mirror, or a node before it, that n8n 2.41 runs once for each of several lines. Lines of branches that
 * exclude each other look the same. A node with several inputs joins lines; those of two triggers have no node in
 * common; those that lead back into a loop bring no part of the list.
 */
function findRepeated(
	functions: IExecuteFunctions & WithConnections,
	mirror: string,
): { name: string; sources: string[] } | undefined {
	const upTo = (node: string) =>
		new Set([node, ...functions.getParentNodes(node).map(({ name }) => name)]);
	const names = new Set([mirror]);
	for (const name of names) {
		const [lines, ...others] = functions.getConnections?.({ name }, 'main') ?? [];
		if (!lines || others.length > 0) continue;
		const sources = lines.map(({ node }) => node).filter((source) => !upTo(source).has(name));
		const origins = sources.flatMap((source) => [...upTo(source)]);
		const haveOne = new Set(origins).size < origins.length;
		if (haveOne || (name === mirror && lines.length > 1)) return { name, sources };
		sources.forEach((source) => names.add(source));
	}
	return undefined;
}
