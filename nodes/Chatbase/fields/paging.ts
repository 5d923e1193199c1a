import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { readAs, readBoolean, wholeNumber } from './values';

type DisplayConditions = NonNullable<INodeProperties['displayOptions']>['show'];

/** Return All and Limit, as every list of n8n has them. */
export function pagingFields(show: DisplayConditions): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions: { show },
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { ...show, returnAll: [false] } },
		},
	];
}

/**
 * Reads how many results are wanted.
 *
 * @returns Infinity for all of them
 * @throws NodeOperationError when Limit is not a whole number from 1 on
 */
export function readLimit(item: InputItem): number {
	const returnAll = { returnAll: item.parameter('returnAll') as boolean | undefined };
	if (readBoolean(item, returnAll, 'returnAll', 'Return All')) return Infinity;
	return readAs(item, item.parameter('limit') ?? 50, wholeNumber(1), 'Limit');
}

/**
 * How many records one request asks for.
 *
 * @param what the records, as a sentence begins with them
 * @param smallest page size that the API allows
 * @param largest page size that the API allows
 * @param usual what the field starts with
 * @param advice what else there is to say, without a full stop at the end
 */
export function pageSizeOption(
	what: string,
	smallest: number,
	largest: number,
	usual: number,
	advice: string,
): INodeProperties {
	return {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: smallest, maxValue: largest },
		default: usual,
		description: `${what} a request, ${smallest} to ${largest}. ${advice}.`,
	};
}

/** How many requests one run of the node may have in flight. */
export const maxConcurrencyOption: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 5,
	description:
		'How many requests this node may make at the same time, however many items come in. Lower it if the service complains about too many requests.',
};
