import type { Reading } from './memory';
import type { Undated } from './sightings';
import type { TimeBudget } from './timeBudget';

/** What to read of a list. */
export interface ReadRequest {
	/** The moment from which on records matter, in milliseconds since 1970; -Infinity where all do. */
	since: number;
	/** Where an earlier poll has stopped, as it was stored; absent for a new round. */
	progress?: unknown;
	/** Looked at after each step; the first one is always taken. */
	budget: TimeBudget;
}

/** A reading, and how much of it was of use. */
export interface SourceReading<Item, Progress> extends Reading<Item, Progress> {
	/** How many different records there were. */
	count: number;
	/** Records that nothing can be said about; absent where there are none. */
	undated?: Undated;
}

/** A list of the service that is watched for changes. */
export interface Source<Item, Progress> {
	/** What the list holds, in the plural. */
	records: string;
	/** From when on the list is read the first time, to find out what exists. */
	beginning: number;
	/** From when on the list is read for a few examples: one after the other, until there are enough. */
	sampleSince: number[];
	/**
	 * Reads as much of a round as the budget allows. Progress that makes no sense begins a new round.
	 *
	 * @throws NodeApiError when the service fails
	 */
	read(request: ReadRequest): Promise<SourceReading<Item, Progress>>;
}
