import type { IDataObject } from 'n8n-workflow';

import { type CursorPage, maxListReads, type PagedList, walkPages } from '../api/paginate';
import type { InputItem } from '../execution/item';
import { outputLimit } from '../execution/results';
import { optionalField, toggleField } from './field';
import { entered, wholeNumber } from './types';
import { countFormat } from '../values/number';

const returnAllField = toggleField('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
});

const limitField = optionalField('limit', 'Limit', wholeNumber(1), {
	description: 'Max number of results to return',
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
});

/** As in n8n's own nodes. Reads how many results are wanted: Infinity for all. */
export const paging = {
	fields: [returnAllField, limitField],
	read: (item: InputItem) => (returnAllField.read(item) ? Infinity : (limitField.read(item) ?? 50)),
};

export function pageSizeOption(what: string, minimum: number, maximum: number, advice: string) {
	return optionalField('options.pageSize', 'Page Size', entered(wholeNumber(minimum, maximum)), {
		description: `${what} per request, ${minimum} to ${countFormat.format(maximum)}. ${advice}.`,
		placeholder: 'e.g. 100',
	});
}

export const maxConcurrencyOption = optionalField(
	'options.maxConcurrency',
	'Max Concurrency',
	wholeNumber(1),
	{
		description:
			'Most requests that the node sends at the same time. Lower it if the service reports too many requests.',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 5,
	},
);

/** Reads a list up to the wanted number of records, again if it does not add up to its total. Throws if it never does. */
export async function readComplete(
	place: Pick<InputItem, 'error'>,
	what: string,
	list: PagedList<IDataObject, CursorPage>,
	limit = Infinity,
	advice = 'Run the node again.',
): Promise<IDataObject[]> {
	const wanted = Math.min(limit, outputLimit + 1);
	for (let reads = 1; ; reads++) {
		const seen = new Set<unknown>();
		const totals: number[] = [];
		const items: IDataObject[] = [];
		for await (const { page, fresh } of walkPages(list, seen)) {
			items.push(...fresh);
			if (page.total !== undefined) totals.push(page.total);
			if (items.length >= wanted) return items.slice(0, wanted);
		}
		const [stated = items.length] = totals;
		let isSteady = totals.every((total) => total === stated);
		if (items.length === stated && totals[totals.length - 1] > stated) {
			// What was there at first is read. What was added since stands at the top, or the list is read again.
			for await (const { page, fresh } of walkPages(list, seen)) {
				items.unshift(...fresh);
				totals.push(page.total ?? NaN);
				if (fresh.length < page.items.length) break;
			}
			isSteady = totals.every((total, index) => index === 0 || total >= totals[index - 1]);
		}
		const expected = totals.pop() ?? items.length;
		if (isSteady && items.length === expected) return items.slice(0, wanted);
		if (reads < maxListReads) continue;
		throw place.error(
			`The ${what} could not be read completely`,
			`The node read ${countFormat.format(items.length)} of ${countFormat.format(expected)} ${what}, in the last of three tries. Nothing was passed on. ${advice}`,
		);
	}
}

/**
 * The records up to the limit. Tells an agent that a list goes on, since it doesn't see the Limit of its tool. A workflow
 * gets no message, since each record becomes an item.
 */
export function upToLimit(
	item: InputItem,
	records: IDataObject[],
	limit: number,
	total?: number,
): IDataObject[] {
	const returned = records.slice(0, limit);
	if (!item.isTool || returned.length < limit || (total ?? Infinity) <= limit) return returned;
	const more =
		total === undefined ? 'may have more records' : `has ${countFormat.format(total - limit)} more`;
	const message = `The list ${more}, because Limit is ${countFormat.format(limit)}.`;
	return [...returned, { message }];
}
