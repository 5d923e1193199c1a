import { NodeOperationError } from 'n8n-workflow';

import { nodeOf } from './node';
import type { ItemContext } from './operation';

/**
 * How many output items the node makes of one input item. The engine of n8n 2.41 overflows its stack
 * somewhat above 120,000.
 */
export const mostItems = 100_000;

/**
 * The error for a list that has more.
 *
 * @param context the item
 * @param nextStep how to get on
 */
export function tooManyItems(context: ItemContext, nextStep: string): NodeOperationError {
	return new NodeOperationError(nodeOf(context), 'The list is too long for one input item', {
		description: `It has more than ${mostItems} records, which is about what n8n can take from one item. ${nextStep}`,
		itemIndex: context.getItemIndex(),
	});
}
