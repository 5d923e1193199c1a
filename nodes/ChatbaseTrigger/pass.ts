import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { ApiClient } from '../Chatbase/api/client';
import { walkPages } from '../Chatbase/api/paginate';
import { readTimestamp } from '../Chatbase/values/time';
import type { Settings } from './fields';
import { day, type EventState, memoryDays, type Pass, type SeenRecord } from './state';

const minute = 60 * 1000;

/** How long a search may take to show a change. "A few seconds" (reference of version 2, 3.2). */
const maxSearchLag = 60 * minute;

export interface Poll extends Settings {
	context: IPollFunctions;
	api: ApiClient;
	clock: ServiceClock;
}

/** Whether the number of records that were found so far is enough. */
export type IsEnough = (found: number) => boolean | undefined;

/** Reads the list of an event once, or its newest part. Records before the watermark are only counted. */
export async function readPass(poll: Poll, state: EventState, isEnough?: IsEnough): Promise<Pass> {
	const { api, clock, event } = poll;
	const { isNewestFirst, isSearch, timeOf, hasHappened = () => true } = event;
	const known = new Set(Object.values(state.reported).flat());
	const { since, downTo } = rangeOf(state, isSearch);
	const seen = new Map<string, SeenRecord & { isInside: boolean }>();
	const those = (inside: boolean) => [...seen.values()].filter((one) => one.isInside === inside);
	const keys = new Set<string>();
	const undatedKeys = new Set<string>();
	const totals = new Set<number | undefined>();
	let newest = -Infinity;
	/** Returns whether later pages have nothing new, if the newest records come first. */
	const take = (items: IDataObject[]): boolean => {
		const times: number[] = [];
		let hasLate = false;
		for (const item of items) {
			const key = keyOf(item);
			const time = readTimestamp(timeOf(item));
			keys.add(key);
			if (time === undefined) undatedKeys.add(key);
			else times.push(time);
			// A record that moved to a later page is used as it was read last.
			if (time === undefined || time < Math.max(since, seen.get(key)?.time ?? since)) continue;
			const isInside = hasHappened(item, time);
			seen.set(key, { key, time, item, isInside });
			hasLate ||= isInside && time < downTo && !known.has(key);
		}
		newest = Math.max(newest, ...times.filter((time) => time <= clock.latest));
		const isOrdered = times.every((time, index) => index === 0 || time <= times[index - 1]);
		return isOrdered && !hasLate && times[times.length - 1] < downTo;
	};
	for await (const { page } of walkPages({ ...event.open(api, poll, since), keyOf })) {
		// The total of the newest records is that of the whole list.
		if (!isNewestFirst) totals.add(page.total);
		if ((take(page.items) && isNewestFirst) || isEnough?.(those(true).length)) break;
	}
	const [total = keys.size, ...otherTotals] = totals;
	return {
		records: those(true),
		outside: isSearch ? those(false) : undefined,
		newest: isSearch ? Math.max(newest, clock.agreedWith(state.ahead)) : newest,
		ahead: clock.ahead,
		// A list without a total counts as complete. A missing page of contacts has no total, unlike the others.
		isComplete: total === keys.size && otherTotals.length === 0,
		count: keys.size,
		undated: [...undatedKeys],
	};
}

/** A record without an identity is identified by its content. */
function keyOf(record: IDataObject): string {
	return String(record.id ?? record.ticketNumber ?? record.external_id ?? JSON.stringify(record));
}

/** From when on records count, and how far back a list is read that has the newest records first. */
function rangeOf({ watermark, newest }: EventState, isSearch = false) {
	if (!isSearch) return { since: watermark, downTo: watermark };
	return { since: Math.max(watermark, newest - memoryDays * day), downTo: newest - maxSearchLag };
}

/** The service's time in milliseconds since 1970, by the header Date (RFC 9110, 6.6.1); n8n's until the first response. */
export class ServiceClock {
	/** Milliseconds that it is ahead of n8n's. */
	ahead?: number;

	get now(): number {
		return Date.now() + (this.ahead ?? 0);
	}

	/** Now in whole seconds, since the service may count those. */
	get wholeSecond(): number {
		return Math.floor(this.now / 1000) * 1000;
	}

	daysAgo(days: number): number {
		return Math.max(0, Math.min(this.now, Date.now()) - days * day);
	}

	/** Now, if the last poll had the same clock, since one response may state a strange time. Otherwise -Infinity. */
	agreedWith(before = NaN): number {
		return Math.abs((this.ahead ?? NaN) - before) < minute ? this.now : -Infinity;
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
