import type { Contact, ContactsPage } from '../Chatbase/resources/contact/plan/contact';
import { readContactsPages } from '../Chatbase/resources/contact/requests/pages';
import type { ApiClient } from '../Chatbase/api/client';
import { isObject } from '../Chatbase/values/object';
import { readTimestamp } from '../Chatbase/values/time';
import type { ServiceClock } from './serviceClock';
import type { RecordKind } from './sightings';
import { Sightings } from './sightings';
import type { Source } from './source';

/** What can happen to a contact. */
export type ContactEvent = 'contactCreated' | 'contactUpdated' | 'contactCreatedOrUpdated';

/** How far a round over the contact list has come. */
export interface ContactProgress {
	perPage: number;
	/** Number of the next page. */
	page: number;
	/** How many pages there are. */
	pages: number;
	/** How many contacts there should be; absent before the first page. */
	total?: number;
	/** How many have been read. */
	read: number;
	/** Whether the total has been the same on all pages. */
	isSteady: boolean;
	/** Key of the first contact that was read last; empty before the first page. */
	first: string;
}

/** Timestamps in seconds that differ do so by at least this. */
const second = 1000;

/** When a contact changed last. One that was never updated may be without a time for it. */
const lastChange = ({ created_at, updated_at }: Contact): unknown => updated_at ?? created_at;

/** What the events look at. A contact is created with both times alike, give or take less than a second. */
const contactKinds: Record<ContactEvent, RecordKind<Contact>> = {
	contactCreated: { keyOf, timeOf: ({ created_at }) => created_at },
	contactUpdated: {
		keyOf,
		timeOf: lastChange,
		matters: ({ created_at }, moment) =>
			moment - (readTimestamp(created_at) ?? -Infinity) >= second,
	},
	contactCreatedOrUpdated: { keyOf, timeOf: lastChange },
};

function keyOf({ id, external_id }: Contact): string | undefined {
	const key: unknown = id ?? external_id;
	return key === undefined || key === null ? undefined : String(key);
}

/**
 * The contact list of a chatbot. The API neither filters nor sorts it, so every page is read.
 *
 * @param perPage contacts a page, 10 to 1000
 * @param clock the present, needed to know a date far ahead
 */
export function contactSource(
	api: ApiClient,
	chatbotId: string,
	event: ContactEvent,
	perPage: number,
	clock: ServiceClock,
): Source<Contact, ContactProgress> {
	const start: ContactProgress = {
		perPage,
		page: 1,
		pages: 1,
		read: 0,
		isSteady: true,
		first: '',
	};
	return {
		records: 'contacts',
		beginning: 0,
		sampleSince: [-Infinity],
		async read({ since, progress, budget }) {
			const sightings = new Sightings(contactKinds[event], since, clock);
			const from = isProgress(progress) && progress.perPage === perPage ? progress : start;
			let { page, pages, total, read, isSteady, first } = from;
			let isFinished: boolean;
			do {
				const count = Math.min(api.maxConcurrency, pages - page + 1);
				const batch: Array<ContactsPage | undefined> = [];
				await readContactsPages(api, chatbotId, page, count, perPage, (each) => batch.push(each));
				const contacts = batch.flatMap((each) => each?.contacts ?? []);
				const before = first;
				const fresh = sightings.add(contacts);
				first = contacts.length > 0 ? sightings.keyOf(contacts[0]) : '';
				for (const each of batch) {
					total ??= each?.total;
					isSteady &&= each !== undefined && each.total === total;
					pages = each?.totalPages ?? 0;
				}
				page += count;
				read += fresh;
				// An empty or a repeated page is the end, whatever the service counts.
				isFinished = fresh === 0 || first === before || page > pages;
			} while (!isFinished && budget.allowsAnother);
			return {
				sightings: sightings.all,
				newest: sightings.newest,
				count: sightings.count,
				undated: sightings.undated,
				progress: isFinished ? undefined : { perPage, page, pages, total, read, isSteady, first },
				isComplete: isSteady && read === total,
			};
		},
	};
}

function isProgress(value: unknown): value is ContactProgress {
	if (!isObject(value)) return false;
	const { page, pages, read } = value;
	const areCounts = [page, pages, read].every((count) => Number.isSafeInteger(count));
	return areCounts && Number(page) > 1 && Number(page) <= Number(pages);
}
