/**
 * A chatbot in memory, and n8n's view of a trigger that watches it: everything of the node is real, and
 * thousands of histories take seconds because no request leaves the process.
 */
import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import { pollForChanges } from '../../../nodes/ChatbaseTrigger/poll';

/** A record as the service keeps it, in seconds since 1970 by its clock. */
export interface TestRecord {
	id: string;
	created: number;
	updated: number;
	/** Whether the service gives no time for it that can be read. */
	isUndated?: true;
}

/** What a search shows of a conversation from some moment on, in seconds since 1970. */
interface Version {
	visibleAt: number;
	updated: number;
	/** Whether the conversation is in the state that the event is about: ended, or escalated. */
	isInside: boolean;
}

/** Behavior that no document promises, on which the trigger must not depend. */
export interface Habits {
	/** How times are written. */
	unit: 'seconds' | 'milliseconds' | 'digits' | 'longDigits' | 'text';
	order: 'oldestFirst' | 'newestFirst' | 'lastUpdatedFirst';
	/** Hours that the days of the service are ahead of UTC. */
	zone: number;
	/** What a range of days looks at. */
	dayOf: 'created' | 'updated';
	/** Seconds that the clock of the service is ahead of n8n's. */
	skew: number;
	/** How many contacts more the service counts than it lists. */
	miscount: number;
	/** Every so many contacts one has no time that can be read; 0 for none. */
	undatedEvery: number;
	/** Whether every page is the first one. */
	ignoresPage: boolean;
	/** Whether a search begins with those that were active first. */
	searchesOldestFirst: boolean;
}

/** The default behavior of the service. */
const usualHabits: Habits = {
	unit: 'seconds',
	order: 'oldestFirst',
	zone: 0,
	dayOf: 'created',
	skew: 0,
	miscount: 0,
	undatedEvery: 0,
	ignoresPage: false,
	searchesOldestFirst: false,
};

const presentTime = Date.now;
const timeSinceStart = performance.now;
const newestSecond = 1_900_000_000;
const parameters: IDataObject = { chatbotId: 'bot', options: { pageSize: 10 } };

export class World {
	/** Of contacts, tickets, leads or conversations by day, in the order of their creation. */
	records: TestRecord[] = [];

	/** What searches show: conversations by their IDs, each with its versions in order. */
	readonly conversations = new Map<string, Version[]>();

	/** The newest version of each conversation that the last poll has read. */
	readonly read = new Map<string, Version>();

	/** Requests of the last poll. */
	requests = 0;

	/** Seconds since 1970 by the clock of the service. */
	now = newestSecond;

	/** Milliseconds since 1970 by n8n's clock. */
	local: number;

	/** Milliseconds that requests took. */
	private spent = 0;

	/** The header `Date` of a response, in seconds since 1970; undefined for a response without one. */
	dateOf: (statusCode: number) => number | undefined = () => this.now;

	mode: 'manual' | 'trigger' = 'trigger';

	/** What the trigger has told the log of n8n. */
	readonly warnings: string[] = [];

	private created = 0;

	private changes = 0;

	private sorted: { key: string; rows: Array<Version & { id: string }> } = { key: '', rows: [] };

	private isPolling = false;

	private readonly habits: Habits;

	constructor(unusual: Partial<Habits> = {}) {
		this.habits = { ...usualHabits, ...unusual };
		this.local = (newestSecond - this.habits.skew) * 1000;
	}

	/** Lets time pass for both clocks. */
	pass(seconds: number): void {
		this.now += seconds;
		this.local += seconds * 1000;
	}

	/** Sets n8n's clock: so many seconds ahead, or back. */
	jump(seconds: number): void {
		this.local += seconds * 1000;
	}

	create(count = 1): void {
		const { undatedEvery } = this.habits;
		for (let index = 0; index < count; index++) {
			const number = ++this.created;
			const isUndated = undatedEvery > 0 && number % undatedEvery === 0;
			this.records.push({
				id: `record-${number}`,
				created: this.now,
				updated: this.now,
				...(isUndated && { isUndated }),
			});
		}
	}

	/** Positions beyond the end start again at the first record. */
	edit(position: number): void {
		const record = this.at(position);
		if (record) record.updated = this.now;
	}

	/** If the total is never right, a record that a removal has hidden can't be detected. */
	remove(position: number): void {
		if (this.isPolling && this.habits.miscount !== 0) return;
		const record = this.at(position);
		this.records = this.records.filter((other) => other !== record);
	}

	/**
	 * A conversation is active, and a search shows it some seconds later.
	 *
	 * @param updated when it was active last; a change of the state alone does not move it
	 */
	converse(id: string, isInside: boolean, lag = 0, updated = this.now): void {
		this.changes++;
		const versions = this.conversations.get(id) ?? [];
		this.conversations.set(id, versions);
		versions.push({ visibleAt: this.now + lag, updated, isInside });
	}

	/** What a search shows of a conversation now. */
	visible(id: string): Version | undefined {
		const versions = this.conversations.get(id) ?? [];
		for (let index = versions.length - 1; index >= 0; index--) {
			if (versions[index].visibleAt <= this.now) return versions[index];
		}
		return undefined;
	}

	private at(position: number): TestRecord | undefined {
		return this.records[position % Math.max(1, this.records.length)];
	}

	/** Polls as an active workflow does; `stored` is n8n's own object, which a failure does not restore. */
	async poll(
		event: string,
		stored: IDataObject,
		beforeAnswer: () => number = () => 200,
		since?: number,
	): Promise<IDataObject[]> {
		const given: IDataObject = { ...parameters, event };
		if (since !== undefined) {
			given.options = { pageSize: 10, since: new Date(since * 1000).toISOString() };
		}
		const context = {
			getNode: () => ({ name: 'Trigger', type: 'chatbaseTrigger' }),
			getNodeParameter: (name: string, fallback?: unknown) => given[name] ?? fallback,
			getMode: () => this.mode,
			getTimezone: () => 'UTC',
			getWorkflowStaticData: () => stored,
			logger: { warn: (text: string) => this.warnings.push(text) },
			getCredentials: async () => ({ apiKey: 'key', baseUrl: 'http://service.example/v1' }),
			helpers: {
				httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) =>
					this.answer(request, beforeAnswer()),
			},
		};
		this.read.clear();
		this.requests = 0;
		Date.now = () => this.local;
		performance.now = () => this.spent;
		this.isPolling = true;
		try {
			const outputs = await pollForChanges.call(context as unknown as IPollFunctions);
			return (outputs?.[0] ?? []).map(({ json }: INodeExecutionData) => ({
				...json,
				id: json.id ?? `record-${String(json.ticketNumber)}`,
				created_at: json.created_at ?? json.createdAt,
				updated_at: json.updated_at ?? json.updatedAt,
			}));
		} finally {
			Date.now = presentTime;
			performance.now = timeSinceStart;
			this.isPolling = false;
		}
	}

	private answer({ url, qs = {} }: IHttpRequestOptions, statusCode: number) {
		this.requests++;
		this.local += 100;
		this.spent += 100;
		const body = statusCode === 200 ? this.bodyOf(url, qs) : { message: 'There is no such page' };
		const date = this.dateOf(statusCode);
		const headers = date === undefined ? {} : { date: new Date(date * 1000).toUTCString() };
		return { statusCode, headers, body };
	}

	private bodyOf(url: string, qs: IDataObject): object {
		if (url.includes('/contacts')) return this.contactPage(qs);
		if (url.includes('/tickets')) return this.ticketPage(qs);
		if (url.endsWith('/search')) return this.searchPage(qs);
		return /\/get-(leads|conversations)/.test(url) ? this.dayPage(url, qs) : { id: 'bot' };
	}

	/** Ten a page; a cursor names the row before it, so that no row moves but one that changes. */
	private ticketPage({ sortBy, cursor }: IDataObject) {
		const rows = this.records.map(({ id, created, updated, isUndated }) => {
			const time = sortBy === 'createdAt' ? created : updated;
			return { id: Number(id.slice('record-'.length)), time, created, updated, isUndated };
		});
		const [time, id] = JSON.parse(String(cursor ?? '[1e12,0]')) as number[];
		const rest = rows
			.filter((row) => row.time < time || (row.time === time && row.id < id))
			.sort((one, other) => other.time - one.time || other.id - one.id);
		const shown = rest.slice(0, 10);
		const hasMore = rest.length > shown.length;
		const last = shown.at(-1);
		return {
			data: shown.map((row) => ({
				ticketNumber: row.id,
				createdAt: row.isUndated ? null : new Date(row.created * 1000).toISOString(),
				updatedAt: row.isUndated ? null : new Date(row.updated * 1000).toISOString(),
			})),
			pagination: { cursor: hasMore ? JSON.stringify([last!.time, last!.id]) : null, hasMore },
		};
	}

	private contactPage({ page, per_page: size }: IDataObject) {
		const total = Math.max(0, this.records.length + this.habits.miscount);
		const totalPages = Math.ceil(this.records.length / Number(size));
		const data = this.page(this.records, Number(page), Number(size)).map((record) => ({
			id: record.id,
			external_id: `external ${record.id}`,
			created_at: record.isUndated ? 'soon' : this.stamp(record.created),
			updated_at: record.isUndated ? null : this.stamp(record.updated),
		}));
		return {
			message: 'Success',
			data,
			total,
			pages: { page, per_page: size, total_pages: totalPages },
		};
	}

	private dayPage(url: string, { page, size, startDate }: IDataObject) {
		const listed = this.records.filter((record) => {
			const moment = (record[this.habits.dayOf] + this.habits.zone * 3600) * 1000;
			return !startDate || new Date(moment).toISOString().slice(0, 10) >= String(startDate);
		});
		// How many leads the service gives at most is not stated.
		const isLeads = url.includes('/get-leads');
		const given = isLeads ? 10 : Number(size);
		const data = this.page(listed, Number(page), given).map((record) => ({
			id: record.id,
			created_at: this.stamp(record.created),
			updated_at: this.stamp(record.updated),
		}));
		return isLeads ? { collectedCustomers: data } : { data };
	}

	/** Pages of 25. A cursor names the row before it. */
	private searchPage({ updatedAfter = '1970-01-01', escalated, cursor }: IDataObject): object {
		const after = Date.parse(String(updatedAfter)) / 1000;
		const start = cursor && (JSON.parse(String(cursor)) as [number, string]);
		const rest = this.rows().filter(
			({ id, updated, isInside }) =>
				updated >= after &&
				(isInside || !escalated) &&
				(!start || (start[1] !== id && this.order(start, [updated, id]) < 0)),
		);
		const shown = rest.slice(0, 25);
		for (const { id, ...version } of shown) {
			if (version.updated >= (this.read.get(id)?.updated ?? 0)) this.read.set(id, version);
		}
		const hasMore = rest.length > shown.length;
		const last = shown.at(-1);
		return {
			data: shown.map(({ id, updated, isInside }) => ({
				id,
				updatedAt: updated,
				status: isInside ? 'ended' : 'ongoing',
			})),
			pagination: { cursor: hasMore ? JSON.stringify([last!.updated, last!.id]) : null, hasMore },
		};
	}

	/** What a search shows, sorted, until something changes. */
	private rows() {
		const key = `${this.now} ${this.changes}`;
		if (this.sorted.key === key) return this.sorted.rows;
		const rows = [...this.conversations.keys()].flatMap((id) => {
			const version = this.visible(id);
			return version ? [{ id, ...version }] : [];
		});
		rows.sort((one, other) => this.order([one.updated, one.id], [other.updated, other.id]));
		this.sorted = { key, rows };
		return rows;
	}

	private order(one: [number, string], other: [number, string]): number {
		const sign = this.habits.searchesOldestFirst ? -1 : 1;
		return sign * (other[0] - one[0] || (one[1] < other[1] ? 1 : -1));
	}

	private page(records: TestRecord[], page: number, size: number): TestRecord[] {
		const { order } = this.habits;
		const sorted = [...records];
		if (order === 'newestFirst') sorted.reverse();
		if (order === 'lastUpdatedFirst') sorted.sort((one, other) => other.updated - one.updated);
		const start = this.habits.ignoresPage ? 0 : (page - 1) * size;
		return sorted.slice(start, start + size);
	}

	private stamp(seconds: number): number | string {
		const { unit } = this.habits;
		if (unit === 'text') return new Date(seconds * 1000).toISOString();
		const time = unit === 'seconds' || unit === 'digits' ? seconds : seconds * 1000;
		return unit === 'digits' || unit === 'longDigits' ? String(time) : time;
	}
}
