import { NodeOperationError } from 'n8n-workflow';

import type { RunContext } from '../../../execution/runContext';

/**
 * Refuses a run that cannot have the whole list at once, so that everybody else would be taken for having left.
 *
 * @throws NodeOperationError in words
 */
export function assertFullRun({ functions, isTool, node }: RunContext) {
	const refuse = (title: string, description: string) =>
		new NodeOperationError(node, title, { description });
	if (isTool) {
		throw refuse(
			'Sync List does not work as a tool',
			'It needs the whole list at once, and an agent has one contact at a time. Use Create or Update.',
		);
	}
	if (node.executeOnce) {
		throw refuse(
			'Sync List does not work with Execute Once',
			'It would take the first item for the whole list. Turn Execute Once off under Settings.',
		);
	}
	const before = new Set(functions.getParentNodes(node.name).map(({ name }) => name));
	const isInLoop = functions.getChildNodes(node.name).some(({ name }) => before.has(name));
	if (isInLoop) {
		throw refuse(
			'Sync List does not work inside a loop',
			'Each round has a part of the list only, and would take everybody else for having left. Put the node behind the output done of Loop Over Items, or take the loop away.',
		);
	}
	const { $runIndex } = functions.getWorkflowDataProxy(0);
	if (Number($runIndex) > 0) {
		throw refuse(
			'Sync List runs once in an execution',
			'It was run before in this execution, with another part of the list. Bring all items together before it, for example with the node Merge.',
		);
	}
}
