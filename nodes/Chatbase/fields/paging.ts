import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { readBoolean, readOptional, wholeNumber } from './values';

/** Return All and Limit, as every list of n8n has them. */
export const pagingFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** Reads how many results are wanted; Infinity for all. */
export function readLimit(item: InputItem): number {
	if (readBoolean(item, 'returnAll', 'Return All')) return Infinity;
	return readOptional(item, 'limit', wholeNumber(1), 'Limit') ?? 50;
}

/**
 * @param what the records, as a sentence begins with them
 * @param advice what else there is to say, without a full stop at the end
 */
export function pageSizeOption(
	what: string,
	minimum: number,
	maximum: number,
	usual: number,
	advice: string,
): INodeProperties {
	return {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: minimum, maxValue: maximum },
		default: usual,
		description: `${what} a request, ${minimum} to ${maximum}. ${advice}.`,
	};
}

/** Reads the option Page Size; without it, a request asks for no more than Limit. */
export function readPageSize(
	item: InputItem,
	limit: number,
	usual: number,
	maximum: number,
): number {
	const size = readOptional(item, 'options.pageSize', wholeNumber(1, maximum), 'Page Size');
	return size ?? Math.min(limit, usual);
}

export const maxConcurrencyOption: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 5,
	description:
		'How many requests this node may make at the same time, however many items come in. Lower it if the service complains about too many requests.',
};

/**
 * How many output items the node makes of one input item. A longer list is handed to several items, which n8n and its
 * database take better than one heap.
 */
export const outputLimit = 100_000;

/** @throws NodeOperationError if the list is longer than the limit: a part of it is never passed on */
export function assertWithinOutputLimit(
	item: InputItem,
	length: number,
	nextStep = 'Narrow it down with Filters or a Limit, or let several input items read a part of it each, such as one month.',
) {
	if (length <= outputLimit) return;
	throw item.error(
		'The list is too long for one input item',
		`It has more than ${outputLimit} records, which is what the node makes of one item. ${nextStep}`,
	);
}

/**
 * Tells an agent that a list does not end where its records do: it cannot see the Limit that its tool is set to. A
 * workflow is told nothing, since every record becomes an item.
 *
 * @param total how many records there are; undefined if the service does not say
 * @returns what follows the records
 */
export function truncationNotice(
	item: InputItem,
	count: number,
	limit: number,
	total?: number,
): IDataObject[] {
	if (!item.isTool || count < limit) return [];
	if (total === undefined)
		return [{ message: `More may follow: the list ends at Limit, ${limit}.` }];
	const more = total - count;
	return more > 0 ? [{ message: `${more} more left out, because Limit is ${limit}.` }] : [];
}
