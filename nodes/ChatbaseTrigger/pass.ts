import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../Chatbase/api/client';
import { walkPages } from '../Chatbase/api/paginate';
import { readTimestamp } from '../Chatbase/values/time';
import type { Settings } from './settings';
import { day, type EventState, memoryDays, type Pass, type SeenRecord } from './state';

const minute = 60 * 1000;

/** How long a search may take to show a change. "A few seconds" (reference of version 2, 3.2). */
const maxSearchLag = 60 * minute;

/**
 * Reads the list of an event once, or its newest part. Records before the watermark are only counted.
 *
 * @param isEnough whether the number of records that were found so far is enough
 */
export async function readPass(
	api: ApiClient,
	settings: Settings,
	clock: ServiceClock,
	{ watermark, newest: readTo, reported, ahead }: EventState,
	isEnough?: (found: number) => boolean,
): Promise<Pass> {
	const { list, identityOf, timeOf, hasHappened = () => true } = settings.event;
	const { isNewestFirst, isSearch } = list;
	const keyOf = (record: IDataObject) => String(identityOf(record) ?? JSON.stringify(record));
	const known = new Set(Object.values(reported).flat());
	const since = isSearch ? Math.max(watermark, readTo - memoryDays * day) : watermark;
	const downTo = isSearch ? readTo - maxSearchLag : since;
	const seen = new Map<string, SeenRecord & { isInside: boolean }>();
	const inside = () => [...seen.values()].filter(({ isInside }) => isInside);
	const keys = new Set<string>();
	const undatedKeys = new Set<string>();
	const totals = new Set<number | undefined>();
	let newest = -Infinity;
	for await (const { page } of walkPages({ ...list.open(api, settings, since), keyOf })) {
		const { latest } = clock;
		const times: number[] = [];
		let hasLate = false;
		// The total of the newest records is that of the whole list.
		if (!isNewestFirst) totals.add(page.total);
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
			if (time < Math.max(since, seen.get(key)?.time ?? since)) continue;
			const isInside = hasHappened(item, time);
			seen.set(key, { key, time, item, isInside });
			hasLate ||= isInside && time < downTo && !known.has(key);
		}
		const isOrdered = times.every((time, index) => index === 0 || time <= times[index - 1]);
		const isPast = isOrdered && !hasLate && times[times.length - 1] < downTo;
		if ((isNewestFirst && isPast) || isEnough?.(inside().length)) break;
	}
	const count = keys.size;
	const [undatedKey] = undatedKeys;
	const [total = count, ...otherTotals] = totals;
	return {
		records: inside(),
		outside: isSearch ? [...seen.values()].filter(({ isInside }) => !isInside) : undefined,
		newest: isSearch ? Math.max(newest, clock.agreedWith(ahead)) : newest,
		ahead: clock.ahead,
		// A list without a total counts as complete. A missing page of contacts has no total, unlike the others.
		isComplete: total === count && otherTotals.length === 0,
		count,
		undated: undatedKeys.size,
		undatedKey,
	};
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
