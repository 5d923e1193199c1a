import type { InputItem } from './item';

/**
 * How many output items the node makes of one input item. A list that is longer is handed to several items, which
 * n8n and its database take better than one heap.
 */
export const outputLimit = 100_000;

/**
 * Refuses to pass a part of a list on.
 *
 * @param nextStep how to get on
 * @throws NodeOperationError when the list is longer than the limit
 */
export function assertWithinOutputLimit(
	item: InputItem,
	length: number,
	nextStep = 'Narrow it down with Filters or a Limit, or let several input items read a part of it each, such as one month.',
) {
	if (length <= outputLimit) return;
	throw item.failure(
		'The list is too long for one input item',
		`It has more than ${outputLimit} records, which is what the node makes of one item. ${nextStep}`,
	);
}
