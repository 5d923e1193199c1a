import type { IDataObject } from 'n8n-workflow';

import type { PagedList } from '../Chatbase/transport/pages';
import { readTimestamp } from '../Chatbase/values/time';
import type { RecordKind } from './sightings';
import { Sightings } from './sightings';
import type { Source } from './source';

/** How far a round over a list of days has come. */
export interface DayProgress {
	/** Number of the next page. */
	page: number;
}

const day = 24 * 60 * 60 * 1000;

/** Conversations and leads: each is there from its creation on. */
const dayKind: RecordKind<IDataObject> = {
	keyOf: ({ id }) => (typeof id === 'string' || typeof id === 'number' ? String(id) : undefined),
	momentOf: ({ created_at }) => readTimestamp(created_at),
};

/**
 * A list that can be asked for by day, of which only the newest days are read.
 *
 * @param filters what narrows the list down
 * @param now the present in milliseconds since 1970, needed only to find the first days
 * @param latest the last moment that can be right
 */
export function daySource(
	list: PagedList,
	filters: IDataObject,
	now: number,
	latest: number,
): Source<IDataObject, DayProgress> {
	const beginning = now - 2 * day;
	return {
		beginning,
		sampleSince: [beginning, now - 60 * day, -Infinity],
		async read({ since, progress, budget }) {
			const sightings = new Sightings(dayKind, since, latest);
			const startDate = firstDay(since);
			let page = progress?.page ?? 1;
			let isFinished: boolean;
			do {
				const records = await list.readPage({ ...filters, page, ...(startDate && { startDate }) });
				const fresh = sightings.add(records);
				page++;
				isFinished = fresh === 0;
			} while (!isFinished && budget.allowsAnother);
			return {
				sightings: sightings.all,
				newest: sightings.newest,
				progress: isFinished ? undefined : { page },
				isComplete: true,
			};
		},
	};
}

/** The day before, since nothing says in which time zone the service counts its days. */
function firstDay(since: number): string | undefined {
	if (since === -Infinity) return undefined;
	return new Date(Math.max(0, since - day)).toISOString().slice(0, 10);
}
