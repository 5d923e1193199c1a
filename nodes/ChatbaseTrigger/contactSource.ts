import type { Contact } from '../Chatbase/resources/contact/plan/contact';
import { readContactsPages } from '../Chatbase/resources/contact/requests/pages';
import type { Service } from '../Chatbase/transport/service';
import { readTimestamp } from '../Chatbase/values/time';
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
}

/** Timestamps in seconds that differ do so by at least this. */
const second = 1000;

/** What the events look at. A contact is created with both times alike, give or take less than a second. */
const contactKinds: Record<ContactEvent, RecordKind<Contact>> = {
	contactCreated: { keyOf, momentOf: ({ created_at }) => readTimestamp(created_at) },
	contactUpdated: {
		keyOf,
		momentOf({ created_at, updated_at }) {
			const updated = readTimestamp(updated_at);
			const created = readTimestamp(created_at) ?? -Infinity;
			return updated !== undefined && updated - created >= second ? updated : undefined;
		},
	},
	contactCreatedOrUpdated: {
		keyOf,
		momentOf: ({ created_at, updated_at }) =>
			readTimestamp(updated_at) ?? readTimestamp(created_at),
	},
};

function keyOf({ id, external_id }: Contact): string | undefined {
	const key: unknown = id ?? external_id;
	return key === undefined || key === null ? undefined : String(key);
}

/**
 * The contact list of a chatbot. The API neither filters nor sorts it, so every page is read.
 *
 * @param perPage contacts a page, 10 to 1000
 * @param latest the last moment that can be right
 */
export function contactSource(
	service: Service,
	chatbotId: string,
	event: ContactEvent,
	perPage: number,
	latest: number,
): Source<Contact, ContactProgress> {
	const start: ContactProgress = { perPage, page: 1, pages: 1, read: 0, isSteady: true };
	return {
		beginning: 0,
		sampleSince: [-Infinity],
		async read({ since, progress, budget }) {
			const sightings = new Sightings(contactKinds[event], since, latest);
			let { page, pages, total, read, isSteady } = progress?.perPage === perPage ? progress : start;
			let isFinished: boolean;
			do {
				const count = Math.min(service.maxConcurrency, pages - page + 1);
				const batch = await readContactsPages(service, chatbotId, page, count, perPage);
				const fresh = sightings.add(batch.flatMap((each) => each?.contacts ?? []));
				for (const each of batch) {
					total ??= each?.total;
					isSteady &&= each !== undefined && each.total === total;
					pages = each?.totalPages ?? 0;
				}
				page += count;
				read += fresh;
				// Without a new contact the list has ended, whatever the service counts.
				isFinished = fresh === 0 || page > pages;
			} while (!isFinished && budget.allowsAnother);
			return {
				sightings: sightings.all,
				newest: sightings.newest,
				progress: isFinished ? undefined : { perPage, page, pages, total, read, isSteady },
				isComplete: isSteady && read === total,
			};
		},
	};
}
