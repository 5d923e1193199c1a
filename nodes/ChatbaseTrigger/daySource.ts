import type { IDataObject } from 'n8n-workflow';

import type { PagedList } from '../Chatbase/api/paginate';
import { isObject } from '../Chatbase/values/object';
import type { ServiceClock } from './serviceClock';
import type { RecordKind } from './sightings';
import { Sightings } from './sightings';
import type { Source } from './source';

/** How far a round over a list of days has come. */
export interface DayProgress {
	/** Number of the next page. */
	page: number;
	/** Key of the first record of the page before. */
	first: string;
}

const day = 24 * 60 * 60 * 1000;

/** Conversations and leads: each is there from its creation on. */
const dayKind: RecordKind<IDataObject> = {
	keyOf: ({ id }) => (typeof id === 'string' || typeof id === 'number' ? String(id) : undefined),
	timeOf: ({ created_at }) => created_at,
};

/**
 * A list that can be asked for by day, of which only the newest days are read, up to an empty or a
 * repeated page: a service may give fewer records a page than it was asked for.
 *
 * @param records what the list holds, in the plural
 * @param filters what narrows the list down
 * @param clock the present, needed to find the first days and to know a date far ahead
 */
export function daySource(
	records: string,
	list: PagedList,
	filters: IDataObject,
	clock: ServiceClock,
): Source<IDataObject, DayProgress> {
	const beginning = clock.now - 2 * day;
	return {
		records,
		beginning,
		sampleSince: [beginning, clock.now - 60 * day, -Infinity],
		async read({ since, progress, budget }) {
			const sightings = new Sightings(dayKind, since, clock);
			const startDate = firstDay(since);
			let { page, first } = isProgress(progress) ? progress : { page: 1, first: '' };
			let isFinished: boolean;
			do {
				const read = await list.readPage({ ...filters, page, ...(startDate && { startDate }) });
				const before = first;
				first = read.length > 0 ? sightings.keyOf(read[0]) : '';
				isFinished = sightings.add(read) === 0 || first === before;
				page++;
			} while (!isFinished && budget.allowsAnother);
			return {
				sightings: sightings.all,
				newest: sightings.newest,
				count: sightings.count,
				undated: sightings.undated,
				progress: isFinished ? undefined : { page, first },
				isComplete: true,
			};
		},
	};
}

function isProgress(value: unknown): value is DayProgress {
	if (!isObject(value)) return false;
	return Number.isSafeInteger(value.page) && Number(value.page) > 1;
}

/** The day before, since nothing says in which time zone the service counts its days. */
function firstDay(since: number): string | undefined {
	if (since === -Infinity) return undefined;
	return new Date(Math.max(0, since - day)).toISOString().slice(0, 10);
}
