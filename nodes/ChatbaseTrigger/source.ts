import type { Reading } from './memory';
import type { TimeBudget } from './timeBudget';

/** What to read of a list. */
export interface ReadRequest<Progress> {
	/** The moment from which on records matter, in milliseconds since 1970; -Infinity where all do. */
	since: number;
	/** Where an earlier poll has stopped; absent for a new round. */
	progress?: Progress;
	/** Looked at after each step; the first one is always taken. */
	budget: TimeBudget;
}

/** A list of the service that is watched for changes. */
export interface Source<Item, Progress> {
	/** From when on the list is read the first time, to find out what exists. */
	beginning: number;
	/** From when on the list is read for a few examples: one after the other, until there are enough. */
	sampleSince: number[];
	/**
	 * Reads as much of a round as the budget allows.
	 *
	 * @throws NodeApiError when the service fails
	 */
	read(request: ReadRequest<Progress>): Promise<Reading<Item, Progress>>;
}
