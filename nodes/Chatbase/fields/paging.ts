import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readCounted } from '../api/paginate';
import type { InputItem } from '../execution/item';
import { countFormat, readBoolean, readOptional, wholeNumber } from './values';

/** Return All and Limit, as in n8n's own nodes. */
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

/** How many results are wanted; Infinity for all. */
export function readLimit(item: InputItem): number {
	if (readBoolean(item, 'returnAll', 'Return All')) return Infinity;
	return readOptional(item, 'limit', wholeNumber(1), 'Limit') ?? 50;
}

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
		description: `${what} per request, ${minimum} to ${countFormat.format(maximum)}. ${advice}.`,
	};
}

/** Reads the option Page Size. Without it, a request asks for no more than Limit. */
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
		'Most requests that the node sends at the same time. Lower it if the service reports too many requests.',
};

/** Most output items for one input item: n8n and its database handle several smaller lists better. */
export const outputLimit = 100_000;

/** Reads a list up to the wanted number of records. Throws if it is not complete by its total. */
export async function readComplete(
	place: Pick<InputItem, 'error'>,
	what: string,
	open: Parameters<typeof readCounted>[0],
	limit = Infinity,
	advice = 'Run the node again.',
): Promise<IDataObject[]> {
	const { items, expected } = await readCounted(open, Math.min(limit, outputLimit + 1));
	if (expected === undefined) return items;
	throw place.error(
		`The ${what} could not be read completely`,
		`The node read ${items.length} of ${expected} ${what}, in the last of three tries. Nothing was passed on. ${advice}`,
	);
}

/** Throws if the list is longer than the limit, since part of a list is never returned. */
export function assertWithinOutputLimit(
	item: InputItem,
	length: number,
	nextStep = 'Use Filters or a Limit, or read one part for each input item, such as one month.',
) {
	if (length <= outputLimit) return;
	throw item.error(
		'The list is too long for one input item',
		`It has more than ${countFormat.format(outputLimit)} records. ${nextStep}`,
	);
}

/**
 * What follows the records: tells an agent that a list goes on, since it doesn't see the Limit of its tool. A workflow
 * gets no message, since each record becomes an item.
 */
export function truncationNotice(
	item: InputItem,
	count: number,
	limit: number,
	total?: number,
): IDataObject[] {
	if (!item.isTool || count < limit || (total !== undefined && total <= count)) return [];
	const more =
		total === undefined ? 'may have more records' : `has ${countFormat.format(total - count)} more`;
	return [{ message: `The list ${more}, because Limit is ${countFormat.format(limit)}.` }];
}
