import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../api/failure';
import { maxListReads, type PagedList, walkPages } from '../api/paginate';
import { countFormat } from '../values/json';
import { append } from '../values/list';
import type { InputItem } from './item';

/** How many output items one input item can have. n8n and its database handle several smaller lists better. */
export const outputLimit = 100_000;

/** Throws if the list is longer than an output can be, since part of a list is never returned. */
export function assertWithinOutputLimit(
	place: Pick<InputItem, 'error'>,
	length: number,
	nextStep?: string,
): void {
	if (length > outputLimit) throw tooLong(place, outputLimit, nextStep);
}

function tooLong(
	place: Pick<InputItem, 'error'>,
	maximum: number,
	nextStep = 'Use Filters or a Limit, or read one part for each input item, such as one month.',
): Failure {
	return place.error(
		'The list is too long for one input item',
		`It has more than ${countFormat.format(maximum)} records. ${nextStep}`,
	);
}

interface WantedRecords {
	/** How many records are wanted; all if absent. */
	limit?: number;
	/** How many records there is room for, such as in an output. Absent for a list that only decides. */
	maximum?: number;
	/** What to do if the list never adds up, as a sentence for the error. */
	advice?: string;
}

/**
 * Reads a list up to the wanted number of records, again if it does not add up to its total. Throws if it never does, or if
 * more are wanted than there is room for.
 * @param what the records, such as "tickets"
 */
export async function readComplete(
	place: Pick<InputItem, 'error'>,
	what: string,
	list: PagedList<IDataObject>,
	wanted: WantedRecords = {},
): Promise<IDataObject[]> {
	const { limit = Infinity, maximum = Infinity, advice = 'Run the node again.' } = wanted;
	const enough = Math.min(limit, maximum + 1);

	for (let reads = 1; ; reads++) {
		const { records, isComplete, expected } = await readPagesOnce(list, enough);
		if (Math.min(records.length, limit) > maximum) throw tooLong(place, maximum);
		if (isComplete) return records.slice(0, enough);
		if (reads < maxListReads) continue;

		throw place.error(
			`The ${what} could not be read completely`,
			`The node read ${countFormat.format(records.length)} of ${countFormat.format(expected)} ${what}, in the last of three tries. Nothing was passed on. ${advice}`,
		);
	}
}

interface ReadList {
	readonly records: readonly IDataObject[];
	/** Whether all wanted records were surely read. */
	readonly isComplete: boolean;
	/** How many records the list should have. */
	readonly expected: number;
}

async function readPagesOnce(
	list: PagedList<IDataObject>,
	enough: number,
): Promise<ReadList> {
	const records: IDataObject[] = [];
	const totals: number[] = [];
	for await (const { page, fresh } of walkPages(list)) {
		append(records, fresh);
		if (page.total !== undefined) totals.push(page.total);
		if (records.length >= enough) return { records, isComplete: true, expected: enough };
	}

	const { length } = records;
	const [first = length] = totals;
	const last = totals.at(-1) ?? length;
	// What was added meanwhile may be missing. What was deleted may have hidden another record.
	const onlyGrows = totals.every((total, index) => total >= (totals[index - 1] ?? 0));
	const isComplete = onlyGrows && length >= first && length <= last;
	return { records, isComplete, expected: last };
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
	const isEnd = returned.length < limit || (total ?? Infinity) <= limit;
	if (!item.isTool || isEnd) return returned;

	const message = `The list ${moreThan(limit, total)}, because Limit is ${countFormat.format(limit)}.`;
	return [...returned, { message }];
}

function moreThan(limit: number, total?: number): string {
	if (total === undefined) return 'may have more records';
	return `has ${countFormat.format(total - limit)} more`;
}
