import type { IDataObject } from 'n8n-workflow';

import { maxListReads, type PagedList, walkPages } from '../api/paginate';
import { countFormat } from '../values/json';
import { append } from '../values/list';
import type { InputItem } from './item';

/** How many output items one input item can have. n8n and its database handle several smaller lists better. */
export const outputLimit = 100_000;

/** Throws if the list is longer than the limit, since part of a list is never returned. */
export function assertWithinOutputLimit(
	item: InputItem,
	length: number,
	nextStep = 'Use Filters or a Limit, or read one part for each input item, such as one month.',
): void {
	if (length <= outputLimit) return;
	throw item.error(
		'The list is too long for one input item',
		`It has more than ${countFormat.format(outputLimit)} records. ${nextStep}`,
	);
}

interface WantedRecords {
	/** How many records are wanted; all if absent. */
	limit?: number;
	/** What to do if the list never adds up, as a sentence for the error. */
	advice?: string;
}

/**
 * Reads a list up to the wanted number of records, again if it does not add up to its total. Throws if it never does.
 * @param what the records, such as "tickets"
 */
export async function readComplete(
	place: Pick<InputItem, 'error'>,
	what: string,
	list: PagedList<IDataObject>,
	{ limit = Infinity, advice = 'Run the node again.' }: WantedRecords = {},
): Promise<IDataObject[]> {
	const wanted = Math.min(limit, outputLimit + 1);

	for (let reads = 1; ; reads++) {
		const { records, isComplete, expected } = await readPagesOnce(list, wanted);
		if (isComplete) return records.slice(0, wanted);
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
	wanted: number,
): Promise<ReadList> {
	const seen = new Set<unknown>();
	const totals: number[] = [];
	const records: IDataObject[] = [];
	for await (const { page, fresh } of walkPages(list, seen)) {
		append(records, fresh);
		if (page.total !== undefined) totals.push(page.total);
		if (records.length >= wanted) return { records, isComplete: true, expected: wanted };
	}

	const [stated = records.length] = totals;
	const expected = totals.at(-1) ?? stated;
	const hasGrown = expected > stated;
	if (hasGrown && records.length === stated) {
		return await readAdditions(list, { seen, records, totals });
	}

	const isSteady = totals.every((total) => total === stated);
	return { records, isComplete: isSteady && records.length === expected, expected };
}

/** What was read of a list that has grown meanwhile: all records that it had at the start. */
interface GrownList {
	/** The keys of the records. */
	readonly seen: Set<unknown>;
	readonly records: readonly IDataObject[];
	/** The totals that the pages stated, in their order. */
	readonly totals: readonly number[];
}

/** Reads the records that were added, if they stand at the top. Otherwise the list does not add up, and is read again. */
async function readAdditions(
	list: PagedList<IDataObject>,
	{ seen, records, totals }: GrownList,
): Promise<ReadList> {
	let all = records;
	const allTotals = [...totals];
	for await (const { page, fresh } of walkPages(list, seen)) {
		all = [...fresh, ...all];
		allTotals.push(page.total ?? NaN);
		const hasKnownOnes = fresh.length < page.items.length;
		if (hasKnownOnes) break;
	}

	const hasOnlyGrown = allTotals.every(
		(total, index) => total >= (allTotals[index - 1] ?? -Infinity),
	);
	const expected = allTotals.at(-1) ?? all.length;
	return { records: all, isComplete: hasOnlyGrown && all.length === expected, expected };
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
