import type { IDataObject } from 'n8n-workflow';

import { fillPath } from '../Chatbase/api/address';
import type { ApiClient } from '../Chatbase/api/client';
import type { Page, PagedList } from '../Chatbase/api/paginate';
import { cursorPages, walkPages } from '../Chatbase/api/paginate';
import { contactPages } from '../Chatbase/resources/contact/list';
import { searchPath } from '../Chatbase/resources/conversation/conversations';
import { conversationList as conversationsOf } from '../Chatbase/resources/conversation/getAll';
import { leadList as leadsOf } from '../Chatbase/resources/lead/getAll';
import { maxPageSize as maxTickets, ticketPages } from '../Chatbase/resources/ticket/tickets';
import { readTimestamp } from '../Chatbase/values/time';
import type { Settings } from './settings';
import type { EventState, Pass, SeenRecord } from './state';
import { memoryDays } from './state';

export { maxPageSize, minPageSize } from '../Chatbase/resources/contact/list';

export const maxConcurrency = 5;

const dayPageSize = 100;

const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** How long a search may take to show a change. "A few seconds" (reference of version 2, 3.2). */
const maxSearchLag = 60 * minute;

type RecordsPage = Page<IDataObject> & { total?: number };

export interface Source {
	/** Days to look back. A first poll uses the first entry, Test data one after the other. */
	lookBack: number[];
	/** Whether the newest records come first, so that only those are read. */
	isNewestFirst?: boolean;
	/** Whether changes appear late and without their time, so that reported records are remembered. */
	isSearch?: boolean;
	/** Reads the records that may have changed since a time, in milliseconds since 1970. */
	walk(
		api: ApiClient,
		settings: Settings,
		since: number,
		keyOf: (record: IDataObject) => string,
	): AsyncIterable<{ page: RecordsPage }>;
}

/** Reads all contacts in each pass, because the API neither filters nor sorts them. */
export const contactList: Source = {
	lookBack: [Infinity],
	walk(api, { chatbotId, pageSize }, _since, keyOf) {
		return walkPages({ ...contactPages(api, chatbotId, pageSize), keyOf });
	},
};

export const conversationList = listByDay((api, query, { sources }) =>
	conversationsOf(api, {
		...query,
		...(sources.length > 0 && { filteredSources: sources.join(',') }),
	}),
);

export const leadList = listByDay(leadsOf);

function listByDay(
	list: (api: ApiClient, query: IDataObject, settings: Settings) => PagedList<IDataObject>,
): Source {
	return {
		lookBack: [2, 60, Infinity],
		walk(api, settings, since, keyOf) {
			const startDate = firstDay(since);
			const { chatbotId } = settings;
			const query = { chatbotId, size: dayPageSize, ...(startDate && { startDate }) };
			return walkPages({ ...list(api, query, settings), keyOf });
		},
	};
}

/** Tickets by one of their times. One that changes while they are read is in the next pass. */
export function ticketList(sortBy: 'createdAt' | 'updatedAt'): Source {
	const query = { limit: maxTickets, sortBy, order: 'desc' };
	return newestFirst(0, (api, chatbotId) => ticketPages(api, chatbotId, query));
}

/** Conversations of all channels by their last activity. */
export function conversationSearch(filter: IDataObject = {}): Source {
	const list = newestFirst(memoryDays, (api, chatbotId, since) => {
		const updatedAfter = since > 0 ? { updatedAfter: new Date(since).toISOString() } : {};
		const query = { limit: 25, ...filter, ...updatedAfter };
		return cursorPages(api, {
			path: fillPath(searchPath, { chatbotId }),
			resource: 'agent',
			query,
		});
	});
	return { ...list, isSearch: true };
}

function newestFirst(
	lookBack: number,
	open: (api: ApiClient, chatbotId: string, since: number) => PagedList<IDataObject>,
): Source {
	return {
		lookBack: [lookBack],
		isNewestFirst: true,
		async *walk(api, { chatbotId }, since) {
			const pages = walkPages(open(api, chatbotId, since));
			// A total would be that of the whole list.
			for await (const { page } of pages) yield { page: { items: page.items } };
		},
	};
}

/** One day earlier, because the service's time zone for days is not documented. */
function firstDay(since: number): string | undefined {
	return since > day ? new Date(since - day).toISOString().slice(0, 10) : undefined;
}

export function timeBefore(days: number, clock: ServiceClock): number {
	return Math.max(0, clock.now - days * day);
}

/**
 * Reads the list of an event once, or its newest part.
 *
 * @param state what was reported before. Records before its watermark are only counted.
 * @param isEnough whether the records that were found so far are enough
 */
export async function readPass(
	api: ApiClient,
	settings: Settings,
	clock: ServiceClock,
	{ watermark: since, newest: readTo, reported }: EventState,
	isEnough: (found: ReadonlyMap<string, SeenRecord>) => boolean = () => false,
): Promise<Pass> {
	const { source, identityOf, timeOf, hasHappened = () => true } = settings.event;
	const { isNewestFirst, isSearch } = source;
	const keyOf = (record: IDataObject) => String(identityOf(record) ?? JSON.stringify(record));
	const known = new Set(Object.values(reported).flat());
	const downTo = isSearch ? readTo - maxSearchLag : since;
	const records = new Map<string, SeenRecord>();
	const outside = new Map<string, SeenRecord>();
	const keys = new Set<string>();
	const undatedKeys = new Set<string>();
	const totals = new Set<number | undefined>();
	let newest = -Infinity;
	for await (const { page } of source.walk(api, settings, since, keyOf)) {
		const { latest } = clock;
		const times: number[] = [];
		let hasLate = false;
		totals.add(page.total);
		for (const item of page.items) {
			const key = keyOf(item);
			const time = readTimestamp(timeOf(item));
			keys.add(key);
			if (time === undefined) {
				undatedKeys.add(key);
				continue;
			}
			times.push(time);
			if (time <= latest) newest = Math.max(newest, time);
			// A record that moved to a later page is used as it was read last.
			const last = records.get(key) ?? outside.get(key);
			if (time < Math.max(since, last?.time ?? since)) continue;
			const [now, before] = hasHappened(item, time) ? [records, outside] : [outside, records];
			now.set(key, { key, time, item });
			before.delete(key);
			hasLate ||= now === records && time < downTo && !known.has(key);
		}
		const isOrdered = times.every((time, index) => index === 0 || time <= times[index - 1]);
		const isPast = isOrdered && !hasLate && times[times.length - 1] < downTo;
		if ((isNewestFirst && isPast) || isEnough(records)) break;
	}
	const count = keys.size;
	const [undatedKey] = undatedKeys;
	const [total = count, ...otherTotals] = totals;
	return {
		records: [...records.values()],
		...(isSearch && { outside: [...outside.values()] }),
		newest: isSearch ? Math.max(newest, clock.stated) : newest,
		// A list without a total counts as complete. A missing page of contacts has no total, unlike the others.
		isComplete: total === count && otherTotals.length === 0,
		count,
		undated: undatedKeys.size,
		undatedKey,
	};
}

/** The service's time in milliseconds since 1970, by the header Date (RFC 9110, 6.6.1); n8n's until the first response. */
export class ServiceClock {
	/** Milliseconds that the service's clock is ahead of n8n's. */
	private ahead?: number;

	get now(): number {
		return Date.now() + (this.ahead ?? 0);
	}

	/** -Infinity until a response has stated it. */
	get stated(): number {
		return this.ahead === undefined ? -Infinity : this.now;
	}

	/** The latest plausible time. */
	get latest(): number {
		return this.now + (this.ahead === undefined ? day : minute);
	}

	/** Later than any plausible saved time, even if one of the two clocks is wrong for a while. */
	get limit(): number {
		return Math.max(this.now, Date.now()) + day;
	}

	setBy({ date }: Record<string, unknown>) {
		const time = Date.parse(String(date));
		if (!Number.isNaN(time)) this.ahead = time - Date.now();
	}
}
