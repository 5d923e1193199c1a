import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../Chatbase/api/client';
import { walkPages } from '../Chatbase/api/paginate';
import { countFormat } from '../Chatbase/values/json';
import { readTimestamp } from '../Chatbase/values/time';
import type { TriggerEvent } from './events';
import type { Settings } from './fields';
import { day, type EventState, minute, type Pass, type SeenRecord } from './state';

export interface Poll extends Settings {
	api: ApiClient;
	clock: ServiceClock;
}

/**
 * Reads the list of an event once, or its newest part. Records before the watermark are only counted. Throws if no record
 * has a readable time, since the trigger would never report anything.
 *
 * @param isEnough says whether this number of records is enough
 */
export async function readPass(
	poll: Poll,
	state: EventState,
	isEnough?: (found: number) => boolean,
): Promise<Pass> {
	const { api, clock, event } = poll;
	const reading = new PassReading(event, clock, state);
	const list = event.open(api, poll, reading.since);

	for await (const { page } of walkPages({ ...list, keyOf: recordKeyOf }, reading.keys)) {
		// With the newest records first, only a part is read, but the total counts the whole list.
		if (!event.isNewestFirst) reading.totals.add(page.total);

		const isRestKnown = reading.take(page.items);
		if (isRestKnown && event.isNewestFirst) break;
		if (isEnough?.(reading.countedRecords().length)) break;
	}

	const pass = reading.result();
	tellUndated(poll, pass, state);
	return pass;
}

function tellUndated({ event, error, warn }: Poll, pass: Pass, before: EventState) {
	const { undated, count } = pass;
	const { records } = event;
	const [example] = undated;

	if (undated.size > 0 && undated.size === count) {
		const nextStep = `The service returned ${countFormat.format(count)} ${records} without a Unix timestamp or an ISO 8601 date, for example ID ${example}. Once dates are readable again, the trigger continues from its last poll.`;
		throw error(`No ${records} have a readable date`, nextStep);
	}

	if (undated.size > (before.undated ?? 0)) {
		warn(
			`${countFormat.format(undated.size)} of ${countFormat.format(count)} ${records} have no readable date, for example ID ${example}. Their changes are not reported.`,
		);
	}
}

/** A pass that is being read, page by page. */
class PassReading {
	/** Records before this time are only counted. */
	readonly since: number;

	/** Keys of all records that were read. */
	readonly keys = new Set<unknown>();

	/** Each total that a page has stated. */
	readonly totals = new Set<number | undefined>();

	/** Records before this time are known. If the newest come first, the reading ends here. */
	private readonly downTo: number;

	/** Keys of reported records. */
	private readonly known: Set<string>;

	/** The records that count, as they were read last, and whether the event happened to them. */
	private readonly seen = new Map<string, SeenRecord & { isInside: boolean }>();

	private readonly undated = new Set<string>();

	private newest = -Infinity;

	constructor(
		private readonly event: TriggerEvent,
		private readonly clock: ServiceClock,
		state: EventState,
	) {
		const { since, downTo } = event.states.rangeOf(state);
		this.since = since;
		this.downTo = downTo;
		this.known = new Set(Object.values(state.reported).flat());
	}

	/** Returns whether later pages have nothing new, if the newest records come first. */
	take(items: IDataObject[]): boolean {
		const [field, otherField = field] = this.event.timeFields;
		const times: number[] = [];
		let hasLate = false;

		for (const item of items) {
			const key = recordKeyOf(item);
			const time = readTimestamp(item[field] ?? item[otherField]);

			if (time === undefined) {
				this.undated.add(key);
				continue;
			}

			const isNew = this.takeRecord({ key, time, item });
			hasLate ||= isNew && time < this.downTo;
			times.push(time);
		}

		const { latest } = this.clock;
		const plausible = times.filter((time) => time <= latest);
		this.newest = plausible.reduce((newest, time) => Math.max(newest, time), this.newest);

		const isOrdered = times.every(
			(time, index) => time <= (times[index - 1] ?? Infinity),
		);
		return isOrdered && !hasLate && (times.at(-1) ?? Infinity) < this.downTo;
	}

	/** Returns whether the event happened to a record that was not reported. */
	private takeRecord(record: SeenRecord): boolean {
		const { key, time, item } = record;
		if (time < this.since) return false;

		const isInside = this.event.hasHappened?.(item, time) ?? true;
		// If a record was read twice because it moved to a later page, the last reading counts.
		this.seen.set(key, { ...record, isInside });
		return isInside && !this.known.has(key);
	}

	/** The records that count and to which the event happened. */
	countedRecords(): SeenRecord[] {
		return [...this.seen.values()].filter(({ isInside }) => isInside);
	}

	result(): Pass {
		const { clock, keys, newest, undated } = this;
		const [total = keys.size, ...otherTotals] = this.totals;

		return {
			records: this.countedRecords().sort((one, other) => one.time - other.time),
			outside: [...this.seen.values()].filter(({ isInside }) => !isInside),
			newest,
			now: clock.now,
			ahead: clock.ahead,
			// A list without a total counts as complete. A missing page of contacts has no total, unlike the others.
			isComplete: total === keys.size && otherTotals.length === 0,
			count: keys.size,
			undated,
		};
	}
}

/** A record without an identity is identified by its content. */
function recordKeyOf(record: IDataObject): string {
	return String(
		record.id ?? record.ticketNumber ?? record.external_id ?? JSON.stringify(record),
	);
}

/**
 * The time of the service in milliseconds since 1970, by the header Date (RFC 9110, 6.6.1). Until the first response, it is
 * the time of n8n.
 */
export class ServiceClock {
	/** How many milliseconds the clock of the service is ahead of n8n's. */
	ahead?: number;

	get now(): number {
		return Date.now() + (this.ahead ?? 0);
	}

	/** The present time in whole seconds, since the service may only count those. */
	get wholeSecond(): number {
		return Math.floor(this.now / 1000) * 1000;
	}

	daysAgo(days: number): number {
		return Math.max(0, Math.min(this.now, Date.now()) - days * day);
	}

	/** The latest plausible time. */
	get latest(): number {
		return this.now + (this.ahead === undefined ? day : minute);
	}

	/** Later than any plausible saved time, even if one of the two clocks is wrong for a while. */
	get limit(): number {
		return Math.max(this.now, Date.now()) + day;
	}

	setBy({ date }: Record<string, unknown>): void {
		const time = Date.parse(String(date));
		if (!Number.isNaN(time)) this.ahead = time - Date.now();
	}
}
